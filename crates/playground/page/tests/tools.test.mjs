// The sandbox of the rules, the look into searches, and an engine that breaks.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ask, click, file, notices, skip, until, visit } from './harness.mjs';

test('positions are set up by text: what is illegal is said in words', { skip: skip() }, async () => {
  await visit({ hash: 'game=expendibots&tool=setup' }, async (page) => {
    await page.waitForFunction(() => document.querySelector('#verdict').textContent.startsWith('Legal'));
    await page.fill('#setup', '8/8/2a5/3A4/8/8/8/8 b 96');
    await page.waitForFunction(() => /expected the side `w` to move after 96 plies/.test(document.querySelector('#verdict').textContent));
    assert.ok(await page.locator('#playfrom').isDisabled());
    await page.fill('#setup', '8/8/2a5/3A4/8/8/8/8 w 96');
    await page.waitForFunction(() => document.querySelector('#verdict').textContent.startsWith('Legal'));
    assert.match(await page.inputValue('textarea[aria-label="A line for a test"]'), /^8\/8\/2a5/);
    await page.click('#playfrom');
    const state = await until(page, (now) => now.start === '8/8/2a5/3A4/8/8/8/8 w 96');
    assert.equal(state.ply, 0);
    await click(page, 'd5');
    await page.click('[data-loose=boom]');
    await until(page, (now) => now.end);
  });
});

test('positions are set up by hand', { skip: skip() }, async () => {
  await visit({ hash: 'game=hus&tool=setup' }, async (page) => {
    await page.waitForFunction(() => document.querySelector('#verdict').textContent.startsWith('Legal'));
    await page.click('[data-brush=less]');
    await click(page, 'p1-3');
    await page.waitForFunction(() => !/^2,2,2,2,/.test(document.querySelector('#setup').value));
    await page.click('[data-brush=more]');
    await click(page, 'p2-31');
    await page.waitForFunction(() => /,1 0 0$/.test(document.querySelector('#setup').value) && document.querySelector('#verdict').textContent.startsWith('Legal'));
    assert.match(await page.inputValue('#setup'), /^2,2,2,1,.*,1 0 0$/);
    // The game itself has not moved.
    assert.equal((await ask(page, 'show')).ply, 0);
    await page.click('#playfrom');
    await until(page, (now) => now.start.startsWith('2,2,2,1,'));
    await click(page, 'p1-12');
    await until(page, (now) => now.ply === 1);
  });
  await visit({ hash: 'game=colosseum&setup=size%3D6&seed=2&tool=setup' }, async (page) => {
    const before = await page.inputValue('#setup');
    await page.click('[data-brush=side]');
    await page.waitForFunction((old) => document.querySelector('#setup').value !== old, before);
    assert.match(await page.inputValue('#setup'), / b 1$/);
  });
});

for (const [game, bot] of [
  ['hus', 'mcts'],
  ['expendibots', 'alphabeta'],
]) {
  test(`the tree of ${bot} in ${game} opens node by node`, { skip: skip() }, async () => {
    await visit({ hash: `game=${game}&tool=search` }, async (page) => {
      await page.selectOption('select[aria-label=Search]', bot);
      await page.selectOption('select[aria-label="How much"]', '500');
      await page.click('#grow');
      const opener = page.locator('.tree button[aria-expanded]').first();
      await opener.waitFor();
      const legal = (await ask(page, 'show')).legal.p1.map((mv) => mv.move);
      assert.ok(legal.includes(await page.locator('.tree .node button').nth(1).textContent()));
      await opener.click();
      await page.waitForSelector('.tree ul ul li');
      await page.locator('.tree .node').first().hover();
      await page.waitForSelector('text=/Looking ahead: 1 of 1/');
    });
  });
}

test('the four phases of Monte Carlo tree search, one by one', { skip: skip() }, async () => {
  await visit({ hash: 'game=hus&tool=search' }, async (page) => {
    await page.selectOption('#look', 'lesson');
    for (const phase of ['Selection', 'Expansion', 'Simulation', 'Backup']) {
      await page.click('#nextphase');
      await page.waitForFunction((name) => document.querySelector('.phases .on')?.textContent.endsWith(name), phase);
    }
    await page.click('button[aria-label="100 iterations"]');
    await page.waitForFunction(() => /Iteration 101\./.test(document.querySelector('#phase').textContent));
    assert.ok((await page.locator('.lesson circle').count()) > 20);
  });
});

test('alpha-beta on the tree of the textbook: 3, with two leaves cut', { skip: skip() }, async () => {
  await visit({ hash: 'tool=search.textbook' }, async (page) => {
    await page.waitForSelector('.textbook polygon');
    const words = new Set();
    for (let step = 0; step < 60; step += 1) {
      await page.click('#textbooknext');
      words.add((await page.textContent('#textbookstep')).replace(/^.*?\. /, ''));
    }
    assert.ok([...words].some((text) => text.startsWith('Cut: node 2 ')), [...words].join('\n'));
    assert.ok([...words].at(-1).startsWith('The root is done: 3'), [...words].at(-1));
    assert.equal(await page.locator('.textbook .box.cut').count(), 2);
    await page.fill('#treetext', '((1 2) x)');
    await page.press('#treetext', 'Tab');
    await page.waitForSelector('#textbookstep.fault');
    assert.match(await page.textContent('#textbookstep'), /x/);
  });
});

