// A drawing of a game as SVG: the shapes and colours that the report uses too.

import { svg } from './dom';

export type Colour = 'ink' | 'soft' | 'card' | 'first' | 'second' | 'on' | 'wood' | 'dark' | 'loss';

export type Point = [number, number];

export type Figure =
  | { rect: [number, number, number, number, number] }
  | { circle: [number, number, number] }
  | { line: Point[] }
  | { polygon: Point[] }
  | { text: [number, number, number, string] }
  | { mono: [number, number, string] }
  | { group: Shape[] };

export interface Shape {
  figure: Figure;
  fill?: Colour;
  stroke?: Colour;
  line?: number;
  dashed?: boolean;
  opacity?: number;
}

export interface Drawing {
  width: number;
  height: number;
  shapes: Shape[];
}

const VARIABLES: Record<Colour, string> = {
  ink: 'var(--ink)',
  soft: 'var(--soft)',
  card: 'var(--card)',
  first: 'var(--accent)',
  second: 'var(--accent2)',
  on: 'var(--on)',
  wood: 'var(--wood)',
  dark: 'var(--wood2)',
  loss: 'var(--loss)',
};

/** How points of a drawing come to the screen: as they are, or turned by half a turn. */
export interface View {
  width: number;
  height: number;
  flipped: boolean;
}

/** A point as the view shows it. */
export function seen(view: View, [x, y]: Point): Point {
  return view.flipped ? [view.width - x, view.height - y] : [x, y];
}

/** A figure as the view shows it; texts keep upright. */
export function seenFigure(view: View, figure: Figure): Figure {
  if (!view.flipped) return figure;
  if ('rect' in figure) {
    const [x, y, width, height, radius] = figure.rect;
    return { rect: [view.width - x - width, view.height - y - height, width, height, radius] };
  }
  if ('circle' in figure) {
    const [x, y, radius] = figure.circle;
    return { circle: [view.width - x, view.height - y, radius] };
  }
  if ('line' in figure) return { line: figure.line.map((point) => seen(view, point)) };
  if ('polygon' in figure) return { polygon: figure.polygon.map((point) => seen(view, point)) };
  if ('text' in figure) {
    const [x, y, size, text] = figure.text;
    return { text: [view.width - x, view.height - y, size, text] };
  }
  return figure;
}

/** The outline of a figure without its style. */
export function outline(figure: Figure): SVGElement {
  if ('rect' in figure) {
    const [x, y, width, height, radius] = figure.rect;
    return svg('rect', { x, y, width, height, rx: radius || undefined });
  }
  if ('circle' in figure) {
    const [cx, cy, r] = figure.circle;
    return svg('circle', { cx, cy, r });
  }
  if ('line' in figure) {
    const d = figure.line.map(([x, y], at) => `${at ? 'L' : 'M'}${x} ${y}`).join('');
    return svg('path', { d, 'stroke-linecap': 'round' });
  }
  if ('polygon' in figure) return svg('polygon', { points: figure.polygon.map((point) => point.join(',')).join(' ') });
  if ('text' in figure) {
    const [x, y, size, text] = figure.text;
    return svg('text', { x, y, 'font-size': size, 'text-anchor': 'middle', 'dominant-baseline': 'central' }, text);
  }
  if ('mono' in figure) {
    const [x, y, text] = figure.mono;
    return svg('text', { x, y, class: 'mono', 'xml:space': 'preserve' }, text);
  }
  return svg('g');
}

function shapeNode(view: View, shape: Shape): SVGElement {
  const node = outline(seenFigure(view, shape.figure));
  const area = 'rect' in shape.figure || 'circle' in shape.figure || 'polygon' in shape.figure;
  const set = (name: string, value: string | number): void => node.setAttribute(name, String(value));
  if (shape.fill) set('fill', VARIABLES[shape.fill]);
  else if (area || 'line' in shape.figure) set('fill', 'none');
  if (shape.stroke) set('stroke', VARIABLES[shape.stroke]);
  if (shape.stroke && shape.line !== undefined) set('stroke-width', shape.line);
  if (shape.dashed) set('stroke-dasharray', '4 3');
  if (shape.opacity !== undefined) set('opacity', shape.opacity);
  if ('group' in shape.figure) for (const inner of shape.figure.group) node.append(shapeNode(view, inner));
  return node;
}

/** All shapes of a drawing, the lowest layer first. */
export function shapesOf(drawing: Drawing, flipped: boolean): SVGGElement {
  const view = { width: drawing.width, height: drawing.height, flipped };
  const layer = svg('g', { 'aria-hidden': 'true' });
  for (const shape of drawing.shapes) layer.append(shapeNode(view, shape));
  return layer;
}

/** A picture to look at only, with what it shows in words. */
export function picture(drawing: Drawing, words: string): SVGSVGElement {
  const viewBox = `0 0 ${drawing.width} ${drawing.height}`;
  return svg('svg', { viewBox, class: 'picture', role: 'img', 'aria-label': words }, shapesOf(drawing, false));
}

/** The middle of a figure. */
export function centre(figure: Figure): Point {
  if ('rect' in figure) return [figure.rect[0] + figure.rect[2] / 2, figure.rect[1] + figure.rect[3] / 2];
  if ('circle' in figure) return [figure.circle[0], figure.circle[1]];
  if ('text' in figure) return [figure.text[0], figure.text[1]];
  if ('mono' in figure) return [figure.mono[0], figure.mono[1]];
  if ('group' in figure) return figure.group[0] ? centre(figure.group[0].figure) : [0, 0];
  const points = 'line' in figure ? figure.line : figure.polygon;
  const sum = points.reduce<Point>(([a, b], [x, y]) => [a + x, b + y], [0, 0]);
  return [sum[0] / points.length, sum[1] / points.length];
}

/** How far a figure reaches from its middle. */
export function reach(figure: Figure): number {
  if ('rect' in figure) return Math.min(figure.rect[2], figure.rect[3]) / 2;
  if ('circle' in figure) return figure.circle[2];
  if (!('polygon' in figure)) return 10;
  const [x, y] = centre(figure);
  return Math.min(...figure.polygon.map(([a, b]) => Math.hypot(a - x, b - y)));
}
