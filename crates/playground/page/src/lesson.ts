// Monte Carlo tree search an iteration at a time, in the four phases of the lecture, on the tree of the game on the board.

import { button, el, svg } from './dom';
import { percent } from './players';
import type { Lesson, LessonNode } from './protocol';
import type { Table } from './table';

const PHASES = ['Selection', 'Expansion', 'Simulation', 'Backup'] as const;

/** How many nodes are drawn: the most visited. */
const DRAWN = 40;

export class LessonView {
  private readonly phases = el('div', { className: 'phases', role: 'list' });
  private readonly words = el('p', { role: 'status', id: 'phase' });
  private readonly tree = el('div', { className: 'scroll' });
  private lesson: Lesson | null = null;
  private before: Lesson | null = null;
  private phase = 3;
  private of = '';
  private busy = false;

  constructor(private readonly table: Table) {
    table.onState.on(() => {
      if (this.tree.isConnected && this.of !== table.state?.link) void this.begin();
    });
  }

  show(host: HTMLElement): void {
    const row = el('div', { className: 'row', style: 'margin-top:8px' });
    row.append(
      button('Next phase', () => void this.next(), { className: 'main', id: 'nextphase' }),
      button('An iteration', () => void this.steps(1)),
      button('100', () => void this.steps(100), { 'aria-label': '100 iterations' }),
      button('1000', () => void this.steps(1000), { 'aria-label': '1000 iterations' }),
      button('Anew', () => void this.begin()),
    );
    host.append(row, this.phases, this.words, this.tree);
    if (this.of !== this.table.state?.link) void this.begin();
    else this.draw();
  }

  private async begin(): Promise<void> {
    this.of = this.table.state?.link ?? '';
    this.before = null;
    this.phase = 3;
    await this.ask({ start: true });
  }

  private async ask(body: { start?: boolean; steps?: number }): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    const answer = await this.table.engine.ask('lesson', body).answer;
    this.busy = false;
    if ('done' in answer) {
      this.before = body.start ? null : this.lesson;
      this.lesson = answer.done;
    } else {
      this.lesson = null;
      this.words.textContent = 'failed' in answer ? answer.failed : '';
    }
    this.draw();
  }

  private async steps(steps: number): Promise<void> {
    this.phase = 3;
    await this.ask({ steps });
  }

  /** The next phase of this iteration, or the first of the next. */
  private async next(): Promise<void> {
    if (this.phase === 3) {
      this.phase = 0;
      await this.ask({ steps: 1 });
    } else {
      this.phase += 1;
      this.draw();
    }
  }

  private draw(): void {
    const { lesson } = this;
    const started = lesson?.last != null;
    this.phases.replaceChildren(
      ...PHASES.map((name, at) => el('span', { role: 'listitem', className: started && at === this.phase ? 'on' : '', 'aria-current': started && at === this.phase ? 'step' : undefined }, `${at + 1} ${name}`)),
    );
    if (!lesson) {
      this.tree.replaceChildren();
      return;
    }
    this.words.textContent = this.sentence(lesson);
    // Before the expansion the tree is the one of before.
    const shown = this.phase === 0 && this.before ? this.before : lesson;
    const last = lesson.last;
    const onPath = new Set<number>();
    if (last) {
      for (const step of last.select) onPath.add(step.node);
      if (this.phase > 0 && last.expand) onPath.add(last.expand.node);
    }
    this.tree.replaceChildren(drawTree(shown.nodes, onPath, this.phase > 0 ? (last?.expand?.node ?? null) : null));
  }

  private sentence(lesson: Lesson): string {
    const { last } = lesson;
    if (!last) return 'The tree is its root. Each iteration goes through four phases.';
    const path = last.select.flatMap((step) => step.move ?? []);
    const head = `Iteration ${lesson.iterations}. `;
    const values = last.select.flatMap((step) => (step.ucb === undefined ? [] : [`${step.move} (${step.ucb.toFixed(2)})`]));
    const selected = path.length ? `From the root down to the child with the highest upper confidence bound: ${(values.length ? values : path).join(', ')}.` : 'The root still has moves that were never tried: selection stays there.';
    const { expand, playout } = last;
    const sentences = [
      selected,
      expand ? `A move that was never tried joins the tree: ${expand.move}.` : 'The node is the end of a game: nothing to add.',
      `A game is played to its end from there: ${playout.turns.join(' ')}${playout.more ? ` and ${playout.more} more` : ''}${playout.end ? `. ${playout.end.text}` : ''}.`,
      `The result goes up the path: ${last.backup.map((node) => `${percent(node.mean)} of ${node.visits}`).join(', then ')}.`,
    ];
    return head + (sentences[this.phase] ?? '');
  }
}

