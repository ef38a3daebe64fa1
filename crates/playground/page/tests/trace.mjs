// What the page's main thread does while something goes on, by the browser's own trace: each task with the time that passed and the
// processor time it took. On a busy machine a task may wait for a processor; what it computes is its own.

import { ask } from './harness.mjs';

/** Runs `work` and gives the tasks of the page's main thread meanwhile: `{ wall, own }`, in milliseconds, the longest own time first. */
export async function tasksOf(context, page, work) {
  const session = await context.newCDPSession(page);
  const events = [];
  session.on('Tracing.dataCollected', ({ value }) => events.push(...value));
  await session.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { includedCategories: ['devtools.timeline', 'disabled-by-default-devtools.timeline'] } });
  try {
    await work();
  } finally {
    const complete = new Promise((done) => session.once('Tracing.tracingComplete', done));
    await session.send('Tracing.end');
    await complete;
    await session.detach();
  }
  const main = mainThread(events);
  const tasks = events.filter((event) => event.ph === 'X' && event.name === 'RunTask' && `${event.pid} ${event.tid}` === main);
  return tasks.map((task) => ({ wall: task.dur / 1000, own: (task.tdur ?? task.dur) / 1000 })).sort((one, other) => other.own - one.own);
}

/** The thread that drew frames of the page. */
function mainThread(events) {
  const drawn = new Map();
  for (const event of events) {
    if (event.name !== 'FireAnimationFrame' && event.name !== 'Paint' && event.name !== 'UpdateLayoutTree') continue;
    const thread = `${event.pid} ${event.tid}`;
    drawn.set(thread, (drawn.get(thread) ?? 0) + 1);
  }
  return [...drawn].sort((one, other) => other[1] - one[1])[0]?.[0] ?? '';
}

/** Analyses, and plays four turns meanwhile; the tasks of the page's thread. */
export async function tasksWhileSearching(page, context) {
  return tasksOf(context, page, async () => {
    await page.keyboard.press('a');
    await page.waitForTimeout(1000);
    for (let turn = 0; turn < 4; turn += 1) {
      const { link, active, legal } = await ask(page, 'show');
      const turns = active.map((player) => legal[player][0].move).join('|');
      await page.evaluate((hash) => (location.hash = hash), playedOn(link, turns));
      await page.waitForTimeout(500);
    }
    await page.keyboard.press('a');
  });
}

/** The link of the game after another turn. */
function playedOn(link, turn) {
  const fields = new URLSearchParams(link);
  const moves = fields.get('moves');
  fields.set('moves', moves ? `${moves}-${turn}` : turn);
  fields.delete('ply');
  return fields.toString();
}
