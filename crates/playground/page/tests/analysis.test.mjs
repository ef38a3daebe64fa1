// The analysis: it starts, follows the position, stops, adds up, and never holds the page up.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask, click, skip, until, visit } from './harness.mjs';
import { tasksWhileSearching } from './trace.mjs';

const rows = (page) => page.locator('table[aria-label="Best moves"] tr');

/** Stops the search that runs, which takes at most 100 ms. */
async function stopsAtOnce(page) {
  assert.ok(await page.locator('#stop').isVisible(), `no search is under way: ${await page.textContent('#facts')}`);
  const took = await page.evaluate(
    () =>
      new Promise((done) => {
        const stop = document.querySelector('#stop');
        const start = performance.now();
        const watch = new MutationObserver(() => {
          if (!stop.hidden) return;
          watch.disconnect();
          done(performance.now() - start);
        });
        watch.observe(stop, { attributes: true });
        stop.click();
      }),
  );
  assert.ok(took < 100, `it took ${took} ms to stop`);
  assert.match(await page.textContent('#facts'), /stopped/);
}

for (const game of ['expendibots', 'hus', 'colosseum']) {
  test(`${game}: analysis starts, follows a move, stops within 100 ms`, { skip: skip() }, async () => {
    await visit({ hash: `game=${game}&seed=4` }, async (page) => {
      await page.keyboard.press('a');
      await rows(page).nth(2).waitFor();
      assert.ok((await page.locator('.marks .mark').count()) >= 3);
      assert.match(await page.textContent('#facts'), /nodes\/s/);
      const state = await ask(page, 'show');
      for (const target of state.legal.p1[0].path) await click(page, target);
      await until(page, (now) => now.ply === 1);
      await rows(page).nth(2).waitFor();
      // What is shown now is of the new position: its moves are legal there.
      const legal = (await ask(page, 'show')).legal.p2.map((mv) => mv.move);
      const shown = await page.locator('table[aria-label="Best moves"] td.wrap button:first-child').allTextContents();
      for (const move of shown) assert.ok(legal.includes(move), `${move} is not legal now`);
      await stopsAtOnce(page);
      await page.keyboard.press('a');
      await page.waitForSelector('.evalbar', { state: 'hidden' });
      assert.equal(await page.locator('.marks .mark').count(), 0);
    });
  });
}

test('an expected line is shown on hover, kept by a click, stepped through and left', { skip: skip() }, async () => {
  await visit({ hash: 'game=hus' }, async (page) => {
    await page.keyboard.press('a');
    await page.waitForFunction(() => document.querySelectorAll('td.wrap:first-of-type button').length > 2 || document.querySelectorAll('tr.best td.wrap button').length > 2);
    if (await page.locator('#stop').isVisible()) await page.click('#stop');
    const second = page.locator('tr.best td.wrap button').nth(1);
    await second.hover();
    await page.waitForSelector('text=/Looking ahead: 2 of/');
    await page.mouse.move(5, 5);
    await page.waitForSelector('text=/Looking ahead/', { state: 'detached' });
    await second.click();
    await page.waitForSelector('text=Back to the game');
    await page.keyboard.press('ArrowLeft');
    await page.waitForSelector('text=/Looking ahead: 1 of/');
    assert.equal((await ask(page, 'show')).ply, 0);
    await page.keyboard.press('Escape');
    await page.waitForSelector('text=/Looking ahead/', { state: 'detached' });
    await second.click();
    await page.click('text=Play these');
    await until(page, (state) => state.ply === 2);
  });
});

test('RoPaSci: both strategies add up to one and lie on the board; the matrix comes on request', { skip: skip() }, async () => {
  const start = encodeURIComponent('5/6/5s1/4R4/3P5/5r2/2p5/6/5 2 3 4');
  await visit({ hash: `game=ropasci360&start=${start}` }, async (page) => {
    await page.keyboard.press('a');
    await page.waitForSelector('#mixed');
    await page.waitForTimeout(1500);
    if (await page.locator('#stop').isVisible()) await page.click('#stop');
    const sums = await page.evaluate(() =>
      [...document.querySelectorAll('#mixed table')].map((table) => [...table.querySelectorAll('[data-share]')].reduce((sum, cell) => sum + Number(cell.dataset.share), 0)),
    );
    assert.equal(sums.length, 2);
    for (const sum of sums) assert.ok(Math.abs(sum - 1) < 1e-3, `the shares add up to ${sum}`);
    assert.match(await page.textContent('#tool'), /value [+−]?\d\.\d\d for Upper/);
    assert.match(await page.textContent('#tool'), /gap \d/);
    const circles = await page.evaluate(() => [...document.querySelectorAll('.marks circle')].map((circle) => Number(circle.getAttribute('r'))));
    assert.ok(circles.length >= 2);
    await page.click('#matrix');
    await page.waitForSelector('table.matrix td', { timeout: 60_000 });
    assert.equal(await page.locator('table.matrix tbody tr').count(), (await page.locator('table.matrix td').count()) / ((await page.locator('table.matrix thead th').count()) - 1));
  });
});

test('RoPaSci: analysis starts, follows a turn, stops within 100 ms', { skip: skip() }, async () => {
  await visit({ hash: 'game=ropasci360&first=you&second=you' }, async (page) => {
    await page.keyboard.press('a');
    await page.waitForSelector('#mixed');
    const before = await ask(page, 'show');
    // A turn of both: the page follows the link that holds it.
    await page.evaluate((hash) => (location.hash = hash), `${before.link}&moves=s@i3,p@a7`);
    const state = await until(page, (now) => now.ply === 1);
    // From then on the page shows nothing of the turn before.
    await page.waitForFunction(() => /s@i3/.test(document.querySelector('.moves .on')?.textContent ?? ''));
    await page.waitForSelector('#mixed');
    for (const [at, player] of ['p1', 'p2'].entries()) {
      const shown = await page.locator('#mixed table').nth(at).locator('td:first-child').allTextContents();
      assert.ok(shown.length > 0);
      for (const move of shown) assert.ok(state.legal[player].some((mv) => mv.move === move), `${move} is not legal now`);
    }
    await stopsAtOnce(page);
    await page.keyboard.press('a');
    await page.waitForSelector('.evalbar', { state: 'hidden' });
    assert.equal(await page.locator('.marks .mark').count(), 0);
  });
});

for (const game of ['expendibots', 'ropasci360', 'hus', 'colosseum']) {
  test(`${game}: no frame is long while a search runs`, { skip: skip() }, async () => {
    await visit({ hash: `game=${game}&seed=4` }, async (page, context) => {
      // What the page's own thread computes in one go: on a loaded machine frames are late without anybody's fault.
      const [longest] = await tasksWhileSearching(page, context);
      assert.ok(longest.own < 50, `a task of ${longest.own} ms (${longest.wall} ms passed)`);
    });
  });
}
