// Choosing who plays: a person, a bot with its options, or in the program's own page a bot from outside.

import { el } from './dom';
import { openDialog } from './frame';
import { button } from './dom';
import type { BotInfo, BotOption, GameInfo, PlayerName } from './protocol';
import { YOU, type Table } from './table';

/** The limits that are offered, with their names for people. */
export const LIMITS: readonly [string, string][] = [
  ['movetime=200ms', 'a fifth of a second'],
  ['movetime=1s', 'a second'],
  ['movetime=3s', '3 seconds'],
  ['movetime=10s', '10 seconds'],
  ['nodes=2000,playouts=200', '2,000 nodes or 200 playouts (the same everywhere)'],
  ['nodes=20000,playouts=2000', '20,000 nodes or 2,000 playouts (the same everywhere)'],
];

/** A choice of one player. */
export class SeatPicker {
  readonly node: HTMLElement;
  private readonly choice: HTMLSelectElement;
  private readonly text: HTMLInputElement;
  private readonly about = el('p', { className: 'soft small' });
  private readonly options = el('div', { className: 'fields' });
  private readonly details: HTMLDetailsElement;

  constructor(
    label: string,
    private readonly info: GameInfo,
    native: boolean,
    seat: string,
  ) {
    this.choice = el('select', { 'aria-label': label });
    this.choice.append(el('option', { value: YOU }, 'a person'));
    for (const { name, bots } of grouped(info.bots)) {
      const group = el('optgroup', { label: name });
      for (const bot of bots) group.append(el('option', { value: bot.spec }, bot.label));
      this.choice.append(group);
    }
    if (native) this.choice.append(el('option', { value: 'ugi:' }, 'another program (ugi:COMMAND)'));
    const help = 'A bot and its options, such as alphabeta:depth=4';
    this.text = el('input', { type: 'text', 'aria-label': `${label}: bot with options`, title: help, spellcheck: false, autocomplete: 'off' });
    const inside = el('div', {}, this.about, el('div', { className: 'fields' }, el('label', {}, 'written'), this.text), this.options);
    this.details = el('details', { className: 'small' }, el('summary', {}, 'options'), inside);
    this.node = el('div', {}, this.choice, this.details);
    this.choice.onchange = () => this.take(this.choice.value);
    this.text.oninput = () => this.showOptions();
    // A level may be written by its number alone.
    seat = seat.replace(/^level:(?=\d+$)/, 'level:level=');
    this.take(seat);
    const listed = [...this.choice.options].some((option) => option.value === seat);
    if (!listed) {
      this.choice.append(el('option', { value: seat }, seat));
      this.choice.value = seat;
    }
  }

  get seat(): string {
    return this.choice.value === YOU ? YOU : this.text.value.trim() || YOU;
  }

  private take(seat: string): void {
    this.choice.value = seat;
    this.text.value = seat === YOU ? '' : seat;
    this.details.hidden = seat === YOU;
    if (seat === 'ugi:') this.details.open = true;
    this.showOptions();
  }

  private showOptions(): void {
    const [name = '', ...rest] = this.text.value.split(':');
    const bot = this.info.bots.find((other) => other.name === name);
    this.about.textContent = bot?.about ?? (name === 'ugi' ? 'Any program that speaks UGI; after ugi: its command line.' : '');
    const values = new Map(pairs(rest.join(':')));
    if (this.options.contains(document.activeElement)) return;
    this.options.replaceChildren();
    for (const option of bot?.options ?? []) {
      const field = fieldOf(option, values.get(option.key), (value) => {
        if (value === null) values.delete(option.key);
        else values.set(option.key, value);
        const written = [...values].map(([key, given]) => `${key}=${given}`).join(',');
        this.text.value = written ? `${name}:${written}` : name;
      });
      field.title = option.about;
      this.options.append(el('label', { title: option.about }, option.key), field);
    }
  }
}

function pairs(text: string): [string, string][] {
  const parts = text.split(',').filter(Boolean);
  return parts.map((part): [string, string] => {
    const at = part.indexOf('=');
    return at < 0 ? [part, ''] : [part.slice(0, at), part.slice(at + 1)];
  });
}

