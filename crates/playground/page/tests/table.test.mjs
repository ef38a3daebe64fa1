// Taking back, redoing, links, set-ups, seats, bots against bots.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask, click, closeNotices, file, notices, ready, skip, until, visit } from './harness.mjs';

test('take back and redo go over the moves of a bot', { skip: skip() }, async () => {
  await visit({ hash: 'game=hus&first=you&second=random' }, async (page) => {
    await click(page, 'p1-12');
    await until(page, (state) => state.ply === 2);
    const replied = (await ask(page, 'show')).position;
    await click(page, await page.evaluate(() => document.querySelector('.area.can').dataset.target));
    await until(page, (state) => state.ply === 4);
    await page.keyboard.press('u');
    let state = await until(page, (now) => now.ply === 2);
    assert.equal(state.position, replied);
    assert.equal(state.plies, 4);
    await page.keyboard.press('u');
    await until(page, (now) => now.ply === 0);
    await page.keyboard.press('r');
    await until(page, (now) => now.ply === 2);
    await page.keyboard.press('End');
    await until(page, (now) => now.ply === 4);
    await page.keyboard.press('ArrowLeft');
    await until(page, (now) => now.ply === 3);
    // A bot does not move by itself in the past; it does when asked.
    await page.waitForTimeout(300);
    assert.equal((await ask(page, 'show')).plies, 4);
    await page.click('text=Let the bot play on from here');
    state = await until(page, (now) => now.ply === 4 && now.plies === 4);
    // Another move from the past forgets what came after it.
    await page.click('.moves button[aria-label^="2:"]');
    await until(page, (now) => now.ply === 2);
    await click(page, await page.evaluate(() => [...document.querySelectorAll('.area.can')].at(-1).dataset.target));
    await until(page, (now) => now.plies === 4);
  });
});

for (const [game, first] of [
  ['hus', ['p1-12']],
  ['colosseum&setup=size%3D6&seed=5', null],
  ['expendibots', ['b2', 'b3']],
]) {
  test(`a link holds the game: ${game}`, { skip: skip() }, async () => {
    await visit({ hash: `game=${game}&first=you&second=you` }, async (page) => {
      const start = await ask(page, 'show');
      const path = first ?? start.legal.p1[7].path;
      for (const target of path) await click(page, target);
      const state = await until(page, (now) => now.ply === 1);
      await page.waitForFunction((part) => location.hash.includes(part), state.link);
      const address = page.url();
      await page.goto('about:blank');
      await page.goto(address);
      await ready(page);
      const again = await until(page, (now) => now.ply === 1);
      for (const key of ['position', 'start', 'setup', 'seed', 'link']) assert.equal(again[key], state[key], key);
    });
  });
}

test('RoPaSci links hold both moves of a turn', { skip: skip() }, async () => {
  await visit({ hash: 'game=ropasci360' }, async (page) => {
    await ask(page, 'play', { turns: 's@i3|p@a7 i3h3|a7a8' });
    const { link, position } = await ask(page, 'show');
    await page.goto('about:blank');
    await page.goto(`file://${file}#${link}`);
    await ready(page);
    assert.equal((await until(page, (state) => state.ply === 2)).position, position);
  });
});

test('a link may be changed in the open page; broken links get a sentence', { skip: skip() }, async () => {
  await visit({ hash: 'game=hus&moves=12-99' }, async (page) => {
    await page.waitForSelector('.notice span');
    assert.match((await notices(page)).join(' '), /99/);
    assert.equal((await ask(page, 'show')).game, 'hus');
    for (const [hash, word] of [
      ['game=chess', /chess/],
      ['game=colosseum&setup=size%3D99', /99/],
      ['game=hus&moves=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E', /<img/],
      ['game=hus&start=1%2C2%2F3%200%200', /32/],
      ['game=hus&moves=%E0%A4%A', /./],
      ['game=hus&ply=many', /many/],
    ]) {
      const before = (await notices(page)).length;
      await page.evaluate((text) => {
        location.hash = text;
      }, hash);
      await page.waitForFunction((old) => document.querySelectorAll('.notice span').length > old || old >= 3, before);
      await page.waitForTimeout(100);
      assert.match((await notices(page)).at(-1), word, hash);
      await closeNotices(page);
    }
    assert.equal(await page.locator('.notice img').count(), 0);
    await page.evaluate(() => {
      location.hash = 'game=expendibots&moves=1a2a3';
    });
    await until(page, (state) => state.game === 'expendibots' && state.ply === 1);
  });
});

