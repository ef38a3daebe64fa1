// The keys of the page, and the list of them.

import type { Analyser } from './analyser';
import type { Below } from './below';
import type { Board } from './board';
import { el } from './dom';
import { openDialog } from './frame';
import { chooseGame } from './newgame';
import type { Table } from './table';

const KEYS: readonly [string, string][] = [
  ['← →', 'a turn back, a turn on'],
  ['Home End', 'to the start, to the end'],
  ['p', 'play on or hold: bots, or the recorded turns'],
  ['u r', 'take back, redo'],
  ['a', 'analysis on or off'],
  ['f', 'turn the board'],
  ['b', 'to the board; there the arrows go from target to target, with Shift over all of them, Enter points'],
  ['1 … 9', 'choose that number or that button of the move being built'],
  ['Esc', 'take back a part of the move; leave a look ahead'],
  ['m', 'type a move'],
  ['n', 'new game'],
  ['?', 'these keys'],
];

export function showKeys(): void {
  const rows = KEYS.map(([keys, words]) => {
    const names = keys.split(' ').map((key) => el('kbd', {}, key));
    return el('tr', {}, el('td', { className: 'left' }, ...names), el('td', { className: 'left', style: 'white-space:normal' }, words));
  });
  openDialog('Keys', el('table', {}, el('tbody', {}, ...rows)));
}

export function listenToKeys(table: Table, board: Board, below: Below, analyser: Analyser): void {
  const actions: Record<string, () => void> = {
    ArrowLeft: () => table.step(-1),
    ArrowRight: () => table.step(1),
    Home: () => table.goto(0),
    End: () => table.goto(Infinity),
    p: () => table.toggle(),
    u: () => void table.takeBack(),
    r: () => table.redo(),
    a: () => analyser.toggle(),
    f: () => board.flip(),
    b: () => board.focus(),
    m: () => below.focusEntry(),
    n: () => chooseGame(table, table.info),
    '?': () => showKeys(),
    Escape: () => (table.preview ? table.look(null) : board.back()),
  };
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
    const target = event.target as Element;
    if (target.closest('textarea, select, input:not([type=checkbox])')) {
      if (event.key === 'Escape') (target as HTMLElement).blur();
      return;
    }
    const action = actions[event.key] ?? digit(board, event.key);
    if (!action) return;
    event.preventDefault();
    action();
  });
}

/** A digit chooses the target of that name, or the button at that place. */
function digit(board: Board, key: string): (() => void) | null {
  if (!/^[1-9]$/.test(key) || board.choice.empty) return null;
  const loose = board.loose();
  const target = loose.includes(key) ? key : loose.some((name) => /^\d+$/.test(name)) ? undefined : loose[Number(key) - 1];
  return target === undefined ? null : () => board.point(target);
}
