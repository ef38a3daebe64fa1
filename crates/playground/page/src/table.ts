// The table at which a game is played: who sits there, what the engine says of the game, and whose turn it is to act. The
// engine owns the game; this asks it, and keeps what it answered.

import * as address from './address';
import { messageOf } from './dom';
import type { Engine } from './engine';
import {
  PLAYERS,
  type Analysis,
  type Answer,
  type GameInfo,
  type Games,
  type Kind,
  type Look,
  type PlayerName,
  type Requests,
  type State,
  type Thinking,
} from './protocol';
import { Signal } from './signal';

/** The seat of a person; anything else is the spec of a bot. */
export const YOU = 'you';

/** A look ahead on the board: the first `at` of these turns from where the game stands. */
export interface Preview {
  turns: string[];
  at: number;
  /** Whether it stays when the pointer leaves. */
  pinned: boolean;
  look: Look | null;
}

export interface NewGame {
  game: string;
  setup?: string;
  seed?: number;
  position?: string;
  turns?: string;
}

export class Table {
  info: GameInfo | null = null;
  state: State | null = null;
  seats: [string, string] = [YOU, YOU];
  limits = 'movetime=1s';
  /** Milliseconds between two turns of bots or of a replay. */
  pace = 500;
  /** Whether two bots play on by themselves. */
  running = false;
  /** Whether recorded turns are being stepped through. */
  replaying = false;
  preview: Preview | null = null;
  /** Whether the board shows a position that is being set up. */
  sandbox = false;
  /** What the bot that thinks now has seen so far. */
  thinking: { player: PlayerName; analysis: Analysis | null } | null = null;
  tool = '';

  readonly onState = new Signal<{ before: State | null }>();
  readonly onPreview = new Signal();
  readonly onThinking = new Signal();
  readonly onNotice = new Signal<string>();
  /** What a screen reader is told. */
  readonly onSay = new Signal<string>();

  private turnOfDriver = 0;
  private timer = 0;
  private lookNumber = 0;
  private thought: number | null = null;

  constructor(
    readonly engine: Engine,
    readonly games: Games,
  ) {
    if (games.seats) this.seats = [...games.seats];
    if (games.limits) this.limits = games.limits;
  }

  game(name: string): GameInfo | undefined {
    return this.games.games.find((info) => info.name === name);
  }

  side(player: PlayerName): string {
    return this.info?.sides[index(player)] ?? player;
  }

  seat(player: PlayerName): string {
    return this.seats[index(player)];
  }

  isPerson(player: PlayerName): boolean {
    return this.seat(player) === YOU;
  }

  /** Whether the game stands at its last turn. */
  get atTip(): boolean {
    return this.state !== null && this.state.ply === this.state.plies;
  }

  get over(): boolean {
    return this.state !== null && (this.state.end !== null || (this.atTip && this.state.result !== null));
  }

  /** The person who is to act at the board now. */
  get chooser(): PlayerName | null {
    const { state } = this;
    if (!state || this.over || this.preview || this.sandbox) return null;
    return state.active.find((player) => this.isPerson(player) && !state.chosen.includes(player)) ?? null;
  }

  /** Asks the engine for the state that a request leads to. */
  async go<K extends Kind>(kind: K, body: Requests[K][0]): Promise<Answer<Requests[K][1]>> {
    const answer = await this.engine.ask(kind, body).answer;
    if ('failed' in answer) this.onNotice.send(answer.failed);
    else if ('done' in answer) {
      const done = answer.done as unknown as State;
      if (done && 'turns' in done && 'legal' in done) this.take(done);
    }
    return answer;
  }

  /** A game that the engine opened. */
  adopt(state: State): void {
    this.pause();
    this.take(state);
  }

  /** A new state of the game is the truth from now on. */
  private take(state: State): void {
    const before = this.state;
    this.state = state;
    this.info = this.game(state.game) ?? null;
    this.preview = null;
    this.lookNumber += 1;
    this.stopThinking();
    this.writeAddress();
    this.onState.send({ before });
    this.drive();
  }

  /** Starts a game; in words what was wrong with it. */
  async tryStart(game: NewGame, seats: [string, string] = this.seats, limits = this.limits): Promise<string | null> {
    this.pause();
    const answer = await this.engine.ask('new', { ...game, names: [...seats] }).answer;
    if ('failed' in answer) return answer.failed;
    if (!('done' in answer)) return null;
    this.seats = [...seats];
    this.limits = limits;
    this.running = this.seats.every((seat) => seat !== YOU);
    this.take(answer.done);
    return null;
  }

  async start(game: NewGame, seats?: [string, string]): Promise<void> {
    const problem = await this.tryStart(game, seats);
    if (problem !== null) this.onNotice.send(problem);
  }

  sit(player: PlayerName, seat: string): void {
    this.seats[index(player)] = seat;
    this.stopThinking();
    this.writeAddress();
    if (this.state) this.onState.send({ before: this.state });
    this.drive();
  }

  play(player: PlayerName, move: string): Promise<unknown> {
    return this.go('play', { player, move });
  }

  goto(ply: number): void {
    const { state } = this;
    if (!state) return;
    const to = Math.max(0, Math.min(ply, state.plies));
    if (to !== state.ply || this.preview) void this.go('goto', { ply: to });
  }

  /** Steps the person at the table: through the look ahead if there is one, else through the game. */
  step(by: number): void {
    if (this.preview?.pinned) this.look(this.preview.turns, this.preview.at + by, true);
    else {
      this.pause();
      this.goto((this.state?.ply ?? 0) + by);
    }
  }

