'use strict';
// The live part of the first page: a small file is asked for every few seconds. From a web server it is fetched; from the
// disk, where pages may fetch nothing, it is loaded as a script.
(() => {
  const body = document.getElementById('standings');
  if (!body) return;
  const cell = (row, text, name) => {
    const td = document.createElement('td');
    td.textContent = text;
    if (name) td.className = name;
    row.append(td);
    return td;
  };
  const signed = (number) => (number === null ? '' : (number > 0 ? '+' : '') + number.toFixed(0));
  let seen = 0;
  window.classLive = (live) => {
    if (live.now < seen) return;
    seen = live.now;
    const rows = live.rows.map((entry) => {
      const row = document.createElement('tr');
      row.className = (entry.team ? '' : 'reference ') + (entry.provisional ? 'provisional' : '');
      cell(row, entry.rank, 'n');
      const name = cell(row, '');
      const link = document.createElement('a');
      link.href = entry.page;
      link.textContent = entry.name;
      name.append(link);
      cell(row, signed(entry.elo), 'n');
      cell(row, entry.error === null ? '' : '±' + entry.error.toFixed(0), 'n');
      cell(row, entry.score === null ? '' : (100 * entry.score).toFixed(1) + ' %', 'n');
      for (const count of [entry.games, entry.wins, entry.draws, entry.losses]) cell(row, count, 'n');
      cell(row, entry.failures || '', 'n');
      cell(row, entry.provisional ? 'provisional' : '');
      return row;
    });
    body.replaceChildren(...rows);
    document.getElementById('facts').textContent = live.facts;
    const playing = document.getElementById('playing');
    playing.replaceChildren(...live.playing.map((game) => {
      const item = document.createElement('li');
      item.textContent = `${game[0]} – ${game[1]}`;
      return item;
    }));
  };
  const ask = () => {
    if (location.protocol.startsWith('http')) {
      fetch('live.json', { cache: 'no-store' }).then((answer) => answer.json()).then(window.classLive).catch(() => {});
      return;
    }
    const script = document.createElement('script');
    script.src = `live.js?${Date.now()}`;
    script.onload = script.onerror = () => script.remove();
    document.head.append(script);
  };
  setInterval(() => { if (!document.hidden) ask(); }, 3000);
  ask();
})();
