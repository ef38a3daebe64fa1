// The list of moves that one can walk.

import { button, el } from './dom';
import type { Mistake } from './protocol';
import type { Table } from './table';

export class Moves {
  private shown: { key: string; buttons: HTMLButtonElement[] } = { key: '', buttons: [] };
  private mistakes = new Map<number, Mistake>();

  constructor(
    private readonly host: HTMLElement,
    private readonly table: Table,
  ) {
    table.onState.on(() => this.show());
    this.show();
  }

  /** The turns that lost most, to be underlined. */
  markMistakes(mistakes: readonly Mistake[]): void {
    this.mistakes = new Map(mistakes.map((mistake) => [mistake.ply, mistake]));
    this.shown.key = '';
    this.show();
  }

  private show(): void {
    const { state, info } = this.table;
    const turns = state?.turns ?? [];
    const key = `${state?.game} ${turns.map((turn) => turn.text).join(' ')}`;
    if (key !== this.shown.key) {
      const each = info?.simultaneous ? 1 : 2;
      const parts: HTMLElement[] = [];
      const buttons = [button('start', () => this.go(0))];
      turns.forEach((turn, at) => {
        if (at % each === 0) parts.push(el('span', { className: 'turnno', 'aria-hidden': 'true' }, `${at / each + 1}.`));
        const one = button(turn.text.replace('|', ' '), () => this.go(at + 1));
        const mistake = this.mistakes.get(at);
        one.setAttribute('aria-label', `${at + 1}: ${turn.text}`);
        if (mistake) {
          one.classList.add('mistake');
          one.title = `loses ${(100 * mistake.loss).toFixed(0)} % of the chances; better: ${mistake.best}`;
        }
        parts.push(one);
        buttons.push(one);
      });
      this.host.replaceChildren(buttons[0] as HTMLElement, ...parts);
      this.shown = { key, buttons };
    }
    this.shown.buttons.forEach((one, at) => {
      one.classList.toggle('on', at === state?.ply);
      one.classList.toggle('undone', at > (state?.ply ?? 0));
      if (at === state?.ply) one.setAttribute('aria-current', 'true');
      else one.removeAttribute('aria-current');
    });
    const on = this.shown.buttons[state?.ply ?? 0];
    if (!on) return;
    // Not scrollIntoView: that would move the page as well.
    this.host.scrollTop = on.offsetTop - this.host.clientHeight / 2;
    this.host.scrollLeft = on.offsetLeft - this.host.clientWidth / 2;
  }

  private go(ply: number): void {
    this.table.pause();
    this.table.goto(ply);
  }
}
