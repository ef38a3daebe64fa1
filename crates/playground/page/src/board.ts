// The board one can point at: by click, by drag, by finger and by keyboard. It knows no rule: what may be pointed at comes
// from the paths of the legal moves.

import { Choice, type Playable } from './choice';
import { svg } from './dom';
import { centre, outline, seen, seenFigure, shapesOf, type Drawing, type Figure, type Point, type View } from './drawing';
import { marksOf, type Mark } from './marks';

export interface Area {
  target: string;
  figure: Figure;
  name: string;
  label?: string;
}

export interface BoardInput {
  drawing: Drawing;
  areas: Area[];
  /** The moves that the person at the board may play. */
  moves: readonly Playable[];
  /** What the other side could play, for its reach. */
  threats: readonly Playable[];
  /** What a screen reader calls the board. */
  label: string;
}

const EMPTY: BoardInput = { drawing: { width: 100, height: 100, shapes: [] }, areas: [], moves: [], threats: [], label: '' };

/** How far a pointer travels before it drags. */
const DRAG = 6;

export class Board {
  readonly choice = new Choice([]);
  private input = EMPTY;
  private marks: readonly Mark[] = [];
  private view: View = { width: 100, height: 100, flipped: false };
  private readonly nodes = new Map<string, SVGGElement>();
  private readonly figures = new Map<string, Figure>();
  private root = svg('svg', { class: 'board' });
  private marksLayer = svg('g');
  private cursor = '';
  private drag: { from: string; x: number; y: number; moving: boolean; line: SVGElement | null } | null = null;

  constructor(
    private readonly host: HTMLElement,
    private readonly played: (move: string) => void,
    private readonly changed: () => void,
  ) {
    host.addEventListener('pointerdown', (event) => this.press(event));
    host.addEventListener('pointerover', (event) => this.hover(targetAt(event.target)));
    host.addEventListener('pointerleave', () => this.hover(null));
    // A mouse does not take the keyboard to the board: the arrows walk the moves, unless one went there by the keyboard.
    host.addEventListener('mousedown', (event) => {
      event.preventDefault();
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    });
    // A screen reader clicks without a pointer.
    host.addEventListener('click', (event) => {
      const target = targetAt(event.target);
      if (event.detail === 0 && target !== null) this.point(target);
    });
    host.addEventListener('focusin', (event) => {
      const target = targetAt(event.target);
      if (target !== null) this.setCursor(target);
      this.hover(target);
    });
    host.addEventListener('focusout', () => this.hover(null));
    host.addEventListener('keydown', (event) => this.key(event));
    document.addEventListener('pointermove', (event) => this.move(event));
    document.addEventListener('pointerup', (event) => this.release(event));
    document.addEventListener('pointercancel', () => this.endDrag());
  }

  get flipped(): boolean {
    return this.view.flipped;
  }

  flip(): void {
    this.view = { ...this.view, flipped: !this.view.flipped };
    this.draw();
  }

  /** Another position, or other legal moves in it. */
  show(input: BoardInput): void {
    this.input = input;
    this.choice.reset(input.moves);
    this.view = { ...this.view, width: input.drawing.width, height: input.drawing.height };
    this.endDrag();
    this.draw();
  }

  /** What the other side could play, for its reach. */
  threaten(threats: readonly Playable[]): void {
    this.input = { ...this.input, threats };
    this.light();
  }

  /** Ideas on the board. */
  mark(marks: readonly Mark[]): void {
    this.marks = marks;
    const layer = marksOf(marks, this.figures, this.view);
    this.marksLayer.replaceWith(layer);
    this.marksLayer = layer;
  }

  /** What is said of a target: its area's name, or itself. */
  nameOf(target: string): string {
    return this.input.areas.find((area) => area.target === target)?.name ?? target;
  }

  /** Targets that can be pointed at now and are not on the board; numbers first, in their order. */
  loose(): string[] {
    const loose = [...this.choice.next()].filter((target) => !this.figures.has(target));
    const order = (target: string): number => (/^\d+$/.test(target) ? Number(target) : Infinity);
    return loose.sort((one, other) => (order(one) === order(other) ? 0 : order(one) - order(other)));
  }

  /** Points at a target, wherever that was done. */
  point(target: string): void {
    const pointed = this.choice.point(target);
    if (pointed.kind === 'nothing') return;
    if (pointed.kind === 'move') {
      this.choice.clear();
      this.light();
      this.played(pointed.move);
      return;
    }
    this.light();
    this.changed();
  }

  /** Takes the last target back. */
  back(): void {
    if (this.choice.empty) return;
    this.choice.back();
    this.light();
    this.changed();
  }

  clear(): void {
    this.choice.clear();
    this.light();
    this.changed();
  }

  focus(): void {
    (this.nodes.get(this.cursor) ?? this.nodes.values().next().value)?.focus();
  }

  private draw(): void {
    const focused = this.root.contains(document.activeElement);
    const { drawing, areas, label } = this.input;
    this.nodes.clear();
    this.figures.clear();
    const layer = svg('g', { class: 'areas' });
    for (const area of areas) {
      const node = areaNode(area, this.view);
      this.figures.set(area.target, area.figure);
      this.nodes.set(area.target, node);
      layer.append(node);
    }
    this.marksLayer = marksOf(this.marks, this.figures, this.view);
    const shapes = shapesOf(drawing, this.view.flipped);
    const viewBox = `0 0 ${drawing.width} ${drawing.height}`;
    this.root = svg('svg', { viewBox, class: 'board', role: 'group', 'aria-label': label }, shapes, layer, this.marksLayer);
    this.host.replaceChildren(this.root);
    this.light();
    if (focused) this.focus();
  }

