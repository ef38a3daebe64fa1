// The pictures of the README: each game in the page, small. Writes docs/pictures/*.png.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { root, skip, visit } from './harness.mjs';

const PICTURES = [
  {
    name: 'expendibots',
    hash: 'game=expendibots&moves=1e1e2-1d8d7-2e2e4-2d7d5-1b1b2-1g8g7-2b2b4-2g7g5&second=champion',
    colorScheme: 'light',
  },
  { name: 'ropasci360', hash: 'game=ropasci360&start=5%2F6%2F5s1%2F3R4%2F3P5%2F5r2%2F2p1s2%2F6%2F5%202%204%208&second=champion', colorScheme: 'light' },
  { name: 'hus', hash: 'game=hus&moves=18-20-16-4-22&second=champion&first=alphabeta', colorScheme: 'dark' },
  { name: 'colosseum', hash: 'game=colosseum&seed=3&second=champion', colorScheme: 'dark' },
];

const why = skip();
if (why) {
  console.error(why);
  process.exit(1);
}
const folder = join(root, 'docs/pictures');
mkdirSync(folder, { recursive: true });
for (const { name, hash, colorScheme } of PICTURES) {
  await visit({ hash, width: 1100, height: 760, colorScheme }, async (page) => {
    await page.keyboard.press('a');
    await page.waitForSelector('.marks .mark');
    await page.waitForTimeout(2500);
    if (await page.locator('#stop').isVisible()) await page.click('#stop');
    await page.mouse.move(2, 2);
    await page.evaluate(() => document.activeElement?.blur());
    await page.waitForTimeout(300);
    const path = join(folder, `${name}.png`);
    await page.screenshot({ path, scale: 'css' });
    console.log(path);
  });
}