test('the dialog starts games with set-up, seed, seats and limits; what is wrong is said in it', { skip: skip() }, async () => {
  await visit({ hash: 'game=hus' }, async (page) => {
    await page.click('#new');
    const dialog = page.locator('dialog');
    await dialog.locator('select[aria-label=Game]').selectOption('colosseum');
    await dialog.locator('select[aria-label="Set-up"]').selectOption('size=6');
    await dialog.locator('input[aria-label=Seed]').fill('42');
    await dialog.locator('select[aria-label=B]').selectOption('greedy');
    await dialog.locator('input[aria-label=Position]').fill('nonsense <b>');
    await dialog.locator('button:has-text("Start")').click();
    await page.waitForFunction(() => document.querySelector('dialog .fault').textContent.length > 10);
    assert.equal(await dialog.locator('.fault b').count(), 0);
    await dialog.locator('input[aria-label=Position]').fill('');
    await dialog.locator('button:has-text("Start")').click();
    const state = await until(page, (now) => now.game === 'colosseum');
    assert.match(state.setup, /size=6/);
    assert.equal(state.seed, 42);
    assert.deepEqual(state.names, ['you', 'greedy']);
    assert.match(page.url(), /second=greedy/);
    await page.click('button[aria-label="Change who plays p2"]');
    await page.locator('dialog select[aria-label=B]').selectOption('random');
    await page.locator('dialog summary').click();
    await page.locator('dialog input[type=text]').fill('alphabeta:dept=3');
    await page.click('dialog button:has-text("Sit down")');
    const path = state.legal.p1[0].path;
    for (const target of path) await click(page, target);
    await page.waitForSelector('.notice span');
    assert.match((await notices(page)).join(), /dept/);
    assert.equal((await ask(page, 'show')).ply, 1);
  });
});

test('levels are offered with their strength, from a beginner to the champion', { skip: skip() }, async () => {
  await visit({}, async (page) => {
    for (const game of ['expendibots', 'ropasci360', 'hus', 'colosseum']) {
      await page.click('#new');
      await page.selectOption('dialog select[aria-label="Game"]', game);
      const levels = await page.locator('dialog optgroup[label="Levels"]').first().locator('option').allTextContents();
      assert.equal(levels.length, 8, `${game}: ${levels}`);
      const strengths = levels.map((name, at) => Number(new RegExp(`^level ${at + 1}, ([+-]?\\d+) Elo$`).exec(name)?.[1]));
      assert.ok(strengths.every((elo, at) => at === 0 || elo > strengths[at - 1]), `${game}: ${levels}`);
      await page.keyboard.press('Escape');
    }
  });
  await visit({ hash: 'game=hus&second=level:3' }, async (page) => {
    assert.match(await page.textContent('.players'), /North: level 3/);
    await page.click('#new');
    assert.equal(await page.locator('dialog select[aria-label="North"]').inputValue(), 'level:level=3');
  });
});

test('bots play each other, are held, and the same seed plays the same game', { skip: skip() }, async () => {
  const hash = 'game=hus&seed=9&first=alphabeta&second=mcts&limits=nodes%3D500%2Cplayouts%3D50';
  const games = [];
  for (let time = 0; time < 2; time += 1) {
    await visit({ hash }, async (page) => {
      await page.selectOption('select[aria-label="Speed of bots and replays"]', '0');
      await page.click('text=Start the bots');
      await until(page, (state) => state.ply >= 4);
      await page.click('#run');
      await page.waitForTimeout(200);
      const { ply } = await ask(page, 'show');
      await page.waitForTimeout(400);
      assert.equal((await ask(page, 'show')).ply, ply, 'held');
      await page.keyboard.press('p');
      const state = await until(page, (now) => now.ply > ply + 6 || now.end);
      games.push(state.turns.slice(0, 10).map((turn) => turn.text));
      assert.ok(Object.values(state.turns[0].thoughts).length > 0, 'thoughts are kept');
    });
  }
  assert.deepEqual(games[0].slice(0, 8), games[1].slice(0, 8));
});

test('the first visit shows the rules with pictures, once', { skip: skip() }, async () => {
  await visit({ known: false }, async (page) => {
    await page.waitForSelector('dialog[open] .prose figure svg');
    assert.match(await page.textContent('dialog'), /You win/);
    await page.click('#play');
    await page.reload();
    await ready(page);
    await page.waitForTimeout(300);
    assert.equal(await page.locator('dialog[open]').count(), 0);
  });
});
