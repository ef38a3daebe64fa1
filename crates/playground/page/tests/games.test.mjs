// Every game starts, lights what is legal, and is played to its end by mouse, keyboard and typed moves.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask, click, middle, notices, skip, until, visit } from './harness.mjs';

const GAMES = ['expendibots', 'ropasci360', 'hus', 'colosseum'];
const POSITIONS = 200;

test('every game starts by its button, for a person against a beginner', { skip: skip() }, async () => {
  await visit({}, async (page) => {
    for (const game of GAMES) {
      await page.click(`.games button[data-game=${game}]`);
      const state = await until(page, (now) => now.game === game && now.ply === 0, game);
      assert.ok(state.active.includes('p1'));
      await page.waitForSelector('.area.can');
      assert.match(await page.textContent('.players'), /you/);
    }
  });
});

for (const game of GAMES) {
  test(`${game}: what is lit is what is legal, in ${POSITIONS} positions of random games`, { skip: skip() }, async () => {
    await visit({ hash: `game=${game}` }, async (page) => {
      const result = await page.evaluate(walk, { game, positions: POSITIONS });
      assert.deepEqual(result.problems, []);
      assert.equal(result.positions, POSITIONS);
      assert.deepEqual(await notices(page), []);
    });
  });
}

/** Runs in the page: plays random games by clicks and compares what is lit with the engine's list. */
async function walk({ game, positions }) {
  const problems = [];
  let seed = 12345;
  const random = (below) => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  const engine = async (kind, body = {}) => (await window.gamesearch.ask(kind, body)).done;
  const wait = () => new Promise((go) => setTimeout(go, 4));
  const areas = () => [...document.querySelectorAll('.area')];
  const lit = () => {
    const on = areas().filter((node) => node.classList.contains('can')).map((node) => node.dataset.target);
    const loose = [...document.querySelectorAll('[data-loose]')].map((node) => node.dataset.loose);
    return [...on, ...loose].sort();
  };
  const expected = (moves, prefix) => {
    const going = moves.filter((mv) => prefix.every((target, at) => mv.path[at] === target));
    return [...new Set(going.map((mv) => mv.path[prefix.length]))].sort();
  };
  const point = (target) => {
    const area = areas().find((node) => node.dataset.target === target);
    const node = area ?? [...document.querySelectorAll('[data-loose]')].find((each) => each.dataset.loose === target);
    if (node) node.dispatchEvent(new MouseEvent('click', { bubbles: true }));
    else problems.push(`nothing to point at for ${target}`);
  };
  let checked = 0;
  let games = 0;
  for (let tries = 0; checked < positions && problems.length < 5 && tries < 40 * positions; tries += 1) {
    const state = await engine('show');
    if (state.end) {
      games += 1;
      location.hash = `#game=${game}&seed=${games}`;
      for (let at = 0; at < 500 && (await engine('show')).ply !== 0; at += 1) await wait();
      for (let at = 0; at < 500 && !lit().length; at += 1) await wait();
      continue;
    }
    document.querySelector('.curtain:not([hidden]) button')?.click();
    const player = state.active.find((each) => !state.chosen.includes(each));
    const moves = state.legal[player];
    const compare = (prefix) => {
      const [seen, wanted] = [lit(), expected(moves, prefix)];
      if (seen.join() !== wanted.join()) problems.push(`${state.position} after ${prefix.join(' ')}: lit ${seen}, legal ${wanted}`);
    };
    compare([]);
    const mv = moves[random(moves.length)];
    for (const [at, target] of mv.path.entries()) {
      point(target);
      if (at + 1 < mv.path.length) compare(mv.path.slice(0, at + 1));
    }
    checked += 1;
    // The board has changed when the page has the engine's next state.
    const before = `${state.ply} ${state.chosen}`;
    let now = state;
    for (let at = 0; at < 1000 && `${now.ply} ${now.chosen}` === before; at += 1) {
      await wait();
      now = await engine('show');
    }
    await wait();
  }
  return { problems, positions: checked };
}

/** Points along the path of the first legal move, or of the one that `choose` takes. */
async function playOne(page, point, choose = (moves) => moves[0]) {
  const state = await ask(page, 'show');
  const player = state.active.find((each) => !state.chosen.includes(each));
  const mv = choose(state.legal[player], state);
  for (const target of mv.path) await point(page, target);
  return until(page, (now) => now.ply !== state.ply || now.chosen.length !== state.chosen.length, mv.move);
}

test('Colosseum by the mouse to the end: cell, then wall', { skip: skip() }, async () => {
  await visit({ hash: 'game=colosseum&setup=size%3D4&seed=3' }, async (page) => {
    let state = await ask(page, 'show');
    while (!state.end) state = await playOne(page, click);
    await page.waitForFunction((text) => document.querySelector('.status').textContent === text, state.end.text);
    await page.waitForFunction((text) => document.querySelector('#speech').textContent.includes(text), state.end.text);
    assert.equal(await page.locator('.area.can').count(), 0);
  });
});

test('Expendibots by the mouse: number first, square first, by drag, boom, and taken back', { skip: skip() }, async () => {
  await visit({ hash: 'game=expendibots' }, async (page) => {
    const drag = async (from, to) => {
      await page.mouse.move(...(await middle(page, from)));
      await page.mouse.down();
      const [x, y] = await middle(page, to);
      await page.mouse.move(x - 9, y - 9, { steps: 4 });
      await page.mouse.move(x, y);
      await page.mouse.up();
    };
    await drag('a1', 'a2');
    await until(page, (state) => state.turns[0]?.text === '1a1a2');
    await drag('a7', 'a6');
    await until(page, (state) => state.turns[1]?.text === '1a7a6');
    // The stack of two: the square first, then the number.
    await click(page, 'a2');
    assert.deepEqual(await page.locator('[data-loose]').allTextContents(), ['1', '2', 'boom']);
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('[data-loose]').count(), 0);
    await click(page, 'a2');
    await click(page, 'a4');
    await page.keyboard.press('2');
    await until(page, (state) => state.turns[2]?.text === '2a2a4');
    await click(page, 'a6');
    await page.click('[data-loose=boom]');
    const state = await until(page, (now) => now.ply === 4);
    assert.equal(state.turns[3].text, 'a6!');
    assert.match(await page.textContent('.moves'), /2a2a4/);
  });
});

