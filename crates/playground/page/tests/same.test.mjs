// For a seed and limits in counts the page plays the same games as this machine does by itself: move by move, node by node.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { root, skip, visit } from './harness.mjs';

/** Games of each game, played to their ends: no game lasts longer than so many turns. */
const GAMES = process.env.GAMES ?? '20';
const TURNS = process.env.TURNS ?? '500';

test('games of bots are those of the native program', { skip: skip() }, async () => {
  const native = spawnSync('cargo', ['run', '--quiet', '--locked', '-p', 'playground', '--example', 'games', '--', GAMES, TURNS], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  assert.equal(native.status, 0, native.stderr);
  const games = native.stdout.trim().split('\n').map((line) => JSON.parse(line));
  assert.ok(games.length >= 4 * Number(GAMES) && games.every((game) => game.thoughts.length > 0));
  if (!process.env.TURNS) assert.deepEqual(games.filter((game) => !game.end), [], 'every game comes to its end');
  await visit({}, async (page) => {
    for (const game of games) {
      const played = await page.evaluate(async ({ game: name, setup, seed, bots, limits, turns }) => {
        const done = async (kind, body) => {
          const answer = await window.gamesearch.ask(kind, body);
          if (!('done' in answer)) throw new Error(`${kind}: ${JSON.stringify(answer)}`);
          return answer.done;
        };
        let state = await done('new', { game: name, setup, seed });
        const thoughts = [];
        for (let turn = 0; turn < turns; turn += 1) {
          for (const player of state.active) {
            const bot = bots[player === 'p2' ? 1 : 0];
            const { move, thought } = await done('think', { player, bot, limits, seed });
            thoughts.push([move, thought?.nodes ?? null, thought?.playouts ?? null, thought?.score.text ?? null]);
            state = await done('play', { player, move });
          }
        }
        return { thoughts, position: state.position, end: state.end };
      }, game);
      const { thoughts, position, end } = game;
      assert.deepEqual(played, { thoughts, position, end }, `${game.game} ${game.setup}, seed ${game.seed}: ${game.bots.join(' against ')}`);
    }
  });
});