/** A field for one option; an empty one leaves it out. */
function fieldOf(option: BotOption, value: string | undefined, changed: (value: string | null) => void): HTMLElement {
  const usual = option.default ? `usually ${option.default}` : 'usually none';
  const label = { 'aria-label': `${option.key}: ${option.about}` };
  if (option.kind === 'choice' || option.kind === 'flag') {
    const values = option.kind === 'flag' ? ['true', 'false'] : (option.values ?? []);
    const select = el('select', label, el('option', { value: '' }, usual), ...values.map((each) => el('option', { value: each }, each)));
    select.value = value ?? '';
    select.onchange = () => changed(select.value || null);
    return select;
  }
  const input = el('input', { ...label, placeholder: usual, value: value ?? '', autocomplete: 'off', spellcheck: false });
  if (option.kind === 'integer' || option.kind === 'number') {
    input.type = 'number';
    input.step = option.kind === 'integer' ? '1' : 'any';
    if (option.min !== undefined) input.min = String(option.min);
    if (option.max !== undefined) input.max = String(option.max);
  }
  input.oninput = () => changed(input.value.trim() || null);
  return input;
}

interface Offered {
  spec: string;
  label: string;
}

/** Bots as they are offered: levels one by one, then the others. */
function grouped(bots: readonly BotInfo[]): { name: string; bots: Offered[] }[] {
  const levels: Offered[] = [];
  const others: Offered[] = [];
  for (const bot of bots) {
    const levelled = bot.name === 'level' ? bot.options.find((option) => option.kind === 'integer' && option.max !== undefined && option.max <= 20) : undefined;
    if (levelled) {
      const names = levelNames(bot);
      for (let level = levelled.min ?? 1; level <= (levelled.max ?? 8); level += 1) {
        levels.push({ spec: `${bot.name}:${levelled.key}=${level}`, label: names.get(level) ?? `level ${level}` });
      }
    } else others.push({ spec: bot.name, label: bot.name });
  }
  const groups = [{ name: 'Levels', bots: levels }, { name: 'Bots', bots: others }];
  return groups.filter((group) => group.bots.length > 0);
}

function levelNames(bot: BotInfo): Map<number, string> {
  const names = new Map<number, string>();
  // What the catalogue says of levels may hold an Elo for each: "1 to 8 are +125, +381, ... Elo over random".
  const list = /(\d+) to \d+ are ((?:[+-]?\d+, )*[+-]?\d+) Elo/.exec(bot.about);
  const first = Number(list?.[1]);
  for (const [at, elo] of (list?.[2] ?? '').split(', ').entries()) {
    if (elo) names.set(first + at, `level ${first + at}, ${elo} Elo`);
  }
  return names;
}

/** What people call a seat: a level by its number, a bot by its spec. */
export function seatName(seat: string): string {
  const level = /^level:(?:level=)?(\d+)$/.exec(seat);
  return level ? `level ${level[1]}` : seat;
}

/** A beginner's opponent. */
export function beginner(info: GameInfo): string {
  const level = grouped(info.bots).find((group) => group.name === 'Levels');
  return level?.bots[1]?.spec ?? info.bots.find((bot) => bot.name === 'random')?.name ?? YOU;
}

/** Asks who plays one side. */
export function choosePlayer(table: Table, player: PlayerName): void {
  if (!table.info) return;
  const side = table.side(player);
  const picker = new SeatPicker(side, table.info, table.games.native, table.seat(player));
  const limits = limitsField(table.limits);
  const body = el('div', { className: 'fields' }, el('label', {}, side), picker.node, el('label', {}, 'bots think'), limits.node);
  const take = button('Sit down', () => {
    dialog.close();
    table.limits = limits.value();
    table.sit(player, picker.seat);
  });
  take.className = 'main';
  const dialog = openDialog(`Who plays ${side}?`, body, take);
}

/** A field for the limits of bots: one of those offered, or written. */
export function limitsField(value: string): { node: HTMLElement; value: () => string } {
  const select = el('select', { 'aria-label': 'How long bots think' });
  for (const [limits, name] of LIMITS) select.append(el('option', { value: limits }, name));
  select.append(el('option', { value: '' }, 'as written …'));
  const label = 'Limits, such as nodes=5000 or movetime=2s';
  const text = el('input', { value, 'aria-label': label, title: label, spellcheck: false, autocomplete: 'off' });
  const listed = LIMITS.some(([limits]) => limits === value);
  select.value = listed ? value : '';
  text.hidden = listed;
  select.onchange = () => {
    text.hidden = select.value !== '';
    if (select.value) text.value = select.value;
    else text.focus();
  };
  return { node: el('div', {}, select, text), value: () => text.value.trim() };
}
