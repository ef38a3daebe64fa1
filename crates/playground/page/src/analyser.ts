// The analysis that runs beside the game: started anew at each position, with the answers of earlier ones dropped.

import type { Mark } from './marks';
import { percent } from './players';
import type { Analysis, Line, Score } from './protocol';
import { Signal } from './signal';
import { index, type Table } from './table';

export class Analyser {
  on = false;
  lines = 4;
  /** Empty: the game's own analyst. */
  bot = '';
  latest: Analysis | null = null;
  searching = false;
  fault = '';
  readonly onChange = new Signal();
  private running: number | null = null;
  private game = '';
  private frame = 0;

  constructor(private readonly table: Table) {
    table.onState.on(() => this.follow());
  }

  toggle(): void {
    this.on = !this.on;
    if (this.on) this.begin();
    else this.halt();
  }

  /** The switch stays, the search ends. */
  stop(): void {
    if (this.running !== null) this.table.engine.ask('stop', { of: this.running });
  }

  /** Other lines or another bot: from the beginning. */
  again(): void {
    if (this.on) this.begin();
  }

  /** The bot that analyses unless another is chosen: where both choose at once, one that knows mixed strategies. */
  usual(): string {
    const { info } = this.table;
    return info ? (info.simultaneous ? info.strongest : info.analyst) : '';
  }

  private follow(): void {
    const { state } = this.table;
    if (state && state.game !== this.game) {
      this.game = state.game;
      this.bot = '';
    }
    if (this.on) this.begin();
    else if (this.latest) this.halt();
  }

  private halt(): void {
    this.stop();
    this.running = null;
    this.searching = false;
    this.latest = null;
    this.onChange.send();
  }

  private begin(): void {
    const { table } = this;
    this.fault = '';
    this.latest = null;
    if (!table.state || table.state.end) {
      this.halt();
      return;
    }
    const body = { limits: '', lines: this.lines, bot: this.bot || this.usual() };
    const request = table.engine.ask('analyse', body, (progress) => {
      if (this.running === request.id) this.take(progress as Analysis);
    });
    this.running = request.id;
    this.searching = true;
    this.onChange.send();
    void request.answer.then((answer) => {
      if (this.running !== request.id) return;
      this.running = null;
      this.searching = false;
      if ('done' in answer) this.latest = answer.done;
      else if ('stopped' in answer && this.latest) this.latest = { ...this.latest, why: 'stopped' };
      if ('failed' in answer) this.fault = answer.failed;
      this.onChange.send();
    });
  }

  /** Progress is shown at most once a frame. */
  private take(analysis: Analysis): void {
    this.latest = analysis;
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.onChange.send();
    });
  }

  /** The score to show: of the analysis, or of what was last thought. */
  score(): Score | null {
    if (this.latest?.mixed) {
      const { chance, value } = this.latest.mixed;
      return { chance, value, text: signed(value) };
    }
    return this.latest?.score ?? null;
  }

  /** The best moves as marks on the board. */
  marks(): Mark[] {
    const { latest } = this;
    if (!latest || latest.ply !== this.table.state?.ply) return [];
    if (latest.mixed) {
      const { p1, p2 } = latest.mixed;
      const of = (player: 0 | 1) => (each: { path: string[]; share: number }, rank: number): Mark => ({
        path: each.path,
        text: percent(each.share),
        share: each.share,
        rank,
        player,
      });
      const worth = (each: { share: number }): boolean => each.share >= 0.005;
      return [...p1.filter(worth).map(of(0)), ...p2.filter(worth).map(of(1))];
    }
    const player = index(latest.player);
    const lines = latest.lines.slice(0, this.lines);
    return lines.map((line, rank): Mark => ({ path: line.path, text: lineScore(line), rank, player }));
  }
}

export function signed(value: number): string {
  return `${value > 0 ? '+' : value < 0 ? '−' : ''}${Math.abs(value).toFixed(2)}`;
}

/** The score of a line, with the sign of a bound; for searches of playouts their chance. */
export function lineScore(line: Line): string {
  if (!line.score) return line.share === undefined ? '' : percent(line.share);
  const bound = line.bound === 'upper' ? '≤ ' : line.bound === 'lower' ? '≥ ' : '';
  return bound + short(line.score);
}

/** A score in a few letters. */
export function short(score: Score): string {
  if (score.winner) return `${score.winner === 'p1' ? '+' : '−'}#${score.plies ?? ''}`;
  return score.text;
}
