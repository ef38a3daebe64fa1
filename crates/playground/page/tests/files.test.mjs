// Journals and saved games that are dropped on the page, whole, broken and hostile.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ask, closeNotices, drop, notices, skip, until, visit } from './harness.mjs';

const journal = readFileSync(join(dirname(fileURLToPath(import.meta.url)), 'data/journal.jsonl'), 'utf8');

test('a journal is dropped, its games listed, stepped through and played by themselves', { skip: skip() }, async () => {
  await visit({}, async (page) => {
    await drop(page, 'journal.jsonl', journal);
    await page.waitForSelector('#games button');
    assert.equal(await page.locator('#games button').count(), 6);
    const lines = journal.trim().split('\n').slice(1).map((line) => JSON.parse(line));
    for (const [at, line] of lines.entries()) {
      await page.locator('#games button').nth(at).click();
      const state = await until(page, (now) => now.game === line.game && now.start === line.start && now.ply === 0 && now.turns.map((turn) => turn.text).join(' ') === line.turns);
      assert.deepEqual(state.names, line.players);
    }
    const last = lines.at(-1);
    await page.keyboard.press('ArrowRight');
    await until(page, (now) => now.ply === 1);
    await page.selectOption('select[aria-label="Speed of bots and replays"]', '0');
    await page.keyboard.press('p');
    const end = await until(page, (now) => now.ply === last.plies);
    assert.equal(end.end.outcome, last.outcome);
    assert.match(await page.textContent('.players'), new RegExp(last.players[0]));
    // Nobody plays on in a game of others.
    await page.keyboard.press('Home');
    await until(page, (now) => now.ply === 0);
    await page.waitForTimeout(300);
    assert.equal((await ask(page, 'show')).plies, last.plies);
  });
});

test('a game is saved, dropped again, and is the same', { skip: skip() }, async () => {
  await visit({ hash: 'game=ropasci360&tool=game' }, async (page) => {
    await ask(page, 'play', { turns: 's@i3|p@a7 r@i2|s@a6' });
    const download = page.waitForEvent('download');
    await page.click('#save');
    const saved = readFileSync(await (await download).path(), 'utf8');
    await page.click('.games button[data-game=hus]');
    await until(page, (state) => state.game === 'hus');
    await drop(page, 'game.json', saved);
    const state = await until(page, (now) => now.game === 'ropasci360');
    assert.deepEqual(state.turns.map((turn) => turn.text), ['s@i3|p@a7', 'r@i2|s@a6']);
  });
});

test('broken and hostile files get a sentence and leave the page as it was', { skip: skip() }, async () => {
  const line = JSON.parse(journal.trim().split('\n')[1]);
  const evil = '<img src=x onerror="window.hurt=1"><script>window.hurt=1</script>';
  const cut = journal.slice(0, journal.length - 40);
  await visit({ hash: 'game=hus' }, async (page) => {
    const before = (await ask(page, 'show')).position;
    for (const text of ['', 'nothing of the kind', '{', '[]', '{"game":"chess","start":"x","turns":""}', JSON.stringify({ ...line, turns: '12 99' }), '\u0000\ufffd'.repeat(500)]) {
      await drop(page, `${evil}.jsonl`, text);
      await page.waitForSelector('.notice span');
      assert.match((await notices(page)).at(-1), /.{15}/);
      assert.equal((await ask(page, 'show')).position, before);
      await closeNotices(page);
    }
    await drop(page, 'cut.jsonl', cut);
    await page.waitForSelector('#games button');
    assert.equal(await page.locator('#games button').count(), 5);
    assert.match(await page.textContent('.toolbox'), /1 lines? that cannot be read/);
    // Names from outside are text wherever they are shown.
    await drop(page, 'evil.json', JSON.stringify({ ...line, players: [evil, evil], outcome: 'p1', reason: evil }));
    await until(page, (state) => state.names[0] === evil);
    await page.keyboard.press('End');
    await page.waitForTimeout(300);
    assert.ok((await page.textContent('.players')).includes('<img'));
    assert.equal(await page.evaluate(() => window.hurt), undefined);
    assert.equal(await page.locator('main img, dialog img').count(), 0);
  });
});

test('the graph shows the course, and the review finds mistakes to jump to', { skip: skip() }, async () => {
  await visit({ hash: 'game=hus&tool=game&moves=23-0-16-3-0-15' }, async (page) => {
    await page.click('#review');
    await page.waitForFunction(() => document.querySelectorAll('.graph .bad').length > 0 || /no turn lost/.test(document.querySelector('#tool').textContent), null, { timeout: 60_000 });
    assert.ok((await page.locator('.graph path').count()) > 3);
    const mistakes = page.locator('#tool .list button');
    if (await mistakes.count()) {
      const ply = Number((await mistakes.first().textContent()).split(':')[0]);
      await mistakes.first().click();
      await until(page, (state) => state.ply === ply - 1);
      assert.ok((await page.locator('.moves .mistake').count()) > 0);
    }
    const box = await page.locator('.graph').boundingBox();
    await page.mouse.click(box.x + box.width - 8, box.y + box.height / 2);
    await until(page, (state) => state.ply === 6);
  });
});