  /** Lights what may be pointed at. */
  private light(): void {
    const [next, later, first] = [this.choice.next(), this.choice.later(), this.choice.first()];
    const path = this.choice.path;
    const longer = new Set(this.input.moves.filter((mv) => mv.path.length > 1).map((mv) => mv.path[0]));
    const threatening = new Set(this.input.threats.map((mv) => mv.path[0]));
    for (const [target, node] of this.nodes) {
      const chosen = path.includes(target);
      const can = next.has(target);
      const other = !can && (later.has(target) || first.has(target));
      node.classList.toggle('chosen', chosen);
      node.classList.toggle('can', can && !chosen);
      node.classList.toggle('later', !can && !chosen && later.has(target));
      node.classList.toggle('threat', !can && !other && !chosen && threatening.has(target));
      node.classList.toggle('drags', longer.has(target));
      const live = chosen || can || other;
      node.classList.toggle('live', live);
      if (live) node.removeAttribute('aria-disabled');
      else node.setAttribute('aria-disabled', 'true');
      if (chosen) node.setAttribute('aria-pressed', 'true');
      else node.removeAttribute('aria-pressed');
    }
    if (!this.nodes.has(this.cursor)) this.cursor = this.liveTargets()[0] ?? this.input.areas[0]?.target ?? '';
    this.setCursor(this.cursor);
  }

  private setCursor(target: string): void {
    this.nodes.get(this.cursor)?.setAttribute('tabindex', '-1');
    this.cursor = target;
    this.nodes.get(target)?.setAttribute('tabindex', '0');
  }

  private liveTargets(): string[] {
    return [...this.nodes].filter(([, node]) => node.classList.contains('live')).map(([target]) => target);
  }

  /** Where something could go from here, one's own and the other side's. */
  private hover(target: string | null): void {
    const moves = target === null ? [] : [...this.input.moves, ...this.input.threats].filter((mv) => mv.path[0] === target);
    const lit = this.choice.empty ? new Set(moves.flatMap((mv) => mv.path.slice(1))) : new Set<string>();
    for (const [name, node] of this.nodes) node.classList.toggle('reach', lit.has(name));
  }

  private press(event: PointerEvent): void {
    const target = targetAt(event.target);
    if (target === null || event.button !== 0) return;
    this.setCursor(target);
    if (!this.nodes.get(target)?.classList.contains('live')) return;
    this.drag = { from: target, x: event.clientX, y: event.clientY, moving: false, line: null };
  }

  private move(event: PointerEvent): void {
    const drag = this.drag;
    if (!drag) return;
    if (!drag.moving) {
      if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < DRAG) return;
      // What is played by one target waits until the pointer is let go.
      if (!this.nodes.get(drag.from)?.classList.contains('drags')) return;
      drag.moving = true;
      if (!this.choice.path.includes(drag.from)) this.point(drag.from);
      if (this.drag !== drag) return;
      drag.line = svg('path', { class: 'drag' });
      this.root.append(drag.line);
    }
    const figure = this.figures.get(drag.from);
    const matrix = this.root.getScreenCTM();
    if (!figure || !matrix || !drag.line) return;
    const [x, y] = seen(this.view, centre(figure));
    const to = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    drag.line.setAttribute('d', `M${x} ${y}L${to.x} ${to.y}`);
  }

  private release(event: PointerEvent): void {
    const drag = this.drag;
    if (!drag) return;
    this.endDrag();
    const target = targetAt(document.elementFromPoint(event.clientX, event.clientY));
    if (target === null) return;
    if (drag.moving ? target !== drag.from : target === drag.from) this.point(target);
  }

  private endDrag(): void {
    this.drag?.line?.remove();
    this.drag = null;
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Enter' || event.key === ' ') {
      if (this.cursor) this.point(this.cursor);
    } else if (event.key in STEPS) {
      this.step(STEPS[event.key] ?? [0, 0], event.shiftKey);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Goes to the nearest target in a direction: of those that can be pointed at, or of all. */
  private step([dx, dy]: Point, all: boolean): void {
    const live = this.liveTargets();
    const targets = all || live.length === 0 ? [...this.nodes.keys()] : live;
    const place = (target: string): Point => {
      const figure = this.figures.get(target);
      return figure ? centre(seenFigure(this.view, figure)) : [0, 0];
    };
    const [x, y] = place(this.cursor);
    let best: string | null = null;
    let least = Infinity;
    for (const target of targets) {
      const [tx, ty] = place(target);
      const along = (tx - x) * dx + (ty - y) * dy;
      const aside = Math.abs((tx - x) * dy) + Math.abs((ty - y) * dx);
      const cost = along + 2.5 * aside;
      if (along > 1 && cost < least) [best, least] = [target, cost];
    }
    if (best === null) return;
    this.setCursor(best);
    this.nodes.get(best)?.focus();
  }
}

const STEPS: Record<string, Point> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function targetAt(node: EventTarget | null): string | null {
  return node instanceof Element ? (node.closest('.area')?.getAttribute('data-target') ?? null) : null;
}

function areaNode(area: Area, view: View): SVGGElement {
  const figure = seenFigure(view, area.figure);
  const kind = area.label === undefined ? 'area' : 'area labelled';
  const about = { class: kind, role: 'button', tabindex: -1, 'data-target': area.target, 'aria-label': area.name };
  const node = svg('g', about, outline(figure));
  if (area.label !== undefined) {
    const [x, y] = centre(figure);
    const middle = { 'text-anchor': 'middle', 'dominant-baseline': 'central', 'font-size': 14 };
    node.append(svg('text', { x, y, ...middle }, area.label));
  }
  // A dot shows where one may go, whatever colours one can tell apart.
  const [x, y] = centre(figure);
  node.append(svg('circle', { class: 'dot', cx: x, cy: y, r: 4 }));
  return node;
}
