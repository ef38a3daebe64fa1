// The same page in front of the program: `play --web` with a bot in Python, on the loopback address.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { ask, click, notices, root, skip, until, visit } from './harness.mjs';

const python = ['python3', 'python'].find((name) => spawnSync(name, ['--version']).status === 0);

/** Starts the program and waits for the address that it prints. */
async function serve(...more) {
  const built = spawnSync('cargo', ['build', '--quiet', '--locked', '-p', 'gamesearch', '--message-format=json'], { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 });
  assert.equal(built.status, 0, built.stderr);
  const messages = built.stdout.split('\n').filter(Boolean).map((line) => JSON.parse(line));
  const program = messages.findLast((message) => message.executable && message.target.name === 'gamesearch').executable;
  const child = spawn(program, ['play', 'hus', '--web', ...more], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  const address = await new Promise((found, failed) => {
    let text = '';
    child.stdout.on('data', (part) => {
      text += part;
      const line = /^(http:\S+)\n/.exec(text);
      if (line) found(line[1]);
    });
    child.on('exit', (code) => failed(new Error(`the program ended with ${code}: ${text}`)));
  });
  return { child, address };
}

test('a person plays against a Python bot through the program', { skip: skip() || (!python && 'no Python was found') }, async () => {
  const bot = `ugi:${python} ${join('crates', 'gamesearch', 'src', 'contests', 'adapters', 'examples', 'fullest_pit.py')}`;
  const { child, address } = await serve('--against', bot, '--limits', 'movetime=20s');
  try {
    assert.match(address, /^http:\/\/127\.0\.0\.1:\d+\/\?token=[0-9a-f]{32}#game=hus/);
    const refused = await fetch(address.replace(/token=[0-9a-f]+/, 'token=0').split('#')[0]);
    assert.ok(refused.status >= 400, `without the token: ${refused.status}`);
    await visit({ address, offline: false }, async (page) => {
      assert.match(await page.textContent('.players'), /ugi:python/);
      for (const ply of [2, 4]) {
        await page.waitForSelector('.area.can');
        await click(page, await page.evaluate(() => document.querySelector('.area.can').dataset.target));
        const state = await until(page, (now) => now.ply === ply, 'the answer of the bot');
        assert.ok(state.turns[ply - 1].moves.p2);
      }
      await page.keyboard.press('a');
      await page.waitForSelector('table[aria-label="Best moves"] tr');
      await page.keyboard.press('a');
      assert.deepEqual(await notices(page), []);
      // The program goes: the page says so and stays.
      child.kill();
      await page.waitForSelector('.notice span');
      assert.match((await notices(page)).join(' '), /ended/);
      await ask(page, 'show').then(() => assert.fail('nobody can answer'), () => {});
    });
  } finally {
    child.kill();
  }
});
