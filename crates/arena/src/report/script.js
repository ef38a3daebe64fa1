'use strict';
(() => {
  const reels = new Map();
  const make = (tag, props = {}, ...children) => {
    const node = document.createElement(tag);
    Object.assign(node, props);
    node.append(...children);
    return node;
  };
  const DECIDED = 999899999; // beyond every heuristic score stand proven wins and losses
  const score = (value) => Math.abs(value) < DECIDED ? (value > 0 ? `+${value}` : `${value}`)
    : `${value > 0 ? 'win' : 'loss'} in ${1e9 - Math.abs(value)}`;
  const span = (micros) => micros < 1e3 ? `${micros} µs` : micros < 1e6 ? `${(micros / 1e3).toFixed(1)} ms` : `${(micros / 1e6).toFixed(1)} s`;
  const count = (number) => number.toLocaleString('en');
  const svg = (tag, attributes) => {
    const node = document.createElementNS('http://www.w3.org/2000/svg', tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    return node;
  };
  // The scores of both players over the turns, from the first player's view, each on its own scale.
  const graph = (game, jump) => {
    const seen = (game.thoughts || []).map((rows) => rows.filter((row) => row.length > 2));
    if (!seen.some((rows) => rows.length)) return null;
    const width = 600, height = 120, turns = game.moves.length;
    const x = (turn) => 6 + turn / Math.max(turns, 1) * (width - 12);
    const whole = svg('svg', { viewBox: `0 0 ${width} ${height}`, class: 'graph', role: 'img' });
    whole.append(svg('line', { class: 'axis', x1: 0, x2: width, y1: height / 2, y2: height / 2 }));
    seen.forEach((rows, player) => {
      const most = Math.max(1, ...rows.map((row) => Math.abs(row[2])).filter((value) => value < DECIDED));
      const y = (value) => height / 2 - (player ? -1 : 1) * Math.max(-1, Math.min(1, value / most / 1.15)) * (height / 2 - 5);
      const points = rows.map((row) => `${x(row[0]).toFixed(1)},${y(row[2]).toFixed(1)}`);
      if (points.length === 1) points.push(points[0]);
      whole.append(svg('polyline', { class: `seat${player + 1}`, points: points.join(' ') }));
    });
    const cursor = svg('line', { class: 'cursor', y1: 0, y2: height });
    whole.append(cursor);
    whole.onclick = (event) => {
      const box = whole.getBoundingClientRect();
      jump(Math.round(((event.clientX - box.left) / box.width * width - 6) / (width - 12) * turns));
    };
    return { node: whole, move: (turn) => { cursor.setAttribute('x1', x(turn)); cursor.setAttribute('x2', x(turn)); } };
  };
  // What a player thought of its last move up to a turn.
  const thought = (game, player, turn) => {
    const row = (game.thoughts?.[player] || []).filter((row) => row[0] <= turn).pop();
    if (!row) return null;
    const [number, micros, value, depth, nodes, mixed, gap] = row;
    const facts = [`turn ${number}`];
    if (value !== undefined) {
      facts.push(score(value), `depth ${depth}`, `${count(nodes)} nodes`);
      if (mixed !== undefined) facts.push(`value ${mixed}`, `gap ${gap}`);
      if (micros >= 1) facts.push(`${count(Math.round(nodes / micros * 1e6))} nodes/s`);
    }
    facts.push(span(micros));
    return `${game.players[player]}: ${facts.join(', ')}`;
  };
  const setUp = (box) => {
    const name = box.dataset.event;
    const list = box.querySelector('.list');
    const board = box.querySelector('.picture');
    const slider = box.querySelector('input[type=range]');
    const moves = box.querySelector('.moves');
    const head = box.querySelector('.head');
    const fault = box.querySelector('.fault');
    const scores = box.querySelector('.scores');
    const thoughts = box.querySelector('.thoughts');
    let reel = null, game = null, frames = [], ply = 0, plot = null;

    const frameAt = (number) => {
      // Frames are differences: go on from the nearest known one.
      while (frames.length <= number) {
        const last = frames[frames.length - 1];
        const change = game.frames[frames.length];
        if (!last) { frames.push(change.slice()); continue; }
        const next = last.slice(0, change[0]);
        for (let at = 1; at < change.length; at += 2) next[change[at]] = change[at + 1];
        frames.push(next);
      }
      return frames[number];
    };
    const show = (number) => {
      ply = Math.max(0, Math.min(number, game.frames.length - 1));
      slider.value = ply;
      const picture = frameAt(ply).map((id) => reel.elements[id]).join('');
      board.innerHTML = `<svg viewBox="0 0 ${game.size[0]} ${game.size[1]}" xmlns="http://www.w3.org/2000/svg">${picture}</svg>`;
      box.querySelector('.ply').textContent = `${ply} / ${game.frames.length - 1}`;
      plot?.move(ply);
      thoughts.textContent = [0, 1].map((player) => thought(game, player, ply)).filter(Boolean).join('\n');
      moves.querySelectorAll('span').forEach((span, at) => {
        span.classList.toggle('on', at + 1 === ply);
        if (at + 1 === ply) moves.scrollTop = span.offsetTop - moves.offsetTop - 40;
      });
    };
    const play = box.querySelector('.play');
    let timer = 0;
    const pause = () => { clearInterval(timer); timer = 0; play.textContent = '▶'; };
    play.onclick = () => {
      if (timer || !game) { pause(); return; }
      if (ply === game.frames.length - 1) show(0);
      play.textContent = '⏸';
      timer = setInterval(() => { show(ply + 1); if (ply === game.frames.length - 1) pause(); }, 400);
    };
    const choose = (from, chosen, button) => {
      pause();
      reel = from; game = chosen; frames = [];
      list.querySelectorAll('button').forEach((other) => other.classList.toggle('on', other === button));
      slider.max = game.frames.length - 1;
      const winner = game.outcome === 'draw' ? 'a draw' : `${game.players[game.outcome === 'p1' ? 0 : 1]} wins`;
      head.textContent = `game ${game.index}: ${game.players[0]} against ${game.players[1]}: ${winner}, ${game.reason}`;
      // The playground, where it lies beside this page.
      const value = (text) => encodeURIComponent(text).replaceAll('-', '%2D');
      const turns = game.moves.map((turn) => turn.split('|').map(value).join(',')).join('-');
      head.append(' ', make('a', {
        href: `gamesearch.html#game=${value(game.game)}&setup=${value(game.setup)}&start=${value(game.start)}&moves=${turns}&ply=0&tool=game`,
        textContent: 'open in the playground',
        title: 'needs gamesearch.html beside this page: cargo xtask page --out RUN/gamesearch.html',
      }));
      fault.textContent = game.note;
      moves.replaceChildren(...game.moves.map((text, at) =>
        make('span', { textContent: text, onclick: () => show(at + 1) })));
      plot = graph(game, show);
      scores.replaceChildren(...(plot ? [plot.node] : []));
      show(0);
    };
    const add = (from) => {
      for (const film of from.games) {
        const result = film.outcome === 'draw' ? '½–½' : film.outcome === 'p1' ? '1–0' : '0–1';
        const button = make('button', { type: 'button' },
          `${film.players[0]} – ${film.players[1]}  ${result}`,
          make('small', {}, `game ${film.index}, ${film.moves.length} turns, ${film.reason} `,
            film.tag ? make('span', { className: 'tag', textContent: film.tag }) : ''));
        button.onclick = () => choose(from, film, button);
        list.append(button);
      }
      if (!game && from.games.length) list.querySelector('button').click();
    };
    reels.set(name, add);
    const data = document.getElementById(`reel-${name}`);
    if (data) add(JSON.parse(data.textContent));
    slider.oninput = () => game && show(Number(slider.value));
    box.querySelector('.back').onclick = () => game && show(ply - 1);
    box.querySelector('.next').onclick = () => game && show(ply + 1);
    box.tabIndex = 0;
    box.onkeydown = (event) => {
      if (!game || event.target === slider) return;
      const step = { ArrowLeft: -1, ArrowRight: 1, Home: -1e9, End: 1e9 }[event.key];
      if (step) { show(ply + step); event.preventDefault(); }
    };
    const more = box.querySelector('.more');
    if (more) {
      more.onchange = () => {
        if (!more.value) return;
        const script = make('script', { src: more.value });
        script.onerror = () => { fault.textContent = `${more.value} is not beside this page`; };
        document.head.append(script);
        more.selectedOptions[0].disabled = true;
      };
    }
  };
  // Side files call this with further games.
  window.arenaGames = (name, reel) => reels.get(name)?.(reel);
  document.querySelectorAll('.games').forEach(setUp);
})();
