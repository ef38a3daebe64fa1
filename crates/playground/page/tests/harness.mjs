// A browser with the built file, opened from the disk with the network off. Every page records its faults: a test fails if
// the console says an error or the page asks for anything from outside.

import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const here = dirname(fileURLToPath(import.meta.url));
export const root = resolve(here, '../../../..');
export const file = process.env.PAGE ?? join(root, 'target/page/gamesearch.html');

const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/usr/bin/google-chrome-stable'];

const ARGUMENTS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

/** The browser to test with, or null. */
export function browser() {
  const given = process.env.CHROMIUM;
  return (given ? [given] : BROWSERS).find((path) => existsSync(path)) ?? null;
}

/** Why the tests cannot run here, or false. */
export function skip() {
  if (!browser()) return 'no Chromium was found (set CHROMIUM to its path)';
  if (!existsSync(file)) return `${file} is missing: cargo xtask page`;
  return false;
}

/** Opens the page with an empty profile, runs `work`, and checks that nothing went wrong meanwhile. */
export async function visit({ hash = '', html = file, address = null, width = 1200, height = 860, known = true, faults = [], script = null, ...more }, work) {
  const profile = mkdtempSync(join(tmpdir(), 'gamesearch-page-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: browser(),
    headless: true,
    args: ARGUMENTS,
    offline: true,
    viewport: { width, height },
    ...more,
  });
  try {
    const page = context.pages()[0] ?? (await context.newPage());
    const problems = [];
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(`console: ${message.text()}`);
    });
    page.on('pageerror', (error) => problems.push(`page: ${error.stack ?? error.message}`));
    page.on('request', (request) => {
      const own = address !== null && request.url().startsWith(new URL(address).origin);
      if (!own && !/^(file|blob|data):/.test(request.url())) problems.push(`asked for ${request.url()}`);
    });
    // Whoever knows the rules is not shown them.
    if (known) await page.addInitScript(() => {
      if (location.protocol === 'about:') return;
      for (const game of ['expendibots', 'ropasci360', 'hus', 'colosseum']) localStorage.setItem(`gamesearch-knows-${game}`, 'yes');
    });
    if (script) await page.addInitScript(script);
    page.setDefaultTimeout(30_000);
    await page.goto(address ?? pathToFileURL(html).href + (hash ? `#${hash}` : ''));
    await ready(page);
    const result = await work(page, context);
    const unexpected = problems.filter((problem) => !faults.some((fault) => fault.test(problem)));
    assert.deepEqual(unexpected, []);
    return result;
  } finally {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  }
}

/** Waits until the first board can be seen. */
export async function ready(page) {
  await page.waitForSelector('svg.board g');
}

/** Asks the engine behind the page. */
export async function ask(page, kind, body = {}) {
  const answer = await page.evaluate(([what, more]) => window.gamesearch.ask(what, more), [kind, body]);
  assert.ok('done' in answer, `${kind}: ${JSON.stringify(answer)}`);
  return answer.done;
}

/** Waits until the engine's state satisfies something, and gives it. */
export async function until(page, condition, what = 'state') {
  const end = Date.now() + 60_000;
  for (;;) {
    const state = await ask(page, 'show');
    if (condition(state)) return state;
    assert.ok(Date.now() < end, `${what} never came: ply ${state.ply} of ${state.plies}, ${state.status}`);
    await page.waitForTimeout(30);
  }
}

/** Points at a target with the mouse. */
export async function click(page, target) {
  const area = page.locator(`.area[data-target="${target}"]`);
  if ((await area.count()) === 0) {
    await page.click(`[data-loose="${target}"]`);
    return;
  }
  const [x, y] = await middle(page, target);
  await page.mouse.click(x, y);
}

/** Where on the screen a target is. */
export async function middle(page, target) {
  return page.evaluate((name) => {
    const node = document.querySelector(`.area[data-target="${CSS.escape(name)}"]`)?.firstElementChild;
    node?.scrollIntoView({ block: 'nearest' });
    const box = node.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  }, target);
}

/** The sentences that the page shows about things that went wrong. */
export function notices(page) {
  return page.locator('.notice div > span').allTextContents();
}

/** Drops a file on the page. */
export async function drop(page, name, text) {
  const data = await page.evaluateHandle(
    ([called, content]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([content], called));
      return transfer;
    },
    [name, text],
  );
  await page.dispatchEvent('body', 'drop', { dataTransfer: data });
}

/** Closes the sentences that are shown. */
export async function closeNotices(page) {
  await page.evaluate(() => document.querySelectorAll('.notice button').forEach((button) => button.click()));
}
