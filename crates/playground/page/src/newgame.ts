// The dialog for a new game: game, set-up, seed, who plays, and from where.

import { button, el } from './dom';
import { openDialog } from './frame';
import { SeatPicker, limitsField } from './seats';
import type { GameInfo } from './protocol';
import type { NewGame, Table } from './table';

export function chooseGame(table: Table, about: GameInfo | null, position = ''): void {
  let info = about ?? table.games.games[0];
  if (!info) return;
  const game = el('select', { 'aria-label': 'Game' });
  for (const other of table.games.games) game.append(el('option', { value: other.name }, other.title));
  game.value = info.name;
  const setup = el('select', { 'aria-label': 'Set-up' });
  const written = el('input', { 'aria-label': 'Set-up as written', spellcheck: false, autocomplete: 'off' });
  const seed = el('input', { type: 'number', min: '0', step: '1', value: String(Math.floor(Math.random() * 1e6)), 'aria-label': 'Seed' });
  const from = el('input', { value: position, placeholder: 'the start', 'aria-label': 'Position', spellcheck: false, autocomplete: 'off' });
  const limits = limitsField(table.limits);
  const fault = el('p', { className: 'fault', role: 'alert' });
  const body = el('div', {});
  let pickers: [SeatPicker, SeatPicker];

  const fill = (seats: [string, string]): void => {
    if (!info) return;
    setup.replaceChildren(...info.setups.map(({ setup: value, name }) => el('option', { value }, name)));
    setup.append(el('option', { value: '\n' }, 'as written …'));
    const now = table.state?.game === info.name ? table.state.setup : '';
    setup.value = [...setup.options].some((option) => option.value === now) ? now : (info.setups[0]?.setup ?? '');
    written.value = setup.value;
    written.hidden = true;
    const { native } = table.games;
    pickers = [new SeatPicker(info.sides[0], info, native, seats[0]), new SeatPicker(info.sides[1], info, native, seats[1])];
    const label = (text: string): HTMLElement => el('label', {}, text);
    body.replaceChildren(
      el('div', { className: 'fields' }, label('Game'), game, label('Set-up'), el('div', {}, setup, written), label('Seed'), seed,
        label(info.sides[0]), pickers[0].node, label(info.sides[1]), pickers[1].node, label('Bots think'), limits.node, label('From'), from),
      fault,
    );
  };
  game.onchange = () => {
    info = table.game(game.value);
    from.value = '';
    // A bot of another game may have other options: only persons and plain names stay.
    fill(table.seats.map((seat) => (known(info, seat) ? seat : (info?.strongest ?? 'you'))) as [string, string]);
  };
  setup.onchange = () => {
    written.hidden = setup.value !== '\n';
    if (written.hidden) written.value = setup.value;
  };
  fill([...table.seats]);

  const start = button('Start', () => {
    void begin();
  });
  start.className = 'main';
  const begin = async (): Promise<void> => {
    if (!info) return;
    const wanted: NewGame = { game: info.name, setup: written.value.trim(), seed: Math.max(0, Math.floor(Number(seed.value) || 0)) };
    if (from.value.trim()) wanted.position = from.value.trim();
    const seats: [string, string] = [pickers[0].seat, pickers[1].seat];
    const problem = await table.tryStart(wanted, seats, limits.value());
    if (problem === null) dialog.close();
    else fault.textContent = problem;
  };
  const dialog = openDialog('New game', body, start);
  start.focus();
}

function known(info: GameInfo | undefined, seat: string): boolean {
  return seat === 'you' || seat.startsWith('ugi:') || (info?.bots.some((bot) => bot.name === seat.split(':')[0]) ?? false);
}
