// The tools beside the board, one at a time, as tabs; on a narrow screen a sheet that comes up.

import { button } from './dom';
import { icon } from './icons';
import type { Frame } from './frame';
import type { Table } from './table';

export interface Tool {
  readonly name: string;
  readonly key: string;
  show(host: HTMLElement): void;
  /** Another tool takes its place. */
  hide?(): void;
  /** One of several views of the tool. */
  choose?(view: string): void;
}

export class Tools {
  private readonly tabs = new Map<string, { tool: Tool; tab: HTMLButtonElement }>();
  private current = '';

  constructor(
    private readonly frame: Frame,
    private readonly table: Table,
    tools: readonly Tool[],
  ) {
    for (const tool of tools) {
      const tab = button(tool.name, () => this.choose(tool.key), { role: 'tab', id: `tab-${tool.key}`, 'aria-controls': 'tool' });
      this.tabs.set(tool.key, { tool, tab });
      frame.tabs.append(tab);
    }
    const close = button(icon('down'), () => frame.toolbox.classList.remove('open'), { className: 'plain icon closer', 'aria-label': 'Close the tools' });
    frame.tabs.append(close);
    frame.tabs.onkeydown = (event) => {
      const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!by) return;
      event.preventDefault();
      event.stopPropagation();
      const keys = [...this.tabs.keys()];
      const next = keys[(keys.indexOf(this.current) + by + keys.length) % keys.length];
      if (next) {
        this.open(next);
        this.tabs.get(next)?.tab.focus();
      }
    };
  }

  private choose(key: string): void {
    const sheet = this.frame.toolbox.classList;
    // A second tap on the open tool closes the sheet.
    if (key === this.current && sheet.contains('open')) {
      sheet.remove('open');
      return;
    }
    sheet.add('open');
    this.open(key);
  }

  /** Opens a tool, `search` or one of its views, `search.textbook`; on a narrow screen the sheet too, if it is to be seen at once. */
  open(name: string, sheet = false): void {
    const [key = '', view] = name.split('.');
    const found = this.tabs.get(key);
    if (!found) return;
    if (sheet) this.frame.toolbox.classList.add('open');
    if (this.current !== key) {
      this.tabs.get(this.current)?.tool.hide?.();
      this.frame.tool.replaceChildren();
      found.tool.show(this.frame.tool);
    }
    this.current = key;
    this.frame.toolbox.dataset.tool = key;
    if (view) found.tool.choose?.(view);
    for (const [other, { tab }] of this.tabs) {
      tab.setAttribute('aria-selected', String(other === key));
      tab.tabIndex = other === key ? 0 : -1;
    }
    this.frame.tool.setAttribute('aria-labelledby', `tab-${key}`);
    this.table.tool = name;
    this.table.writeAddress();
  }

  has(name: string): boolean {
    return this.tabs.has(name.split('.')[0] ?? '');
  }
}