/** The built page with a script of the test's own in front of each worker's. */
function changed(script) {
  const html = readFileSync(file, 'utf8');
  const place = /<script id="worker" type="text\/plain">/;
  assert.match(html, place);
  const path = join(mkdtempSync(join(tmpdir(), 'gamesearch-changed-')), 'page.html');
  writeFileSync(path, html.replace(place, (tag) => tag + script));
  return path;
}

/** The page with an engine to which `what` is done when a message holds `word`; `what` sees its `exports`. */
function disturbed(word, what) {
  return changed(`{const Real=WebAssembly.Instance;let now=false;
addEventListener('message',({data})=>{if(typeof data==='string'&&data.includes(${JSON.stringify(word)}))now=true;});
WebAssembly.Instance=function(module,imports){const {exports}=new Real(module,imports);
return{exports:{memory:exports.memory,reserve(length){if(now){now=false;${what}}return exports.reserve(length);},handle(){exports.handle();}}};};}`);
}

/** An engine that panics: it is asked for a buffer that is larger than any. */
function panicking(word) {
  return disturbed(word, 'exports.reserve(-1);');
}

/** An engine that has so much memory left and no more, as on a small machine. */
function starving(word, mebibytes) {
  return disturbed(word, `const {memory}=exports;memory.grow(65536-memory.buffer.byteLength/65536-${16 * mebibytes});`);
}

test('an engine that panics is started again, the user is told, and the game goes on', { skip: skip() }, async () => {
  await visit({ hash: 'game=hus&tool=game', html: skip() ? file : panicking('"do":"save"') }, async (page) => {
    await click(page, 'p1-12');
    const before = await until(page, (state) => state.ply === 1);
    await page.click('#save');
    await page.waitForFunction(() => document.querySelectorAll('.notice span').length >= 2);
    const told = (await notices(page)).join(' ');
    assert.match(told, /capacity overflow \(\S+\.rs:\d+\)/);
    assert.match(told, /started again/);
    const after = await until(page, (state) => state.ply === 1);
    assert.equal(after.position, before.position);
    await click(page, await page.evaluate(() => document.querySelector('.area.can').dataset.target));
    await until(page, (state) => state.ply === 2);
  });
});

test('a file that memory cannot hold: the engine is started again, and the game goes on', { skip: skip() }, async () => {
  await visit({ hash: 'game=hus', html: skip() ? file : starving('"do":"open"', 8) }, async (page) => {
    await click(page, 'p1-12');
    const before = await until(page, (state) => state.ply === 1);
    await page.evaluate((length) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File(['x'.repeat(length)], 'large.jsonl'));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true }));
    }, 20 << 20);
    await page.waitForFunction(() => document.querySelectorAll('.notice span').length >= 2);
    const told = (await notices(page)).join(' ');
    assert.match(told, /out of memory \(40\d\d MiB in use\)/);
    assert.match(told, /started again/);
    assert.equal((await until(page, (state) => state.ply === 1)).position, before.position);
    await click(page, await page.evaluate(() => document.querySelector('.area.can').dataset.target));
    await until(page, (state) => state.ply === 2);
  });
});

for (const [what, html, why] of [
  ['panics', () => panicking('\\"do\\":\\"analyse\\"'), /the search ended: capacity overflow/],
  ['has no memory left', () => starving('\\"do\\":\\"analyse\\"', 0), /the search ended: out of memory \(4096 MiB in use\)/],
]) {
  test(`a search that ${what} fails alone, and the next one begins anew`, { skip: skip() }, async () => {
    await visit({ hash: 'game=hus', html: skip() ? file : html() }, async (page) => {
      await page.selectOption('select[aria-label="Which search"]', 'champion');
      await page.keyboard.press('a');
      await page.waitForSelector('#tool .fault');
      assert.match(await page.textContent('#tool .fault'), why);
      assert.match((await notices(page)).join(' '), /A search stopped .*; the next one starts anew/);
      // The game goes on, and bots in it think: only the worker of the analysis is gone.
      await click(page, 'p1-12');
      await until(page, (state) => state.ply === 1);
      const { move } = await ask(page, 'think', { player: 'p2', bot: 'champion', limits: 'nodes=500' });
      await ask(page, 'play', { player: 'p2', move });
      assert.equal((await ask(page, 'show')).ply, 2);
    });
  });
}

test('a bot that asks for more memory than any page has plays all the same', { skip: skip() }, async () => {
  await visit({ hash: 'game=hus&first=you&second=champion:hash=65536&limits=nodes%3D2000' }, async (page) => {
    await click(page, 'p1-12');
    await until(page, (state) => state.ply === 2);
    await click(page, await page.evaluate(() => document.querySelector('.area.can').dataset.target));
    await until(page, (state) => state.ply === 4);
    assert.deepEqual(await notices(page), []);
  });
});
