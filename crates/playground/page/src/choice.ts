// A move is a path of targets. This is the part that has been pointed at, and what may be pointed at next.

export interface Playable {
  move: string;
  path: string[];
}

export type Pointed =
  /** The path of this move is complete. */
  | { kind: 'move'; move: string }
  /** The path grew, shrank or began anew. */
  | { kind: 'changed' }
  /** Nothing legal goes on there. */
  | { kind: 'nothing' };

export class Choice {
  /** What has been pointed at, in order. */
  private prefix: string[] = [];
  /** What was pointed at ahead of its turn, such as the square before the number. */
  private ahead: string[] = [];

  constructor(private moves: readonly Playable[]) {}

  /** Other legal moves: the choice begins anew. */
  reset(moves: readonly Playable[]): void {
    this.moves = moves;
    this.clear();
  }

  clear(): void {
    this.prefix = [];
    this.ahead = [];
  }

  get path(): readonly string[] {
    return [...this.prefix, ...this.ahead];
  }

  get empty(): boolean {
    return this.prefix.length === 0 && this.ahead.length === 0;
  }

  /** The legal moves that go on with what was pointed at. */
  candidates(): Playable[] {
    return this.moves.filter((playable) => this.fits(playable.path));
  }

  private fits(path: readonly string[]): boolean {
    const rest = path.slice(this.prefix.length);
    return this.prefix.every((target, at) => path[at] === target) && this.ahead.every((target) => rest.includes(target));
  }

  /** What may be pointed at now. */
  next(): Set<string> {
    const at = this.prefix.length;
    return new Set(this.candidates().flatMap((playable) => playable.path.slice(at, at + 1)));
  }

  /** What may be pointed at now although something else comes first: only once a move has begun. */
  later(): Set<string> {
    if (this.empty) return new Set();
    const at = this.prefix.length + 1;
    return new Set(this.candidates().flatMap((playable) => playable.path.slice(at)));
  }

  /** What a move may begin with. */
  first(): Set<string> {
    return new Set(this.moves.flatMap((playable) => playable.path.slice(0, 1)));
  }

  point(target: string): Pointed {
    if (this.next().has(target)) {
      this.prefix.push(target);
      this.ahead = this.ahead.filter((other) => other !== target);
      return this.settle();
    }
    if (this.prefix.at(-1) === target) {
      this.back();
      return { kind: 'changed' };
    }
    if (this.later().has(target) && !this.ahead.includes(target)) {
      this.ahead.push(target);
      return this.settle();
    }
    if (this.first().has(target)) {
      this.clear();
      this.prefix.push(target);
      return this.settle();
    }
    return { kind: 'nothing' };
  }

  /** Goes on by itself where the targets pointed at ahead leave one way. */
  private settle(): Pointed {
    const candidates = this.candidates();
    const [only] = candidates;
    if (only && candidates.length === 1) {
      const open = only.path.slice(this.prefix.length).filter((target) => !this.ahead.includes(target));
      if (open.length === 0 || this.ahead.length > 0) return { kind: 'move', move: only.move };
    }
    return { kind: 'changed' };
  }

  /** Takes the last target back. */
  back(): void {
    if (this.ahead.length) this.ahead.pop();
    else this.prefix.pop();
  }
}
