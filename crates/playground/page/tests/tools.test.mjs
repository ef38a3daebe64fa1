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

/** The page with an engine that traps when a message holds `word`, without a word of why. */
function trapping(word) {
  return changed(`{const Real=WebAssembly.Instance;let trap=false;
addEventListener('message',(event)=>{if(typeof event.data==='string'&&event.data.includes(${JSON.stringify(word)}))trap=true;});
WebAssembly.Instance=function(module,imports){const real=new Real(module,imports);
return{exports:{memory:real.exports.memory,reserve:real.exports.reserve,handle(){
if(trap){trap=false;throw new WebAssembly.RuntimeError('unreachable');}real.exports.handle();}}};};}`);
}

/** The page with an engine that has hardly any memory left: what is asked for beyond it cannot be had, as on a small machine. */
function withLittleMemory(mebibytes) {
  return changed(`{const Real=WebAssembly.Instance;
WebAssembly.Instance=function(module,imports){const real=new Real(module,imports);const {memory}=real.exports;
const left=65536-memory.buffer.byteLength/65536-${16 * mebibytes};memory.grow(left);return real;};}`);
}

test('an engine that breaks is started again, the user is told, and the game goes on', { skip: skip() }, async () => {
  await visit({ hash: 'game=hus&tool=game', html: skip() ? file : trapping('"do":"save"') }, async (page) => {
    await click(page, 'p1-12');
    const before = await until(page, (state) => state.ply === 1);
    await page.click('#save');
    await page.waitForFunction(() => document.querySelectorAll('.notice span').length >= 2);
    const told = (await notices(page)).join(' ');
    assert.match(told, /memory/);
    assert.match(told, /started again/);
    const after = await until(page, (state) => state.ply === 1);
    assert.equal(after.position, before.position);
    await click(page, await page.evaluate(() => document.querySelector('.area.can').dataset.target));
    await until(page, (state) => state.ply === 2);
  });
});

test('a file that memory cannot hold: the engine is started again, and the game goes on', { skip: skip() }, async () => {
  await visit({ hash: 'game=hus', html: skip() ? file : withLittleMemory(8) }, async (page) => {
    await click(page, 'p1-12');
    const before = await until(page, (state) => state.ply === 1);
    await page.evaluate((length) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File(['x'.repeat(length)], 'large.jsonl'));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true }));
    }, 20 << 20);
    await page.waitForFunction(() => document.querySelectorAll('.notice span').length >= 2);
    const told = (await notices(page)).join(' ');
    assert.match(told, /out of memory \(4096 MiB in use\)/);
    assert.match(told, /started again/);
    assert.equal((await until(page, (state) => state.ply === 1)).position, before.position);
    await click(page, await page.evaluate(() => document.querySelector('.area.can').dataset.target));
    await until(page, (state) => state.ply === 2);
  });
});

test('a search that breaks fails alone', { skip: skip() }, async () => {
  await visit({ hash: 'game=hus', html: skip() ? file : trapping('\\"do\\":\\"analyse\\"') }, async (page) => {
    await page.keyboard.press('a');
    await page.waitForSelector('.notice span');
    await page.waitForSelector('#tool .fault');
    assert.match(await page.textContent('#tool .fault'), /memory/);
    await click(page, 'p1-12');
    await until(page, (state) => state.ply === 1);
  });
});

test('a bot with a table that no page can hold gets a sentence, and gives way to another', { skip: skip() }, async () => {
  for (const mebibytes of [3000, 65536]) {
    await visit({ hash: `game=hus&first=you&second=champion:hash=${mebibytes}` }, async (page) => {
      await click(page, 'p1-12');
      const { position } = await until(page, (state) => state.ply === 1);
      await page.waitForFunction(() => document.querySelectorAll('.notice span').length >= 1);
      const told = (await notices(page)).join(' ');
      assert.match(told, /no memory for a table of \d{4} MiB \(crates\/search-core\/src\/\S+\.rs:\d+\)/);
      // The game stands where it stood; a smaller bot sits down and plays on.
      assert.equal((await ask(page, 'show')).position, position);
      await page.click('button[aria-label="Change who plays p2"]');
      await page.selectOption('dialog select[aria-label=North]', 'greedy');
      await page.click('dialog button:has-text("Sit down")');
      await until(page, (state) => state.ply === 2);
    });
  }
});

test('a search whose memory runs out says so and leaves the page usable', { skip: skip() }, async () => {
  // The tree may take 1 GiB, and there are 24 MiB: growing it is what fails.
  await visit({ hash: 'game=hus', html: skip() ? file : withLittleMemory(24) }, async (page) => {
    const answer = await page.evaluate(() =>
      window.gamesearch.ask('think', { player: 'p1', bot: 'mcts:memory=1024', limits: 'playouts=100000000' }),
    );
    assert.match(answer.failed ?? JSON.stringify(answer), /the search ended: out of memory \(4096 MiB in use\)/);
    await page.waitForSelector('.notice span');
    assert.match((await notices(page)).join(' '), /A search stopped \(out of memory/);
    const { move } = await ask(page, 'think', { player: 'p1', bot: 'mcts', limits: 'playouts=200' });
    await ask(page, 'play', { player: 'p1', move });
    assert.equal((await ask(page, 'show')).ply, 1);
  });
});
