// The tree of a search, a node at a time: its children with visits, scores and proofs; a node opens by a click.

import { short } from './analyser';
import { button, el } from './dom';
import { count, percent } from './players';
import type { Tree, TreeChild } from './protocol';
import type { Table } from './table';

/** How many children are shown before one asks for more. */
const SHOWN = 12;

export class TreeView {
  private readonly bot = el('select', { 'aria-label': 'Search' });
  private readonly limits = el('select', { 'aria-label': 'How much' });
  private readonly facts = el('p', { className: 'facts number' });
  private readonly root = el('div', { className: 'tree', role: 'group', 'aria-label': 'Tree' });
  private shownBots = '';
  private of = '';
  private number = 0;

  constructor(private readonly table: Table) {
    for (const [limits, name] of [
      ['500', 'small'],
      ['5000', 'medium'],
      ['30000', 'large'],
    ]) this.limits.append(el('option', { value: limits }, name));
    this.limits.value = '5000';
    table.onState.on(() => {
      if (!this.root.isConnected) return;
      this.fillBots();
      if (this.of !== table.state?.link) this.clear();
    });
  }

  show(host: HTMLElement): void {
    const search = button('Search', () => void this.search(), { className: 'main', id: 'grow' });
    host.append(el('div', { className: 'row', style: 'margin-top:8px' }, this.bot, this.limits, search), this.facts, this.root);
    this.fillBots();
    if (this.of !== this.table.state?.link) this.clear();
  }

  private clear(): void {
    this.root.replaceChildren();
    this.facts.textContent = 'Searches from the position on the board, and shows what the search knows of each move. Point at a node to see its board.';
  }

  private fillBots(): void {
    const { info } = this.table;
    if (!info || this.shownBots === info.name) return;
    this.shownBots = info.name;
    this.bot.replaceChildren(...info.treeBots.map((bot) => el('option', { value: bot }, bot)));
  }

  /** Limits in playouts; for a search that counts none, ten times as many nodes. */
  private howMuch(): string {
    const bot = this.table.info?.bots.find((other) => other.name === this.bot.value);
    const playouts = bot?.options.some((option) => option.key === 'playouts');
    return playouts ? `playouts=${this.limits.value}` : `nodes=${10 * Number(this.limits.value)}`;
  }

  private async search(): Promise<void> {
    const { table } = this;
    this.of = table.state?.link ?? '';
    this.number += 1;
    this.root.replaceChildren();
    this.facts.textContent = 'searching …';
    const list = el('ul', {});
    this.root.append(list);
    await this.fill(list, []);
  }

  private async fill(list: HTMLElement, line: string[], all = false): Promise<void> {
    const number = this.number;
    const answer = await this.table.engine.ask('tree', { bot: this.bot.value, limits: this.howMuch(), line }).answer;
    if (number !== this.number) return;
    if (!('done' in answer)) {
      const words = 'failed' in answer ? answer.failed : 'stopped: another search took its place';
      list.replaceChildren(el('li', { className: 'fault' }, words));
      if (!line.length) this.facts.textContent = '';
      return;
    }
    const tree = answer.done;
    if (!line.length) this.facts.textContent = `${count(tree.nodes)} nodes, ${tree.children.length} moves here, each with ${wordsOf(tree, this.table.side('p1'))}`;
    this.list(list, tree, line, all);
  }

  private list(list: HTMLElement, tree: Tree, line: string[], all: boolean): void {
    if (tree.end) {
      list.replaceChildren(el('li', { className: 'soft' }, tree.end.text));
      return;
    }
    if (!tree.children.length) {
      list.replaceChildren(el('li', { className: 'soft' }, 'the search did not come this far'));
      return;
    }
    const largest = Math.max(1, ...tree.children.map((child) => child.visits ?? 0));
    const shown = all ? tree.children : tree.children.slice(0, SHOWN);
    list.replaceChildren(...shown.map((child) => this.node(child, line, largest)));
    if (shown.length < tree.children.length) {
      const more = button(`${tree.children.length - shown.length} more`, () => this.list(list, tree, line, true), { className: 'plain small' });
      list.append(el('li', {}, more));
    }
  }

  private node(child: TreeChild, line: string[], largest: number): HTMLElement {
    const { table } = this;
    const path = [...line, child.move];
    const below = el('ul', { hidden: true });
    const opener = button('▸', () => {
      below.hidden = !below.hidden;
      opener.textContent = below.hidden ? '▸' : '▾';
      opener.setAttribute('aria-expanded', String(!below.hidden));
      if (!below.hidden && !below.childElementCount) void this.fill(below, path);
    });
    opener.setAttribute('aria-expanded', 'false');
    opener.setAttribute('aria-label', `Open ${child.move}`);
    const look = (): void => {
      if (!table.preview?.pinned) table.look(path);
    };
    const leave = (): void => {
      if (!table.preview?.pinned) table.look(null);
    };
    const move = button(child.move, () => table.look(path, path.length, true));
    move.onfocus = look;
    move.onblur = leave;
    const facts = [];
    if (child.visits) facts.push(count(child.visits));
    if (child.score) facts.push(boundSign(child.bound) + short(child.score));
    if (child.score && !child.score.winner) facts.push(percent(child.score.chance));
    if (child.depth) facts.push(`d${child.depth}`);
    const width = `${Math.round((100 * (child.visits ?? 0)) / largest)}%`;
    const words = el('span', { className: 'number' }, facts.join('  '));
    if (child.proof) words.append(el('span', { className: 'proof' }, child.proof === 'draw' ? ' ½ proven' : ` ✓ ${table.side(child.proof)} wins`));
    const bar = child.visits ? el('div', { className: 'bar', style: `width:${width}` }) : null;
    const row = el('div', { className: 'node' }, opener, move, el('span', {}, bar), words);
    row.onpointerenter = look;
    row.onpointerleave = leave;
    return el('li', {}, row, below);
  }
}

/** What stands beside the moves. */
function wordsOf(tree: Tree, first: string): string {
  const visits = tree.children.some((child) => child.visits);
  return visits ? `visits, score, chance of ${first}` : `score, chance of ${first}, depth`;
}

function boundSign(bound: string | null | undefined): string {
  return bound === 'upper' ? '≤ ' : bound === 'lower' ? '≥ ' : '';
}
