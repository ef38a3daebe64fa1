// What stands under the board: whose turn it is, the parts of the move that is being built, and the steps through the game.

import type { Board } from './board';
import { button, el } from './dom';
import { icon } from './icons';
import type { Frame } from './frame';
import { nameOf } from './players';
import type { PlayerName } from './protocol';
import { YOU, type Table } from './table';

const PACES: readonly [number, string][] = [
  [0, 'at once'],
  [200, 'fast'],
  [500, 'usual speed'],
  [1500, 'slow'],
  [4000, 'very slow'],
];

export class Below {
  private readonly entry = el('input', {
    type: 'text',
    placeholder: 'type a move',
    size: 9,
    'aria-label': 'Type a move',
    id: 'entry',
    spellcheck: false,
    autocomplete: 'off',
    autocapitalize: 'off',
  });
  private readonly back = button(icon('undo'), () => void this.table.takeBack(), { className: 'icon', title: 'Take back (u)', 'aria-label': 'Take back' });
  private readonly forth = button(icon('redo'), () => this.table.redo(), { className: 'icon', title: 'Redo (r)', 'aria-label': 'Redo' });
  private readonly first = button(icon('first'), () => this.to(0), { className: 'icon', title: 'To the start (Home)', 'aria-label': 'To the start' });
  private readonly before = button(icon('back'), () => this.table.step(-1), { className: 'icon', title: 'Back (←)', 'aria-label': 'A turn back' });
  private readonly run = button(icon('play'), () => this.table.toggle(), { className: 'icon', title: 'Play or hold (p)', id: 'run' });
  private readonly after = button(icon('on'), () => this.table.step(1), { className: 'icon', title: 'On (→)', 'aria-label': 'A turn on' });
  private readonly last = button(icon('last'), () => this.to(Infinity), { className: 'icon', title: 'To the end (End)', 'aria-label': 'To the end' });
  private readonly pace = el('select', { 'aria-label': 'Speed of bots and replays' });
  /** Whom the person who sits in the other seat must not see choosing. */
  private curtainFor: PlayerName | null = null;
  private uncovered = '';

  constructor(
    private readonly frame: Frame,
    private readonly table: Table,
    private readonly board: Board,
  ) {
    for (const [pace, name] of PACES) this.pace.append(el('option', { value: String(pace) }, name));
    this.pace.value = String(table.pace);
    this.pace.onchange = () => {
      table.pace = Number(this.pace.value);
    };
    const gap = (): HTMLElement => el('span', { className: 'gap' });
    const flip = button(icon('flip'), () => board.flip(), { className: 'icon', title: 'Turn the board (f)', 'aria-label': 'Turn the board' });
    const form = el('form', { className: 'row' }, this.entry);
    form.onsubmit = (event) => {
      event.preventDefault();
      this.enter();
    };
    frame.steps.append(this.first, this.before, this.run, this.after, this.last, this.pace, gap(), this.back, this.forth, flip, gap(), form);
    table.onState.on(() => this.show());
    table.onPreview.on(() => this.show());
    table.onThinking.on(() => this.showStatus());
  }

  show(): void {
    const { state, table } = { state: this.table.state, table: this.table };
    this.back.disabled = !state || (state.ply === 0 && state.chosen.length === 0);
    this.forth.disabled = !state || table.atTip;
    this.first.disabled = this.before.disabled = !state || (state.ply === 0 && !table.preview);
    this.after.disabled = this.last.disabled = !state || (table.atTip && !table.preview);
    const goes = table.running || table.replaying;
    this.run.replaceChildren(icon(goes ? 'hold' : 'play'));
    this.run.setAttribute('aria-label', goes ? 'Hold' : 'Play');
    this.entry.disabled = table.chooser === null;
    this.showStatus();
    this.showCurtain();
    this.showParts();
  }

