// The speed of the built page: rows of `cargo xtask compare`, one JSON object on a line. Searches in the page's workers against the same
// searches of this machine's own program, in turn and to equal counts; how soon one can move; how long the page holds a frame up.
//
//   node tests/speed.mjs [NAME] [--list]
//
// PAGE is the page, ENGINE the program (the example `engine` of the crate `playground`, built with full optimisation).

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { processorTime } from './processor.mjs';
import { ask, skip, visit } from './harness.mjs';
import { roundsOf, rowOf } from './row.mjs';
import { tasksWhileSearching } from './trace.mjs';

/** What a search in the page has to reach of the native speed. */
const TARGET = 0.5;
/** How long the page may take until one can move, and how long it may hold up a frame, in seconds. */
const OPENING = 1.5;
const FRAME = 0.05;
/** Turns of a random game before the position that is searched. */
const TURNS = 6;

/** For each game bots and how much they search, so that each takes a good part of a second. */
const SEARCHES = {
  expendibots: [['champion', 'nodes=1000000'], ['alphabeta', 'nodes=1500000'], ['mcts:iterations=40000', 'playouts=1000000']],
  ropasci360: [['champion', 'nodes=600000'], ['nash', 'nodes=1500000'], ['mcts', 'playouts=100000']],
  hus: [['champion', 'nodes=2000000'], ['alphabeta', 'nodes=1500000'], ['mcts', 'playouts=80000']],
  colosseum: [['champion', 'nodes=2000000'], ['alphabeta', 'nodes=3000000'], ['mcts', 'playouts=200000']],
};

const rows = [
  ...Object.entries(SEARCHES).map(([game, searches]) => ({ name: `page-nodes-${game}`, measure: () => searchRow(game, searches) })),
  { name: 'page-open', measure: openRow },
  { name: 'page-frames', measure: framesRow },
];

/** The program that searches as the page does. */
class Native {
  constructor() {
    this.process = spawn(process.env.ENGINE, { stdio: ['pipe', 'pipe', 'inherit'] });
    this.lines = createInterface({ input: this.process.stdout })[Symbol.asyncIterator]();
    this.next = 1;
  }

  async ask(kind, body = {}) {
    this.process.stdin.write(`${JSON.stringify({ id: this.next++, do: kind, ...body })}\n`);
    const { value, done } = await this.lines.next();
    assert.ok(!done, 'the program ended');
    const answer = JSON.parse(value);
    assert.ok('done' in answer, `${kind}: ${value}`);
    return answer;
  }

  end() {
    this.process.stdin.end();
  }
}

/** Searches of one game: that which is slowest beside the native one counts. */
async function searchRow(game, searches) {
  const native = new Native();
  try {
    const measured = await visit({ hash: `game=${game}` }, async (page) => {
      const list = [];
      for (const [bot, limits] of searches) list.push(await searchOf(page, native, game, bot, limits));
      return list;
    });
    const slowest = measured.reduce((least, each) => (each.ratio < least.ratio ? each : least));
    const words = measured.map(({ bot, unit, count, depth, ratio }) => `${bot} ${count} ${unit}${depth ? ` (depth ${depth})` : ''} ${ratio.toFixed(2)}`);
    const about = `searches in the page's workers, ${TURNS} turns into a random game: ${words.join(', ')}; the row is ${slowest.bot}`;
    return { ...slowest.row, name: `page-nodes-${game}`, about };
  } finally {
    native.end();
  }
}

/** One search, in the page and by the program in turn. */
async function searchOf(page, native, game, bot, limits) {
  const here = (kind, body) => ask(page, kind, body);
  const there = async (kind, body) => (await native.ask(kind, body)).done;
  for (const engine of [here, there]) await afterRandomTurns(engine, game);
  let seed = 0;
  let thought;
  const round = async () => {
    const [position] = [await here('show'), await there('show')];
    const request = { player: position.active[0], bot, limits, seed };
    seed += 1;
    const before = processorTime();
    const found = await here('think', request);
    const ours = processorTime() - before;
    const answer = await native.ask('think', request);
    assert.deepEqual(summary(found), summary(answer.done), `${game}, ${bot}, ${limits}: the page and the program found different things`);
    ({ thought } = found);
    const count = thought.playouts || thought.nodes;
    return { ours: count / ours, theirs: count / answer.processor };
  };
  // The first round warms both up.
  await round();
  const rounds = await roundsOf(TARGET, round);
  const unit = thought.playouts ? 'playouts' : 'nodes';
  const row = rowOf({ name: '', about: '', unit, against: 'native', target: TARGET, clock: 'cpu' }, rounds, { count: thought[unit] });
  return { bot, unit, depth: thought.playouts ? 0 : thought.depth, count: thought[unit], ratio: row.ratio, row };
}

async function afterRandomTurns(engine, game) {
  let state = await engine('new', { game, seed: 1 });
  for (let turn = 0; turn < TURNS; turn += 1) {
    for (const player of state.active) {
      const { move } = await engine('think', { player, bot: 'random', limits: 'nodes=1', seed: 3 });
      state = await engine('play', { player, move });
    }
  }
}

function summary({ move, thought: { nodes, playouts, depth } }) {
  return { move, nodes, playouts, depth };
}

/** From opening the file to the first move that can be played. */
async function openRow() {
  const options = {
    known: false,
    script: () => {
      const watch = new MutationObserver(() => {
        if (!document.querySelector('.area.can')) return;
        watch.disconnect();
        window.firstMove = performance.now();
      });
      watch.observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: ['class'] });
    },
  };
  const rounds = await roundsOf(1, async () => {
    const took = await visit(options, async (page) => (await page.waitForFunction(() => window.firstMove)).jsonValue());
    return { ours: 1000 / took, theirs: 1 / OPENING };
  });
  const about = `from opening the file, with an empty profile, to the first move one can play; ${OPENING} s are allowed`;
  return rowOf({ name: 'page-open', about, unit: 'openings', against: 'the limit', target: 1, clock: 'wall' }, rounds);
}

/** The longest task of the page's own thread while the analysis runs and the game goes on under it: a round for each game. */
async function framesRow() {
  const tasks = [];
  for (const game of Object.keys(SEARCHES)) {
    const [task] = await visit({ hash: `game=${game}&seed=4` }, (page, context) => tasksWhileSearching(page, context));
    tasks.push({ ...task, game });
  }
  const longest = tasks.reduce((most, each) => (each.own > most.own ? each : most));
  const about = `the longest task of the page's own thread in 3 s of analysis and four turns: ${longest.own.toFixed(0)} ms in ${longest.game} \
(${longest.wall.toFixed(0)} ms passed); ${1000 * FRAME} ms are allowed`;
  const rounds = tasks.map(({ own }) => ({ ours: 1000 / own, theirs: 1 / FRAME }));
  return rowOf({ name: 'page-frames', about, unit: 'frames', against: 'the limit', target: 1, clock: 'cpu' }, rounds, { worst: true });
}

async function main() {
  const list = process.argv.includes('--list');
  const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
  for (const { name, measure } of rows) {
    if (wanted.length && !wanted.some((part) => name.startsWith(part))) continue;
    if (list) {
      console.log(name);
      continue;
    }
    const why = skip();
    if (why) {
      console.error(`${name} is left out: ${why}`);
      continue;
    }
    console.log(JSON.stringify(await measure()));
  }
}

await main();
