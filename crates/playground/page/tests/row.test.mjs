// The rows of the page's speed, without a browser. `data/row.json` is what xtask's own test reads.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { roundsOf, rowOf } from './row.mjs';

const ABOUT = { name: 'page-nodes-hus', about: 'a search', unit: 'nodes', against: 'native', target: 0.5, clock: 'cpu' };

test('a row is printed as xtask reads it', () => {
  const rounds = [{ ours: 800, theirs: 1000 }, { ours: 600, theirs: 1000 }, { ours: 900, theirs: 1000 }];
  const row = rowOf(ABOUT, rounds, { count: 1600 });
  const written = readFileSync(join(dirname(fileURLToPath(import.meta.url)), 'data/row.json'), 'utf8');
  assert.equal(`${JSON.stringify(row)}\n`, written);
});

test('where each round is another case the worst one counts', () => {
  const row = rowOf({ ...ABOUT, target: 1 }, [{ ours: 1 / 0.02, theirs: 20 }, { ours: 1 / 0.08, theirs: 20 }, { ours: 1 / 0.04, theirs: 20 }], { worst: true });
  assert.deepEqual([row.ratio, row.lowest, row.highest, row.seconds, row.met], [0.625, 0.625, 2.5, 0.08, false]);
});

test('rounds that disagree about the target are measured again, three times as many at most', async () => {
  const calls = { agreeing: 0, moody: 0 };
  const agreeing = await roundsOf(0.5, async () => ({ ours: 1 + (calls.agreeing += 1), theirs: 1 }));
  assert.deepEqual([agreeing.length, calls.agreeing], [5, 5]);
  const moody = await roundsOf(0.5, async () => ({ ours: (calls.moody += 1) % 2, theirs: 1 }));
  assert.deepEqual([moody.length, calls.moody], [15, 15]);
});
