// The two players: who sits where, how long they thought, and what they think of the game.

import { button, el } from './dom';
import { choosePlayer, seatName } from './seats';
import { PLAYERS, type PlayerName, type Thought } from './protocol';
import { YOU, index, type Table } from './table';

export class Players {
  private readonly cards = new Map<PlayerName, { card: HTMLElement; who: HTMLElement; thinks: HTMLElement; token: HTMLElement }>();

  constructor(
    host: HTMLElement,
    private readonly table: Table,
  ) {
    for (const player of PLAYERS) {
      const token = el('span', { className: 'token', 'aria-hidden': 'true' });
      const who = el('span', { className: 'who' });
      const thinks = el('span', { className: 'thinks number' });
      const change = button('Change', () => choosePlayer(table, player));
      const card = el('div', { className: `player ${index(player) ? 'second' : 'first'}` }, token, who, change, thinks);
      change.setAttribute('aria-label', `Change who plays ${player}`);
      this.cards.set(player, { card, who, thinks, token });
      host.append(card);
    }
    table.onState.on(() => this.show());
    table.onThinking.on(() => this.show());
    this.show();
  }

  private show(): void {
    const { table } = this;
    for (const [player, { card, who, thinks, token }] of this.cards) {
      const side = table.side(player);
      const name = nameOf(table, player);
      who.textContent = `${side}: ${name}`;
      who.title = who.textContent;
      token.textContent = side.slice(0, 1);
      const turn = table.state?.active.includes(player) && !table.over && !table.state.chosen.includes(player);
      card.classList.toggle('turn', Boolean(turn));
      thinks.textContent = this.words(player);
    }
  }

  /** What a player thinks, in short. */
  private words(player: PlayerName): string {
    const { table } = this;
    if (table.thinking?.player === player) {
      const seen = table.thinking.analysis;
      return seen ? `thinking … ${thoughtWords(seen, table.side('p1'))}` : 'thinking …';
    }
    if (table.state?.chosen.includes(player)) return 'has chosen, hidden';
    const turns = table.state?.turns.slice(0, table.state.ply) ?? [];
    const last = turns.findLast((turn) => turn.moves[player] !== undefined);
    return last?.thoughts[player] ? thoughtWords(last.thoughts[player], table.side('p1')) : '';
  }
}

/** Who sits there: of a game that was opened, who played it. */
export function nameOf(table: Table, player: PlayerName): string {
  const seat = table.seat(player);
  if (seat !== YOU) return seatName(seat);
  const recorded = table.state?.names[index(player)];
  return recorded && recorded !== YOU && recorded !== table.side(player) ? seatName(recorded) : 'you';
}

/** A thought in a line. */
export function thoughtWords(thought: Thought, first: string): string {
  const words = [];
  if (thought.score) words.push(thought.score.text, `${percent(thought.score.chance)} for ${first}`);
  if (thought.depth) words.push(`depth ${thought.depth}`);
  if (thought.playouts) words.push(`${count(thought.playouts)} playouts`);
  else if (thought.nodes) words.push(`${count(thought.nodes)} nodes`);
  if (thought.seconds) words.push(`${thought.seconds < 10 ? thought.seconds.toFixed(2) : thought.seconds.toFixed(0)} s`);
  return words.join(', ');
}

export function percent(share: number): string {
  return `${(100 * share).toFixed(share > 0 && share < 0.095 ? 1 : 0)} %`;
}

/** A large number in short. */
export function count(number: number): string {
  if (number < 10_000) return String(Math.round(number));
  if (number < 1_000_000) return `${(number / 1000).toFixed(number < 100_000 ? 1 : 0)}k`;
  return `${(number / 1_000_000).toFixed(1)}M`;
}