interface Placed {
  node: LessonNode;
  x: number;
  y: number;
}

/** The most visited nodes as a tree from left to right. */
function drawTree(nodes: readonly LessonNode[], onPath: ReadonlySet<number>, fresh: number | null): Element {
  const kept = chosen(nodes, onPath);
  const byId = new Map(kept.map((node) => [node.node, node]));
  const children = new Map<number | null, LessonNode[]>();
  for (const node of kept) {
    const parent = node.parent !== null && byId.has(node.parent) ? node.parent : null;
    children.set(parent, [...(children.get(parent) ?? []), node]);
  }
  const placed = new Map<number, Placed>();
  let row = 0;
  let deepest = 0;
  const place = (node: LessonNode, depth: number): number => {
    deepest = Math.max(deepest, depth);
    const ys = (children.get(node.node) ?? []).map((child) => place(child, depth + 1));
    const y = ys.length ? ((ys[0] ?? 0) + (ys.at(-1) ?? 0)) / 2 : row++ * 26 + 16;
    placed.set(node.node, { node, x: 30 + depth * 92, y });
    return y;
  };
  for (const root of children.get(null) ?? []) place(root, 0);
  const [width, height] = [deepest * 92 + 110, Math.max(60, row * 26 + 10)];
  const root = svg('svg', { viewBox: `0 0 ${width} ${height}`, width, height, class: 'textbook lesson', role: 'img', 'aria-label': 'The tree so far' });
  root.style.width = `${width}px`;
  for (const { node, x, y } of placed.values()) {
    const parent = node.parent === null ? undefined : placed.get(node.parent);
    if (!parent) continue;
    const on = onPath.has(node.node) && onPath.has(parent.node.node);
    root.append(svg('path', { d: `M${parent.x} ${parent.y}C${parent.x + 46} ${parent.y} ${x - 46} ${y} ${x} ${y}`, fill: 'none', class: on ? 'edge on' : 'edge' }));
  }
  const most = Math.max(1, ...kept.filter((node) => node.parent !== null).map((node) => node.visits));
  for (const { node, x, y } of placed.values()) {
    const radius = node.parent === null ? 13 : 5 + 8 * Math.sqrt(Math.min(1, node.visits / most));
    const colour = node.player === 'p2' ? 'var(--accent2)' : node.player === 'p1' ? 'var(--accent)' : 'var(--soft)';
    const ring = onPath.has(node.node) ? { stroke: 'var(--win)', 'stroke-width': 3 } : {};
    const dash = node.node === fresh ? { 'stroke-dasharray': '3 2' } : {};
    const about = `${node.move ?? 'root'}: ${node.visits} visits, ${percent(node.mean)}`;
    const circle = svg('circle', { cx: x, cy: y, r: radius, fill: colour, ...ring, ...dash }, svg('title', {}, about));
    const label = node.move ?? 'root';
    root.append(circle, svg('text', { x: x + radius + 4, y: y - 4, style: 'text-anchor:start;font-weight:600' }, label));
    root.append(svg('text', { x: x + radius + 4, y: y + 7, class: 'window', style: 'text-anchor:start' }, `${node.visits} · ${percent(node.mean)}`));
  }
  return root;
}

/** The nodes to draw: those on the path, and the most visited with all above them. */
function chosen(nodes: readonly LessonNode[], onPath: ReadonlySet<number>): LessonNode[] {
  const byId = new Map(nodes.map((node) => [node.node, node]));
  const kept = new Set<number>();
  const keep = (node: LessonNode | undefined): void => {
    for (let at = node; at && !kept.has(at.node); at = at.parent === null ? undefined : byId.get(at.parent)) kept.add(at.node);
  };
  for (const node of nodes) if (onPath.has(node.node)) keep(node);
  for (const node of [...nodes].sort((one, other) => other.visits - one.visits)) {
    if (kept.size >= DRAWN) break;
    keep(node);
  }
  return nodes.filter((node) => kept.has(node.node));
}
