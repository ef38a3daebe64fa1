// Moves shown as ideas on the board: an arrow from the first target to the last, or what lights up; and the shares of a
// mixed strategy as circles whose area is the share.

import { svg } from './dom';
import { centre, outline, reach, seenFigure, type Figure, type Point, type View } from './drawing';

export interface Mark {
  path: string[];
  /** What is written beside it: a score or a share. */
  text: string;
  /** 0 is the best: it is drawn strongest. */
  rank: number;
  /** Whose move it is. */
  player: 0 | 1;
  /** The share of a mixed strategy: drawn as a circle of this area. */
  share?: number;
}

const COLOURS = ['var(--accent)', 'var(--accent2)'] as const;

/** All marks in a layer that no pointer meets. */
export function marksOf(marks: readonly Mark[], figures: ReadonlyMap<string, Figure>, view: View): SVGGElement {
  const layer = svg('g', { class: 'marks', 'aria-hidden': 'true' });
  // What is written lies over all that is drawn.
  const labels = svg('g');
  const taken = new Map<string, number>();
  const meeting = meetings(marks, figures, view);
  const nodes = marks.flatMap((mark) => {
    const ends = mark.path.flatMap((target) => figures.get(target) ?? []).map((figure) => seenFigure(view, figure));
    const [first, last] = [ends[0], ends.at(-1)];
    if (!first || !last) return [];
    // Where its label stands: the best right at its place, others beside it.
    const spot = isFar(first, last) || mark.share !== undefined ? last : first;
    const key = centre(spot).join();
    // The two players' circles may lie over each other, for both may go there: then their shares stand above each other.
    const own = mark.share === undefined ? key : `${key} ${mark.player}`;
    const place = taken.get(own) ?? 0;
    taken.set(own, place + 1);
    const shared = mark.share !== undefined && meeting.has(key);
    const written = svg('g');
    return [{ written, node: markNode(mark, first, last, place, shared, written) }];
  });
  // The best comes last, over the others.
  for (const { node, written } of nodes.reverse()) {
    layer.append(node);
    labels.append(written);
  }
  layer.append(labels);
  return layer;
}

/** The places where moves of both players end. */
function meetings(marks: readonly Mark[], figures: ReadonlyMap<string, Figure>, view: View): Set<string> {
  const ends = [new Set<string>(), new Set<string>()] as const;
  for (const mark of marks) {
    const figure = mark.path.flatMap((target) => figures.get(target) ?? []).at(-1);
    if (figure) ends[mark.player].add(centre(seenFigure(view, figure)).join());
  }
  return new Set([...ends[0]].filter((place) => ends[1].has(place)));
}

/** Whether an arrow can be seen between two figures. */
function isFar(first: Figure, last: Figure): boolean {
  const [x1, y1] = centre(first);
  const [x2, y2] = centre(last);
  return first !== last && Math.hypot(x2 - x1, y2 - y1) > 1.4 * reach(first);
}

function markNode(mark: Mark, first: Figure, last: Figure, place: number, shared: boolean, labels: SVGGElement): SVGGElement {
  const colour = COLOURS[mark.player];
  const strength = mark.share === undefined ? Math.max(0.35, 0.95 - 0.2 * mark.rank) : 0.9;
  // Only the shapes are faint: what is written stays readable.
  const shapes = svg('g', { opacity: strength });
  const node = svg('g', { class: 'mark' }, shapes);
  const [x1, y1] = centre(first);
  const [x2, y2] = centre(last);
  const far = isFar(first, last);
  const shift = place === 0 ? 0 : (place % 2 ? 1 : -1) * Math.ceil(place / 2) * (widthOf(mark.text) + 1);
  if (mark.share !== undefined) {
    if (far) shapes.append(line(x1, y1, x2, y2, colour, 1.5, true));
    const radius = Math.max(2.5, 24 * Math.sqrt(mark.share));
    const at = { cx: x2 + shift, cy: y2, r: radius };
    shapes.append(svg('circle', { ...at, fill: colour, 'fill-opacity': 0.55, stroke: 'var(--card)', 'stroke-width': 1 }));
    if (mark.share >= 0.04) labels.append(pill(x2 + shift, y2 + (shared ? (mark.player ? 9 : -9) : 0), mark.text, colour));
    return node;
  }
  const width = Math.max(2.5, 6 - 1.2 * mark.rank);
  if (far) {
    shapes.append(arrow(x1, y1, x2, y2, colour, width));
  } else {
    const ring = { fill: 'none', stroke: colour, 'stroke-width': Math.max(2, width - 1.5) };
    shapes.append(svg('circle', { cx: x1, cy: y1, r: reach(first) * 0.86, ...ring }));
    if (first !== last) shapes.append(lit(last, colour, width + 3));
  }
  const [along, beside] = far ? [x2 + shift, y2 - 3] : [x1 + shift, y1 - reach(first) * 0.9];
  labels.append(pill(along, beside, mark.text, colour));
  return node;
}

/** A figure that a move ends in: a slim one as a line along it. */
function lit(figure: Figure, colour: string, width: number): SVGElement {
  if ('polygon' in figure) {
    let longest: [Point, Point] | null = null;
    let length = 0;
    for (const [at, one] of figure.polygon.entries()) {
      for (const other of figure.polygon.slice(at + 1)) {
        const distance = Math.hypot(one[0] - other[0], one[1] - other[1]);
        if (distance > length) [longest, length] = [[one, other], distance];
      }
    }
    if (longest && length > 2.4 * reach(figure)) return line(...longest[0], ...longest[1], colour, width, false);
  }
  const node = outline(figure);
  node.setAttribute('fill', colour);
  return node;
}

function line(x1: number, y1: number, x2: number, y2: number, colour: string, width: number, dashed: boolean): SVGElement {
  const d = `M${x1} ${y1}L${x2} ${y2}`;
  const dash = dashed ? '3 4' : undefined;
  return svg('path', { d, stroke: colour, 'stroke-width': width, 'stroke-dasharray': dash, 'stroke-linecap': 'round' });
}

function arrow(x1: number, y1: number, x2: number, y2: number, colour: string, width: number): SVGElement {
  const length = Math.hypot(x2 - x1, y2 - y1);
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
  const head = width * 2.6;
  const [bx, by] = [x2 - dx * head, y2 - dy * head];
  const half = head * 0.62;
  const points = `${x2},${y2} ${bx - dy * half},${by + dx * half} ${bx + dy * half},${by - dx * half}`;
  return svg('g', {}, line(x1 + dx * 6, y1 + dy * 6, bx, by, colour, width, false), svg('polygon', { points, fill: colour }));
}

/** How wide a label is. */
function widthOf(text: string): number {
  return 6.1 * text.length + 8;
}

function pill(x: number, y: number, text: string, colour: string): SVGElement {
  const width = widthOf(text);
  const box = { x: x - width / 2, y: y - 8, width, height: 16, rx: 8, fill: 'var(--card)', stroke: colour };
  const middle = { 'text-anchor': 'middle', 'dominant-baseline': 'central', 'font-size': 10.5, 'font-weight': 600 };
  return svg('g', {}, svg('rect', box), svg('text', { x, y: y + 0.5, fill: 'var(--ink)', ...middle }, text));
}