/** Plays a person's whole game by clicks against a bot. The person plays what another bot advises, so that the game is a sensible one. */
async function againstBot(page, advice, limits, longest) {
  // Where both choose at once the bot has chosen first: one thinks at a time.
  const persons = (now) => now.active.includes('p1') && now.active.every((player) => player === 'p1' || now.chosen.includes(player));
  let state = await until(page, persons, 'the first turn');
  while (!state.end) {
    assert.ok(state.ply < longest, `the game does not end: ${state.link}`);
    const { ply } = state;
    const { path } = await ask(page, 'think', { player: 'p1', bot: advice, limits, seed: 5 });
    for (const target of path) await click(page, target);
    state = await until(page, (now) => now.end || (now.ply > ply && persons(now)), 'the next turn');
  }
  assert.match(await page.textContent('.players'), /: you.*: random/);
  await page.waitForFunction((text) => document.querySelector('.status').textContent === text, state.end.text);
  await page.waitForFunction((text) => document.querySelector('#speech').textContent.includes(text), state.end.text);
  assert.equal(await page.locator('.area.can').count(), 0);
  assert.deepEqual(await notices(page), []);
  return state;
}

test('Expendibots by the mouse against a bot, from the start to the end', { skip: skip() }, async () => {
  await visit({ hash: 'game=expendibots&first=you&second=random&seed=6' }, async (page) => {
    const state = await againstBot(page, 'alphabeta', 'nodes=300', 250);
    assert.ok(state.ply > 4 && state.turns.some((turn) => turn.text.endsWith('!')), state.link);
  });
});

test('RoPaSci by the mouse against a bot, from the start to the end', { skip: skip() }, async () => {
  await visit({ hash: 'game=ropasci360&first=you&second=random&seed=6' }, async (page) => {
    const state = await againstBot(page, 'greedy', 'nodes=300', 360);
    const moves = state.turns.map((turn) => turn.moves.p1);
    assert.ok(moves.some((mv) => mv.includes('@')) && moves.some((mv) => !mv.includes('@')), state.link);
  });
});

test('Hus by the keyboard alone, from the start of the page to the end of the game', { skip: skip() }, async () => {
  await visit({ hash: 'game=hus' }, async (page) => {
    await page.keyboard.press('b');
    let state = await ask(page, 'show');
    for (let turn = 0; !state.end; turn += 1) {
      assert.ok(turn < 400, 'the game does not end');
      // Somewhere else among the pits that can be played, then there.
      for (let step = 0; step <= turn % 3; step += 1) await page.keyboard.press('ArrowRight');
      const target = await page.evaluate(() => document.activeElement?.getAttribute('data-target'));
      assert.ok(target, `the focus is lost at turn ${turn}`);
      const player = state.active[0];
      if (!state.legal[player].some((mv) => mv.path[0] === target)) {
        await page.keyboard.press('ArrowLeft');
        await page.keyboard.press('ArrowUp');
        await page.keyboard.press('ArrowDown');
      }
      await page.keyboard.press('Enter');
      const before = state.ply;
      const end = Date.now() + 500;
      do state = await ask(page, 'show');
      while (state.ply === before && Date.now() < end);
    }
    await page.waitForFunction((text) => document.querySelector('.status').textContent === text, state.end.text);
  });
});

test('RoPaSci: two people choose hidden from each other, to the end', { skip: skip() }, async () => {
  const start = encodeURIComponent('4S/S5/7/8/9/1r6/7/6/5 2 9 357');
  await visit({ hash: `game=ropasci360&start=${start}` }, async (page) => {
    let state = await ask(page, 'show');
    for (let turn = 0; !state.end; turn += 1) {
      assert.ok(turn < 4, 'the game does not end');
      const upper = state.legal.p1[0];
      for (const target of upper.path) await click(page, target);
      await page.waitForSelector('.curtain:not([hidden])');
      // Nothing of the choice can be seen.
      const shown = await page.evaluate(() => document.body.innerText);
      assert.ok(!shown.includes(upper.move), shown);
      assert.equal(await page.locator('.area.chosen').count(), 0);
      await page.click('.curtain button');
      const lower = state.legal.p2[0];
      for (const target of lower.path) await click(page, target);
      state = await until(page, (now) => now.ply === turn + 1);
      assert.equal(state.turns[turn].moves.p1, upper.move);
    }
    assert.match(await page.textContent('.status'), /draw/i);
  });
});

test('a move is typed; an illegal one gets a sentence', { skip: skip() }, async () => {
  await visit({ hash: 'game=hus' }, async (page) => {
    await page.keyboard.press('m');
    await page.keyboard.type('23');
    await page.keyboard.press('Enter');
    await until(page, (state) => state.ply === 1);
    await page.fill('#entry', '<b>99</b>');
    await page.press('#entry', 'Enter');
    await page.waitForSelector('.notice span');
    assert.match((await notices(page))[0], /<b>99<\/b>/);
    assert.equal(await page.locator('.notice b').count(), 0);
    assert.equal((await ask(page, 'show')).ply, 1);
  });
});
