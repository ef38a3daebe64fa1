// The rules in one screen, with pictures; shown by itself on a first visit.

import { el } from './dom';
import { picture } from './drawing';
import { button } from './dom';
import { openDialog } from './frame';
import { markdown } from './markdown';
import { recall, remember } from './memory';
import type { GameInfo } from './protocol';
import type { Table } from './table';
import type { Tool } from './tools';

/** The rules of a game as elements. */
export function rulesOf(table: Table, info: GameInfo): HTMLElement {
  const pictureOf = (position: string, words: string): Node => {
    const place = el('div', {});
    void table.engine.ask('check', { game: info.name, position }).answer.then((answer) => {
      if (!('done' in answer) || !answer.done.legal) return;
      const { drawing } = answer.done;
      place.append(picture(drawing, words));
      if (drawing.width > 1.6 * drawing.height) place.closest('figure')?.classList.add('wide');
    });
    return place;
  };
  const notation = info.notation.split('\n').filter(Boolean);
  const rows = notation.map((line) => {
    const [example = '', ...words] = line.split(/\s{2,}/);
    return el('tr', {}, el('td', { className: 'left' }, el('code', {}, example)), el('td', { className: 'left', style: 'white-space:normal' }, words.join(' ')));
  });
  const prose = el('div', { className: 'prose' }, markdown(info.rules, pictureOf));
  if (rows.length) prose.append(el('h3', {}, 'How moves are written'), el('table', {}, el('tbody', {}, ...rows)));
  return prose;
}

export class RulesTool implements Tool {
  readonly name = 'Rules';
  readonly key = 'rules';
  private readonly body = el('div', {});
  private shown = '';

  constructor(private readonly table: Table) {
    table.onState.on(() => this.update());
  }

  show(host: HTMLElement): void {
    host.append(this.body);
    this.update();
  }

  private update(): void {
    const { info } = this.table;
    if (!this.body.isConnected || !info || this.shown === info.name) return;
    this.shown = info.name;
    this.body.replaceChildren(rulesOf(this.table, info));
  }
}

/** The rules before somebody's first game of this kind. */
export function firstVisit(table: Table): void {
  const { info } = table;
  if (!info || recall(`knows-${info.name}`)) return;
  remember(`knows-${info.name}`, 'yes');
  const play = button('Play', () => dialog.close(), { className: 'main', id: 'play' });
  const dialog = openDialog(info.title, rulesOf(table, info), play);
  play.focus();
  dialog.scrollTop = 0;
}
