// The sandbox of the rules: any position, by text and by hand; what makes it illegal is said in words.

import type { Board } from './board';
import { button, el } from './dom';
import { copyText } from './gametool';
import type { Check } from './protocol';
import type { Table } from './table';
import type { Tool } from './tools';

export class SetupTool implements Tool {
  readonly name = 'Set up';
  readonly key = 'setup';
  private readonly text = el('textarea', { rows: 3, id: 'setup', 'aria-label': 'Position as text', spellcheck: false, autocapitalize: 'off' });
  private readonly verdict = el('p', { role: 'status', id: 'verdict' });
  private readonly tools = el('div', { className: 'row', role: 'radiogroup', 'aria-label': 'By hand' });
  private readonly byHand = el('div', {});
  private readonly line = el('textarea', { rows: 2, readOnly: true, 'aria-label': 'A line for a test' });
  private readonly rust = el('textarea', { rows: 2, readOnly: true, 'aria-label': 'Rust for a test' });
  private readonly results = el('div', {});
  private readonly play: HTMLButtonElement;
  private brush = '';
  /** The last position that was legal. */
  private legal: Check | null = null;
  private number = 0;
  private timer = 0;
  private shownTools = '';

  constructor(
    private readonly table: Table,
    private readonly board: Board,
  ) {
    this.play = button('Play from here', () => void this.begin(), { id: 'playfrom' });
    this.text.oninput = () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => void this.check(), 150);
    };
    table.onState.on(({ before }) => {
      if (!this.text.isConnected || before === table.state) return;
      // What somebody is writing is not overwritten by a move of a bot.
      if (!table.sandbox || before?.game !== table.state?.game) this.fromGame();
      this.showTools();
    });
  }

  show(host: HTMLElement): void {
    const { table } = this;
    const copy = (field: HTMLTextAreaElement): HTMLButtonElement => button('Copy', () => void copyText(table, field.value, field));
    this.results.replaceChildren(
      el('h3', {}, 'Line for a test table'),
      this.line,
      copy(this.line),
      el('h3', {}, 'Rust'),
      this.rust,
      copy(this.rust),
    );
    host.append(
      el('p', { className: 'soft small' }, 'Write a position, or change it by hand on the board.'),
      this.text,
      this.verdict,
      this.byHand,
      el('div', { className: 'row', style: 'margin-top:10px' }, this.play, button('The position on the board', () => this.leave()), copy(this.text)),
      this.results,
    );
    this.fromGame();
    this.showTools();
  }

  hide(): void {
    if (this.table.sandbox || this.brush) this.leave();
  }

  /** The brushes of the game, for setting up by hand. */
  private showTools(): void {
    const { info } = this.table;
    if (!info || this.shownTools === info.name) return;
    this.shownTools = info.name;
    this.brush = '';
    const brushes = info.brushes ?? [];
    this.tools.replaceChildren();
    for (const { brush, name, at } of brushes) {
      if (!at) {
        this.tools.append(button(name, () => void this.edit(brush, ''), { 'data-brush': brush }));
        continue;
      }
      const one = button(name, () => this.take(brush === this.brush ? '' : brush), { role: 'radio', 'aria-checked': 'false', 'data-brush': brush });
      this.tools.append(one);
    }
    this.byHand.replaceChildren();
    if (brushes.length) this.byHand.append(el('h3', {}, 'By hand: choose one, then point at the board'), this.tools);
  }

  /** From now on a click on the board changes the position. */
  private take(brush: string): void {
    this.brush = brush;
    for (const one of this.tools.querySelectorAll('[role=radio]')) {
      const on = one.getAttribute('data-brush') === brush && brush !== '';
      one.setAttribute('aria-checked', String(on));
      one.setAttribute('aria-pressed', String(on));
    }
    // At once: a click that comes before the next answer must not play a move.
    if (brush && this.legal) this.showOnBoard(this.legal);
    else if (brush) void this.check();
    else this.leave();
  }

  private fromGame(): void {
    this.table.sandbox = false;
    this.text.value = this.table.state?.position ?? '';
    void this.check();
  }

  /** Back to the game. */
  private leave(): void {
    this.table.sandbox = false;
    for (const one of this.tools.querySelectorAll('[role=radio]')) {
      one.setAttribute('aria-checked', 'false');
      one.setAttribute('aria-pressed', 'false');
    }
    this.brush = '';
    this.table.refresh();
    this.text.value = this.table.state?.position ?? '';
    void this.check();
  }

  private async check(): Promise<void> {
    const number = ++this.number;
    const position = this.text.value.trim();
    const answer = await this.table.engine.ask('check', { position }).answer;
    if (number !== this.number) return;
    if ('failed' in answer) this.say({ legal: false, why: answer.failed });
    if ('done' in answer) this.say(answer.done);
  }

  private say(check: Check): void {
    if (check.legal) this.legal = check;
    this.play.disabled = !check.legal;
    this.results.hidden = !check.legal;
    this.verdict.className = check.legal ? '' : 'fault';
    if (!check.legal) {
      const board = this.table.sandbox ? '\nThe board shows the last position that was legal.' : '';
      this.verdict.textContent = `Not legal: ${check.why}${board}`;
    } else {
      this.verdict.textContent = `Legal: ${check.end?.text ?? check.status}`;
      this.line.value = check.line;
      this.rust.value = check.rust;
    }
    const same = this.text.value.trim() === this.table.state?.position;
    if (this.brush || (check.legal && !same)) this.showOnBoard(check);
    else if (same && this.table.sandbox) this.leave();
  }

  private showOnBoard(check: Check): void {
    this.table.sandbox = true;
    if (!check.legal) return;
    const moves = this.brush ? check.areas.map((area) => ({ move: area.target, path: [area.target] })) : [];
    const label = `Setting up: ${check.status}`;
    this.board.mark([]);
    this.board.show({ drawing: check.drawing, areas: check.areas, moves, threats: [], label });
  }

  /** A target was pointed at while setting up. */
  async pointed(target: string): Promise<void> {
    await this.edit(this.brush, target);
  }

  private async edit(brush: string, target: string): Promise<void> {
    const answer = await this.table.engine.ask('edit', { position: this.text.value.trim(), brush, target }).answer;
    if ('failed' in answer) this.table.onNotice.send(answer.failed);
    if (!('done' in answer)) return;
    this.text.value = answer.done.position;
    await this.check();
  }

  private async begin(): Promise<void> {
    const { info, seats } = this.table;
    if (!info) return;
    const problem = await this.table.tryStart({ game: info.name, position: this.text.value.trim() }, seats);
    if (problem === null) this.leave();
    else this.say({ legal: false, why: problem });
  }
}