  /** Takes back the last move that a person made, or the last turn if nobody sits here. */
  async takeBack(): Promise<void> {
    this.pause();
    const { state } = this;
    if (!state) return;
    if (state.chosen.some((player) => this.isPerson(player))) {
      await this.go('undo', {});
      return;
    }
    let to = state.ply - 1;
    const persons = PLAYERS.filter((player) => this.isPerson(player));
    while (persons.length && to > 0 && !persons.some((player) => state.turns[to]?.moves[player] !== undefined)) to -= 1;
    if (to >= 0) this.goto(to);
  }

  /** The other way: as far as a person is to move again. */
  redo(): void {
    this.pause();
    const { state } = this;
    if (!state || this.atTip) return;
    let to = state.ply + 1;
    const persons = PLAYERS.filter((player) => this.isPerson(player));
    const moves = (ply: number): boolean => persons.some((player) => state.turns[ply]?.moves[player] !== undefined);
    while (persons.length && to < state.plies && !moves(to)) to += 1;
    this.goto(to);
  }

  pause(): void {
    clearTimeout(this.timer);
    this.running = false;
    this.replaying = false;
    if (!this.seats.some((seat) => seat === YOU)) this.stopThinking();
  }

  /** Lets bots or the replay go on, or holds them. */
  toggle(): void {
    if (this.running || this.replaying) this.pause();
    else if (!this.atTip) this.replaying = true;
    else if (this.seats.every((seat) => seat !== YOU)) this.running = true;
    else if (this.state?.ply) {
      // At the end of a game for persons: from the beginning.
      this.replaying = true;
      this.goto(0);
      return;
    }
    if (this.state) this.onState.send({ before: this.state });
    this.drive();
  }

  /** Lets the bots play on from here, whatever was played before. */
  goOnFromHere(): void {
    this.running = this.seats.every((seat) => seat !== YOU);
    this.replaying = false;
    this.drive(true);
  }

  /** Shows the game as it stands once more. */
  refresh(): void {
    if (!this.state) return;
    this.onState.send({ before: this.state });
    this.drive();
  }

  /** Shows the board after some turns; `null` goes back to the game. */
  look(turns: string[] | null, at = turns?.length ?? 0, pinned = false): void {
    const number = ++this.lookNumber;
    if (turns === null) {
      if (!this.preview) return;
      this.preview = null;
      this.onPreview.send();
      this.drive();
      return;
    }
    const to = Math.max(0, Math.min(at, turns.length));
    void this.engine.ask('look', { turns: turns.slice(0, to).join(' ') }).answer.then((answer) => {
      if (number !== this.lookNumber || !('done' in answer)) return;
      this.preview = { turns, at: to, pinned, look: answer.done };
      this.onPreview.send();
    });
  }

  /** The page's part of the address. */
  own(): address.Own {
    const own: address.Own = { limits: this.limits };
    if (this.seats.some((seat) => seat !== YOU)) own.seats = this.seats;
    if (this.tool) own.tool = this.tool;
    return own;
  }

  writeAddress(): void {
    if (!this.state) return;
    const text = `#${address.write(this.state.link, this.own())}`;
    if (text !== location.hash) history.replaceState(null, '', text);
  }

  private stopThinking(): void {
    this.turnOfDriver += 1;
    if (this.thought !== null) this.engine.ask('stop', { of: this.thought });
    this.thought = null;
    if (this.thinking) {
      this.thinking = null;
      this.onThinking.send();
    }
  }

  /** Does what comes next by itself: a turn of a replay, or the move of a bot. */
  private drive(here = false): void {
    clearTimeout(this.timer);
    const { state } = this;
    if (!state || this.preview || this.sandbox) return;
    if (this.replaying) {
      if (this.atTip) {
        this.replaying = false;
        this.onState.send({ before: state });
      } else this.timer = setTimeout(() => this.goto(state.ply + 1), this.pace);
      return;
    }
    if (this.over || !(this.atTip || here) || this.thought !== null) return;
    const bot = state.active.find((player) => !this.isPerson(player) && !state.chosen.includes(player));
    if (!bot) return;
    const alone = this.seats.every((seat) => seat !== YOU);
    if (alone && !this.running) return;
    const wait = alone && state.ply > 0 && state.chosen.length === 0 ? this.pace : 0;
    const turn = ++this.turnOfDriver;
    this.timer = setTimeout(() => {
      if (turn === this.turnOfDriver) this.think(bot, state).catch((problem) => this.onNotice.send(messageOf(problem)));
    }, wait);
  }

  private async think(player: PlayerName, state: State): Promise<void> {
    const turn = this.turnOfDriver;
    const { ply, seed } = state;
    this.thinking = { player, analysis: null };
    const request = this.engine.ask('think', { player, bot: this.seat(player), limits: this.limits, seed }, (progress) => {
      if (turn !== this.turnOfDriver) return;
      this.thinking = { player, analysis: progress as Analysis };
      this.onThinking.send();
    });
    this.thought = request.id;
    this.onThinking.send();
    const answer = await request.answer;
    if (this.thought === request.id) this.thought = null;
    if (turn !== this.turnOfDriver) return;
    this.thinking = null;
    if ('failed' in answer) {
      this.running = false;
      this.onThinking.send();
      this.onState.send({ before: state });
      this.onNotice.send(`${this.side(player)} (${this.seat(player)}) cannot move: ${answer.failed}`);
    } else if ('done' in answer) {
      const { move, thought } = answer.done as Thinking;
      this.onThinking.send();
      const played = await this.engine.ask('play', { player, move, ply, thought }).answer;
      // A move that came too late for the game as it stands now is no fault.
      if ('done' in played) this.take(played.done);
      else if (turn === this.turnOfDriver && 'failed' in played) this.onNotice.send(played.failed);
    } else this.onThinking.send();
  }
}

export function index(player: PlayerName): 0 | 1 {
  return player === 'p1' ? 0 : 1;
}
