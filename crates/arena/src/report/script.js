'use strict';
(() => {
  const reels = new Map();
  const make = (tag, props = {}, ...children) => {
    const node = document.createElement(tag);
    Object.assign(node, props);
    node.append(...children);
    return node;
  };
  const setUp = (box) => {
    const name = box.dataset.event;
    const list = box.querySelector('.list');
    const board = box.querySelector('.picture');
    const slider = box.querySelector('input[type=range]');
    const moves = box.querySelector('.moves');
    const head = box.querySelector('.head');
    const fault = box.querySelector('.fault');
    let reel = null, game = null, frames = [], ply = 0;

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