  /** The parts of the move that is being built, and those to choose from that are not on the board. */
  showParts(): void {
    const { board, table, frame } = this;
    frame.parts.replaceChildren();
    frame.host.classList.toggle('picking', !board.choice.empty);
    const { preview } = table;
    if (preview) {
      const words = `Looking ahead: ${preview.at} of ${preview.turns.length} turns`;
      frame.parts.append(el('span', { className: 'soft' }, words));
      if (!preview.pinned) return;
      const ahead = (by: number): void => table.look(preview.turns, preview.at + by, true);
      frame.parts.append(
        button(icon('back'), () => ahead(-1), { className: 'icon', 'aria-label': 'Back in the line', disabled: preview.at <= 1 }),
        button(icon('on'), () => ahead(1), { className: 'icon', 'aria-label': 'On in the line', disabled: preview.at >= preview.turns.length }),
        button('Play these', () => void table.go('play', { turns: preview.turns.slice(0, preview.at).join(' ') })),
        button('Back to the game', () => table.look(null)),
      );
      return;
    }
    const loose = board.loose();
    for (const target of board.choice.path) frame.parts.append(el('span', { className: 'chosen' }, board.nameOf(target)));
    const list = loose.length > 12 ? el('span', { className: 'many' }) : frame.parts;
    for (const target of loose) list.append(button(target, () => board.point(target), { 'data-loose': target }));
    if (list !== frame.parts) frame.parts.append(list);
    if (!board.choice.empty) frame.parts.append(button('take back', () => board.back(), { className: 'plain', title: 'Escape' }));
    const { state } = table;
    const bots = state?.active.some((player) => !table.isPerson(player)) ?? false;
    if (state && bots && !table.over && !table.atTip && !table.replaying) {
      frame.parts.append(button('Let the bot play on from here', () => table.goOnFromHere()));
    }
    if (state && bots && table.atTip && !table.over && !table.running && table.seats.every((seat) => seat !== YOU)) {
      frame.parts.append(button(state.ply ? 'Go on' : 'Start the bots', () => table.toggle()));
    }
  }

  private showStatus(): void {
    this.frame.status.textContent = statusWords(this.table);
  }

  /** Where two people choose hidden from each other on one screen, the second is asked first whether the first looks away. */
  private showCurtain(): void {
    const { table, frame } = this;
    const { state, chooser } = table;
    const persons = state?.both && state.active.every((player) => table.isPerson(player));
    const key = `${state?.link} ${state?.chosen.join()}`;
    const other = state?.chosen[0];
    if (!persons || !chooser || !other || this.uncovered === key) {
      frame.curtain.hidden = true;
      this.curtainFor = null;
      return;
    }
    if (this.curtainFor === chooser && !frame.curtain.hidden) return;
    this.curtainFor = chooser;
    const ready = button(`${table.side(chooser)} is at the screen`, () => {
      this.uncovered = key;
      frame.curtain.hidden = true;
      this.board.focus();
    });
    ready.className = 'main';
    const words = `${table.side(other)} has chosen, hidden. Now ${table.side(chooser)} chooses.`;
    frame.curtain.replaceChildren(el('p', {}, words), ready);
    frame.curtain.hidden = false;
    ready.focus();
  }

  focusEntry(): void {
    this.entry.focus();
    this.entry.select();
  }

  private enter(): void {
    const { table } = this;
    const player = table.chooser;
    const text = this.entry.value.trim();
    if (!player || !text) return;
    this.entry.value = '';
    this.frame.curtain.hidden = true;
    void table.play(player, text);
  }

  private to(ply: number): void {
    this.table.pause();
    this.table.goto(ply);
  }
}

/** Whose turn it is, or how the game ended. */
export function statusWords(table: Table): string {
  const { state, preview } = table;
  if (!state) return 'starting …';
  if (preview?.look) return preview.look.end?.text ?? preview.look.status;
  if (state.end) return state.end.text;
  if (table.over && state.result) return state.result.text;
  if (table.thinking) return `${table.side(table.thinking.player)} (${nameOf(table, table.thinking.player)}) thinks …`;
  if (state.both) {
    const chooser = table.chooser;
    const chosen = state.chosen.map((player) => `${table.side(player)} has chosen`).join(', ');
    if (chooser) return `${chosen ? `${chosen}; ` : ''}${table.side(chooser)} chooses${chosen ? '' : ', hidden'}`;
  }
  return state.status;
}
