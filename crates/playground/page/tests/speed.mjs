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
import { tasksWhileSearching } from './trace.mjs';

const ROUNDS = 5;
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
    return {
      about: `searches in the page's workers, ${TURNS} turns into a random game: ${words.join(', ')}; the row is ${slowest.bot}`,
      unit: slowest.unit,
      ours: slowest.count / slowest.ours,
      seconds: slowest.ours,
      against: 'native',
      theirs: slowest.count / slowest.theirs,
      ratio: slowest.ratio,
      target: { ratio: 0.5 },
      clock: 'cpu',
    };
  } finally {
    native.end();
  }
}

/** One search, in the page and by the program in turn. */
async function searchOf(page, native, game, bot, limits) {
  const here = (kind, body) => ask(page, kind, body);
  const there = async (kind, body) => (await native.ask(kind, body)).done;
  for (const engine of [here, there]) await afterRandomTurns(engine, game);
  const rounds = [];
  for (let seed = 0; seed <= ROUNDS; seed += 1) {
    const [position] = [await here('show'), await there('show')];
    const request = { player: position.active[0], bot, limits, seed };
    const before = processorTime();
    const found = await here('think', request);
    const ours = processorTime() - before;
    const answer = await native.ask('think', request);
    assert.deepEqual(summary(found), summary(answer.done), `${game}, ${bot}, ${limits}: the page and the program found different things`);
    // The first round warms both up.
    if (seed > 0) rounds.push({ ours, theirs: answer.processor, thought: found.thought });
  }
  const { thought } = rounds[0];
  const unit = thought.playouts ? 'playouts' : 'nodes';
  return {
    bot,
    unit,
    depth: thought.playouts ? 0 : thought.depth,
    count: thought[unit],
    ours: median(rounds.map((round) => round.ours)),
    theirs: median(rounds.map((round) => round.theirs)),
    ratio: median(rounds.map((round) => round.theirs / round.ours)),
  };
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
  const times = [];
  for (let round = 0; round < ROUNDS; round += 1) {
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
    times.push(await visit(options, async (page) => (await page.waitForFunction(() => window.firstMove)).jsonValue()));
  }
  const seconds = median(times) / 1000;
  return { about: 'from opening the file, with an empty profile, to the first move one can play', unit: 'openings', ours: 1 / seconds, seconds, against: null, theirs: null, ratio: null, target: { seconds: 1.5 }, clock: 'wall' };
}

/** The longest task of the page's own thread while the analysis runs and the game goes on under it. */
async function framesRow() {
  const longest = { own: 0, wall: 0, game: '' };
  for (const game of Object.keys(SEARCHES)) {
    const [task] = await visit({ hash: `game=${game}&seed=4` }, (page, context) => tasksWhileSearching(page, context));
    if (task.own > longest.own) Object.assign(longest, task, { game });
  }
  const seconds = longest.own / 1000;
  return {
    about: `the longest task of the page's own thread in 3 s of analysis and four moves, ${longest.game} (processor time; ${longest.wall.toFixed(0)} ms passed)`,
    unit: 'frames',
    ours: 1 / seconds,
    seconds,
    against: null,
    theirs: null,
    ratio: null,
    target: { seconds: 0.05 },
    clock: 'cpu',
  };
}

function median(values) {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

function met({ target, ratio, seconds }) {
  return 'ratio' in target ? ratio >= target.ratio : seconds <= target.seconds;
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
    const row = await measure();
    console.log(JSON.stringify({ name, ...row, met: met(row) }));
  }
}

await main();
