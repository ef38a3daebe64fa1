// A narrow screen with fingers, light and dark, and what those hear who do not see.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask, click, middle, skip, until, visit } from './harness.mjs';

const PHONE = { width: 360, height: 740, hasTouch: true, isMobile: true };

for (const game of ['expendibots', 'ropasci360', 'hus', 'colosseum']) {
  test(`${game} at 360 px: nothing is cut off, a finger plays`, { skip: skip() }, async () => {
    await visit({ ...PHONE, hash: `game=${game}&seed=2` }, async (page) => {
      const state = await ask(page, 'show');
      const path = state.legal.p1[0].path;
      for (const target of path) {
        const loose = page.locator(`[data-loose="${target}"]`);
        if (await loose.count()) await loose.tap();
        else await page.touchscreen.tap(...(await middle(page, target)));
      }
      await until(page, (now) => now.ply === 1 || now.chosen.length === 1);
      for (const tab of ['analysis', 'game', 'search', 'setup', 'rules']) {
        await page.tap(`#tab-${tab}`);
        await page.waitForTimeout(120);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= 360, `${tab} is ${wide} px wide`);
        await page.tap(`#tab-${tab}`);
      }
    });
  });
}

test('at 360 px a link opens the tool that it names, beside the board, and the sheet is closed by its button', { skip: skip() }, async () => {
  await visit({ ...PHONE, hash: 'game=ropasci360&tool=setup' }, async (page) => {
    await page.waitForSelector('#verdict:visible');
    const [board, sheet] = [await page.locator('svg.board').boundingBox(), await page.locator('.toolbox').boundingBox()];
    assert.ok(sheet.y > board.y + 0.9 * board.height, `the sheet begins at ${sheet.y}, the board ends at ${board.y + board.height}`);
    await page.tap('button[aria-label="Close the tools"]');
    await page.waitForSelector('#verdict', { state: 'hidden' });
    // The game that is played is in sight among the games.
    const name = await page.locator('.games button[aria-pressed=true]').boundingBox();
    assert.ok(name.x >= 0 && name.x + name.width <= 360, `${name.x} to ${name.x + name.width}`);
  });
});

test('the words that a screen reader is told: names, moves, results', { skip: skip() }, async () => {
  await visit({ hash: 'game=expendibots&start=8%2F8%2F2a5%2F3A4%2F8%2F8%2F8%2F8%20w%2096' }, async (page) => {
    const names = await page.evaluate(() => [...document.querySelectorAll('.area')].map((node) => node.getAttribute('aria-label')));
    assert.ok(names.includes('d5, 1 White token') && names.includes('c6, 1 Black token'), names.join());
    for (const unnamed of await page.locator('button:visible, select:visible, input:visible').all()) {
      const name = await unnamed.evaluate((node) => node.getAttribute('aria-label') || node.textContent.trim() || node.title);
      assert.ok(name, await unnamed.evaluate((node) => node.outerHTML));
    }
    await click(page, 'd5');
    await page.click('[data-loose=boom]');
    await page.waitForFunction(() => /White plays d5!/.test(document.querySelector('#speech').textContent));
    assert.match(await page.textContent('#speech'), /draw/i);
    assert.equal(await page.getAttribute('#speech', 'aria-live'), 'polite');
  });
});

test('text stands out from its ground in light and in dark', { skip: skip() }, async () => {
  for (const colorScheme of ['light', 'dark']) {
    await visit({ hash: 'game=hus', colorScheme }, async (page) => {
      const ratios = await page.evaluate(() => {
        const paint = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
        const luminance = (name) => {
          const node = document.createElement('i');
          node.style.color = `var(${name})`;
          document.body.append(node);
          paint.fillStyle = getComputedStyle(node).color;
          node.remove();
          paint.fillRect(0, 0, 1, 1);
          const [r, g, b] = [...paint.getImageData(0, 0, 1, 1).data].map((value) => {
            const part = value / 255;
            return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
          });
          return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const pairs = [['--ink', '--paper'], ['--ink', '--card'], ['--soft', '--paper'], ['--soft', '--card'], ['--on', '--accent'], ['--on', '--accent2'], ['--loss', '--card'], ['--ink', '--wood'], ['--focus', '--paper']];
        return pairs.map(([one, other]) => {
          const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
          return [`${one} on ${other}`, (high + 0.05) / (low + 0.05)];
        });
      });
      for (const [pair, ratio] of ratios) assert.ok(ratio >= 4.5, `${colorScheme}: ${pair} has ${ratio.toFixed(2)}`);
    });
  }
});

test('the keyboard reaches everything, and one sees where it is', { skip: skip() }, async () => {
  await visit({ hash: 'game=hus' }, async (page) => {
    const seen = new Set();
    for (let step = 0; step < 60; step += 1) {
      await page.keyboard.press('Tab');
      const [name, outlined] = await page.evaluate(() => {
        const node = document.activeElement;
        const shape = node.querySelector?.(':scope > :first-child');
        const ring = getComputedStyle(node).outlineStyle !== 'none' || (node.classList.contains('area') && getComputedStyle(shape).strokeWidth === '4px');
        return [node.id || node.getAttribute('aria-label') || node.textContent, ring];
      });
      if (!name || name === '') continue;
      seen.add(name);
      if (!/gamesearch/.test(name)) assert.ok(outlined, `the focus on ${name} cannot be seen`);
    }
    for (const wanted of ['new', 'run', 'entry', 'analyse', 'tab-analysis', 'Turn the board']) assert.ok(seen.has(wanted), `${wanted} is not reached: ${[...seen].join(' | ')}`);
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press('?');
    await page.waitForSelector('dialog[open]');
    await page.keyboard.press('Escape');
    await page.waitForSelector('dialog[open]', { state: 'detached' });
  });
});
