// What a screen reader is told: each turn, whose move it is, and how the game ended.

import { statusWords } from './below';
import type { State } from './protocol';
import { PLAYERS } from './protocol';
import type { Table } from './table';

export class Speech {
  private words: string[] = [];
  private timer = 0;

  constructor(
    private readonly host: HTMLElement,
    private readonly table: Table,
  ) {
    table.onState.on(({ before }) => this.after(before));
    table.onSay.on((text) => this.say(text));
  }

  /** Sentences that come close together are told as one. */
  say(text: string): void {
    this.words.push(text);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.host.textContent = this.words.join('. ');
      this.words = [];
    }, 60);
  }

  private after(before: State | null): void {
    const { table } = this;
    const { state } = table;
    if (!state || before === state) return;
    const same = before?.game === state.game && before.start === state.start;
    if (!same) this.say(`${table.info?.title ?? state.game}, a game of ${state.plies} turns`);
    else if (state.ply === before.ply + 1) {
      const turn = state.turns[before.ply];
      for (const player of PLAYERS) {
        const move = turn?.moves[player];
        if (move !== undefined) this.say(`${table.side(player)} plays ${move}`);
      }
    } else if (state.ply !== before.ply) this.say(`turn ${state.ply} of ${state.plies}`);
    this.say(statusWords(table));
  }
}
