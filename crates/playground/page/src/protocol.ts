// The messages between page and engine, as ../../PROTOCOL.md describes them.

import type { Area } from './board';
import type { Playable } from './choice';
import type { Drawing } from './drawing';

export type PlayerName = 'p1' | 'p2';

export const PLAYERS: readonly PlayerName[] = ['p1', 'p2'];

export interface Score {
  value?: number;
  winner?: PlayerName;
  plies?: number;
  text: string;
  chance: number;
}

export interface Thought {
  score?: Score;
  depth?: number;
  nodes?: number;
  playouts?: number;
  seconds?: number;
}

export interface TurnInfo {
  text: string;
  moves: Partial<Record<PlayerName, string>>;
  paths: Partial<Record<PlayerName, string[]>>;
  thoughts: Partial<Record<PlayerName, Thought>>;
}

export interface End {
  outcome: PlayerName | 'draw';
  reason: string;
  text: string;
}

export interface State {
  game: string;
  setup: string;
  seed: number;
  names: [string, string];
  ply: number;
  plies: number;
  turns: TurnInfo[];
  start: string;
  position: string;
  picture: string;
  active: PlayerName[];
  both: boolean;
  chosen: PlayerName[];
  end: End | null;
  result: End | null;
  status: string;
  drawing: Drawing;
  areas: Area[];
  legal: Partial<Record<PlayerName, Playable[]>>;
  key: string;
  occurrences: number;
  link: string;
}

export interface BotOption {
  key: string;
  kind: 'integer' | 'number' | 'choice' | 'flag' | 'text';
  min?: number;
  max?: number;
  values?: string[];
  what?: string;
  default: string;
  about: string;
}

export interface BotInfo {
  name: string;
  about: string;
  options: BotOption[];
}

export interface GameInfo {
  name: string;
  title: string;
  sides: [string, string];
  simultaneous: boolean;
  setups: { setup: string; name: string }[];
  notation: string;
  rules: string;
  usual: string;
  strongest: string;
  analyst: string;
  treeBots: string[];
  bots: BotInfo[];
  /** What one can set up by hand: each brush changes a position text at a target. */
  brushes?: { brush: string; name: string; at: boolean }[];
}

export interface Games {
  version: string;
  native: boolean;
  processors: number;
  games: GameInfo[];
  seats?: [string, string];
  limits?: string;
}

export interface Line {
  move: string;
  path: string[];
  score?: Score;
  bound?: 'exact' | 'upper' | 'lower';
  visits?: number;
  share?: number;
  pv: string[];
}

export interface ShareOf {
  move: string;
  path: string[];
  share: number;
}

export interface Mixed {
  value: number;
  gap: number;
  chance: number;
  p1: ShareOf[];
  p2: ShareOf[];
}

export interface Analysis {
  ply: number;
  player: PlayerName;
  score?: Score;
  depth?: number;
  nodes?: number;
  playouts?: number;
  seconds?: number;
  speed?: number;
  why?: string;
  lines: Line[];
  mixed: Mixed | null;
}

export interface Thinking {
  ply: number;
  player: PlayerName;
  move: string;
  path: string[];
  thought: Thought;
  analysis: Analysis | null;
}

export interface Look {
  position: string;
  drawing: Drawing;
  end: End | null;
  status: string;
}

export interface Reach {
  player: PlayerName;
  legal: Playable[];
}

export type Check =
  | { legal: true; position: string; drawing: Drawing; areas: Area[]; end: End | null; status: string; line: string; rust: string }
  | { legal: false; why: string };

export interface ListedGame {
  number: number;
  game: string;
  event?: string;
  round?: number;
  players: [string, string];
  outcome?: string | null;
  reason?: string | null;
  plies: number;
}

export interface GameList {
  total: number;
  broken: number;
  games: ListedGame[];
}

export interface Matrix {
  p1: string[];
  p2: string[];
  values: number[][];
  shares: { p1: number[]; p2: number[] };
  value: number;
}

export interface Mistake {
  ply: number;
  player: PlayerName;
  loss: number;
  best: string;
}

export interface Review {
  scores: (Score | null)[];
  best: (string | null)[];
  mistakes: Mistake[];
}

export interface TreeChild {
  move: string;
  path: string[];
  visits?: number | null;
  score?: Score | null;
  bound?: string | null;
  share?: number | null;
  proof?: PlayerName | 'draw' | null;
  depth?: number | null;
}

export interface Tree {
  line: string[];
  player: PlayerName | null;
  position: string;
  drawing: Drawing;
  end: End | null;
  nodes: number;
  children: TreeChild[];
}

export interface LessonNode {
  node: number;
  parent: number | null;
  move: string | null;
  player: PlayerName | null;
  visits: number;
  mean: number;
  untried: number;
  ucb?: number;
}

export interface Lesson {
  iterations: number;
  last?: {
    select: { node: number; move?: string; ucb?: number }[];
    expand: { node: number; parent: number; move: string } | null;
    playout: { turns: string[]; more: number; end: { outcome: string; text: string } | null };
    backup: { node: number; visits: number; mean: number }[];
  } | null;
  nodes: LessonNode[];
}

export interface TextbookNode {
  id: number;
  parent: number | null;
  children: number[];
  max: boolean;
  leaf?: number;
}

export interface TextbookStep {
  step: 'enter' | 'leaf' | 'back' | 'cut' | 'leave';
  node: number;
  from?: number;
  value?: number;
  alpha?: number | null;
  beta?: number | null;
  after?: number;
  left?: number[];
}

export interface Textbook {
  nodes: TextbookNode[];
  steps: TextbookStep[];
  value: number;
  best: number;
  leaves: number;
}

/** What each request asks and what its `done` holds. */
export interface Requests {
  games: [object, Games];
  new: [{ game: string; setup?: string; seed?: number; position?: string; turns?: string; names?: [string, string] }, State];
  show: [object, State];
  play: [{ player?: PlayerName; move?: string; turns?: string; ply?: number; thought?: Thought }, State];
  undo: [{ count?: number }, State];
  redo: [{ count?: number }, State];
  goto: [{ ply: number }, State];
  look: [{ turns: string }, Look];
  reach: [object, Reach | null];
  check: [{ game?: string; position: string }, Check];
  edit: [{ game?: string; position: string; brush: string; target: string }, { position: string }];
  open: [{ name?: string; text?: string; game?: number; from?: number; count?: number }, State | GameList];
  link: [{ text: string }, State];
  save: [object, { name: string; text: string }];
  resign: [{ player: PlayerName }, State];
  stop: [{ of?: number }, object];
  textbook: [{ tree: string; search: 'minimax' | 'alphabeta' }, Textbook];
  lesson: [{ start?: boolean; steps?: number; seed?: number; c?: number }, Lesson];
  think: [{ player: PlayerName; bot: string; limits: string; seed?: number }, Thinking];
  analyse: [{ bot?: string; limits: string; lines?: number; seed?: number }, Analysis];
  matrix: [{ size: number; limits: string; bot?: string }, Matrix];
  review: [{ bot?: string; limits: string }, Review];
  tree: [{ bot: string; limits: string; line: string[]; seed?: number }, Tree];
}

export type Kind = keyof Requests;

/** The one final answer of a request. */
export type Answer<T> = { done: T } | { stopped: true } | { failed: string };
