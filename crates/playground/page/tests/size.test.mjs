// What the page weighs: it is mailed and copied.

import assert from 'node:assert/strict';
import { existsSync, statSync } from 'node:fs';
import { test } from 'node:test';
import { file } from './harness.mjs';

const MOST = 1_500_000;

test('the page with all games, bots and networks has at most 1.5 MB', { skip: !existsSync(file) && `${file} is missing: cargo xtask page` }, () => {
  const { size } = statSync(file);
  assert.ok(size <= MOST, `${file} has ${size} bytes`);
  // A page without its engine would weigh little.
  assert.ok(size > 200_000, `${file} has ${size} bytes: the games and bots are missing`);
});
