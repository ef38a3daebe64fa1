// A look into the search: the tree of a search from here, Monte Carlo tree search iteration by iteration, and minimax and
// alpha-beta on a tree of the textbook.

import { el } from './dom';
import { LessonView } from './lesson';
import type { Table } from './table';
import { TextbookView } from './textbook';
import type { Tool } from './tools';
import { TreeView } from './treeview';

const VIEWS: readonly [string, string][] = [
  ['tree', 'The tree of a search from here'],
  ['lesson', 'Monte Carlo tree search, step by step'],
  ['textbook', 'Minimax and alpha-beta on a small tree'],
];

export class SearchTool implements Tool {
  readonly name = 'Search';
  readonly key = 'search';
  private readonly choice = el('select', { 'aria-label': 'What to look into', id: 'look' });
  private readonly body = el('div', {});
  private readonly views: Record<string, { show(host: HTMLElement): void }>;

  constructor(table: Table) {
    this.views = { tree: new TreeView(table), lesson: new LessonView(table), textbook: new TextbookView(table) };
    for (const [value, name] of VIEWS) this.choice.append(el('option', { value }, name));
    this.choice.onchange = () => {
      table.tool = `${this.key}.${this.choice.value}`;
      table.writeAddress();
      this.fill();
    };
  }

  /** Opens one of the views. */
  choose(view: string): void {
    if (!(view in this.views)) return;
    this.choice.value = view;
    if (this.body.isConnected) this.fill();
  }

  show(host: HTMLElement): void {
    host.append(el('div', { className: 'row' }, this.choice), this.body);
    this.fill();
  }

  private fill(): void {
    this.body.replaceChildren();
    this.views[this.choice.value]?.show(this.body);
  }
}
