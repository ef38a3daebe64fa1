// The part of the page that keeps what was pointed at, without a browser.

import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

async function load(name) {
  const source = join(dirname(fileURLToPath(import.meta.url)), '../src', name);
  const result = await build({ entryPoints: [source], bundle: true, write: false, format: 'esm' });
  return import(`data:text/javascript,${encodeURIComponent(result.outputFiles[0].text)}`);
}

const { Choice } = await load('choice.ts');
const address = await load('address.ts');

const MOVES = [
  { move: '1a1a2', path: ['a1', '1', 'a2'] },
  { move: '2a1a2', path: ['a1', '2', 'a2'] },
  { move: '2a1a3', path: ['a1', '2', 'a3'] },
  { move: 'a1!', path: ['a1', 'boom'] },
  { move: '1b1b2', path: ['b1', 'b2'] },
];

test('a path is built step by step and taken back', () => {
  const choice = new Choice(MOVES);
  assert.deepEqual([...choice.next()].sort(), ['a1', 'b1']);
  assert.equal(choice.point('a2').kind, 'nothing');
  assert.equal(choice.point('a1').kind, 'changed');
  assert.deepEqual([...choice.next()].sort(), ['1', '2', 'boom']);
  assert.equal(choice.point('2').kind, 'changed');
  assert.deepEqual([...choice.next()].sort(), ['a2', 'a3']);
  choice.back();
  assert.deepEqual(choice.path, ['a1']);
  assert.equal(choice.point('a1').kind, 'changed');
  assert.ok(choice.empty);
});

test('a complete path is a move, and an only way on is not taken by itself', () => {
  const choice = new Choice(MOVES);
  choice.point('b1');
  assert.deepEqual(choice.path, ['b1']);
  assert.deepEqual(choice.point('b2'), { kind: 'move', move: '1b1b2' });
  const one = new Choice([{ move: '3', path: ['p1-3'] }]);
  assert.deepEqual(one.point('p1-3'), { kind: 'move', move: '3' });
});

test('the square may come before the number', () => {
  const choice = new Choice(MOVES);
  choice.point('a1');
  assert.ok(choice.later().has('a3'));
  // Only two tokens reach it: nothing is left to choose.
  assert.deepEqual(choice.point('a3'), { kind: 'move', move: '2a1a3' });
  const other = new Choice(MOVES);
  other.point('a1');
  assert.equal(other.point('a2').kind, 'changed');
  assert.deepEqual([...other.next()].sort(), ['1', '2']);
  assert.deepEqual(other.point('1'), { kind: 'move', move: '1a1a2' });
});

test('pointing at another beginning begins anew', () => {
  const choice = new Choice(MOVES);
  choice.point('a1');
  choice.point('2');
  assert.equal(choice.point('b1').kind, 'changed');
  assert.deepEqual(choice.path, ['b1']);
});

test('addresses hold the page own keys beside the game', () => {
  const own = { seats: ['you', 'alphabeta:depth=3,table=off'], limits: 'nodes=500', tool: 'game' };
  const text = address.write('game=hus&moves=12-4', own);
  assert.ok(text.startsWith('game=hus&moves=12-4&first=you&second='));
  assert.deepEqual(address.read(`#${text}`), own);
  assert.deepEqual(address.read('#game=hus&first=%E0%A4%A'), { seats: ['%E0%A4%A', 'you'] });
  assert.deepEqual(address.read(''), {});
});
