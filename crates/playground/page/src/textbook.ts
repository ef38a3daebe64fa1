// Minimax and alpha-beta on a tree that is written down, a step at a time, with the intervals at the nodes.

import { button, el, svg } from './dom';
import { icon } from './icons';
import type { Textbook, TextbookNode, TextbookStep } from './protocol';
import type { Table } from './table';

/** The tree of the textbook's chapter on games. */
const TREE = '((3 12 8) (2 4 6) (14 5 2))';

interface Seen {
  value?: number | undefined;
  alpha?: number | null | undefined;
  beta?: number | null | undefined;
  entered: boolean;
  left: boolean;
  cut: boolean;
}

export class TextbookView {
  private readonly input = el('input', { value: TREE, 'aria-label': 'The tree: numbers are leaves, brackets are nodes', spellcheck: false, id: 'treetext' });
  private readonly search = el('select', { 'aria-label': 'Search' });
  private readonly words = el('p', { role: 'status', id: 'textbookstep' });
  private readonly picture = el('div', { className: 'scroll' });
  private readonly slider = el('input', { type: 'range', min: '0', 'aria-label': 'Step' });
  private book: Textbook | null = null;
  private at = 0;
  private timer = 0;

  constructor(private readonly table: Table) {
    this.search.append(el('option', { value: 'alphabeta' }, 'alpha-beta'), el('option', { value: 'minimax' }, 'minimax'));
    this.search.onchange = () => void this.ask();
    this.input.onchange = () => void this.ask();
    this.slider.oninput = () => this.go(Number(this.slider.value));
  }

  show(host: HTMLElement): void {
    const row = el('div', { className: 'row' });
    row.append(
      button(icon('back'), () => this.go(this.at - 1), { className: 'icon', 'aria-label': 'A step back' }),
      button(icon('on'), () => this.go(this.at + 1), { className: 'icon', 'aria-label': 'A step on', id: 'textbooknext' }),
      button(icon('play'), () => this.play(), { className: 'icon', 'aria-label': 'Play' }),
      button(icon('last'), () => this.go(Infinity), { className: 'icon', 'aria-label': 'To the end' }),
    );
    this.slider.style.flex = '1';
    row.append(this.slider);
    host.append(el('div', { className: 'row', style: 'margin:8px 0' }, this.search, this.input), this.picture, row, this.words);
    this.input.style.flex = '1';
    if (this.book) this.go(this.at);
    else void this.ask();
  }

  private async ask(): Promise<void> {
    clearInterval(this.timer);
    const search = this.search.value === 'minimax' ? 'minimax' : 'alphabeta';
    const answer = await this.table.engine.ask('textbook', { tree: this.input.value, search }).answer;
    if ('done' in answer) {
      this.book = answer.done;
      this.slider.max = String(answer.done.steps.length);
      this.go(0);
      return;
    }
    this.book = null;
    this.picture.replaceChildren();
    this.words.className = 'fault';
    this.words.textContent = 'failed' in answer ? answer.failed : '';
  }

  private play(): void {
    clearInterval(this.timer);
    if (this.book && this.at >= this.book.steps.length) this.go(0);
    this.timer = setInterval(() => {
      this.go(this.at + 1);
      if (!this.book || this.at >= this.book.steps.length || !this.picture.isConnected) clearInterval(this.timer);
    }, 700);
  }

  private go(to: number): void {
    const { book } = this;
    if (!book) return;
    this.at = Math.max(0, Math.min(to, book.steps.length));
    this.slider.value = String(this.at);
    const seen = new Map<number, Seen>(book.nodes.map((node) => [node.id, { entered: false, left: false, cut: false }]));
    for (const step of book.steps.slice(0, this.at)) apply(book, seen, step);
    const now = book.steps[this.at - 1];
    this.words.className = '';
    this.words.textContent = `${this.at} of ${book.steps.length}. ${now ? sentence(book, now) : 'The root chooses the largest; the players choose in turn.'}`;
    this.picture.replaceChildren(draw(book, seen, now, this.at === book.steps.length));
  }
}

function apply(book: Textbook, seen: Map<number, Seen>, step: TextbookStep): void {
  const node = seen.get(step.node);
  if (!node) return;
  node.entered = true;
  if (step.alpha !== undefined) node.alpha = step.alpha;
  if (step.beta !== undefined) node.beta = step.beta;
  if (step.step === 'leaf' || step.step === 'leave' || step.step === 'back') node.value = step.value ?? node.value;
  if (step.step === 'leave' || step.step === 'leaf') node.left = true;
  if (step.step === 'cut') for (const left of step.left ?? []) cutAll(book, seen, left);
}

function cutAll(book: Textbook, seen: Map<number, Seen>, id: number): void {
  const node = seen.get(id);
  if (node) node.cut = true;
  for (const child of book.nodes[id]?.children ?? []) cutAll(book, seen, child);
}

/** Nodes are named by the branches that lead to them: root, 1, 1.2. */
function nameOf(book: Textbook, id: number): string {
  const steps = [];
  for (let at = book.nodes[id]; at && at.parent !== null; at = book.nodes[at.parent]) {
    steps.unshift((book.nodes[at.parent]?.children.indexOf(at.id) ?? 0) + 1);
  }
  return steps.length ? `node ${steps.join('.')}` : 'the root';
}

function sentence(book: Textbook, step: TextbookStep): string {
  const name = nameOf(book, step.node);
  const max = book.nodes[step.node]?.max;
  const window = step.alpha === undefined ? '' : ` The interval here is ${interval(step)}.`;
  switch (step.step) {
    case 'enter':
      return `Down to ${name}, which chooses the ${max ? 'largest' : 'smallest'}.${window}`;
    case 'leaf':
      return `The leaf ${name} is worth ${step.value}.`;
    case 'back':
      return `${step.from === undefined ? 'A branch' : nameOf(book, step.from)} hands ${step.value} up to ${name}.${window}`;
    case 'cut':
      return `Cut: ${name} is already ${max ? 'too good' : 'too bad'} to be chosen above; the ${(step.left ?? []).length} branches left are not looked at.`;
    case 'leave':
      return `${name} is done: ${step.value}.`;
  }
}

function interval(of: { alpha?: number | null | undefined; beta?: number | null | undefined }): string {
  return `[${of.alpha ?? '−∞'}, ${of.beta ?? '+∞'}]`;
}

function draw(book: Textbook, seen: Map<number, Seen>, now: TextbookStep | undefined, over: boolean): Element {
  const place = new Map<number, { x: number; y: number }>();
  let leaves = 0;
  let deepest = 0;
  const put = (node: TextbookNode, depth: number): number => {
    deepest = Math.max(deepest, depth);
    const xs = node.children.flatMap((id) => {
      const child = book.nodes[id];
      return child ? [put(child, depth + 1)] : [];
    });
    const x = xs.length ? ((xs[0] ?? 0) + (xs.at(-1) ?? 0)) / 2 : 26 + leaves++ * 42;
    place.set(node.id, { x, y: 24 + depth * 74 });
    return x;
  };
  const root = book.nodes[0];
  if (root) put(root, 0);
  const [width, height] = [Math.max(120, leaves * 42 + 10), deepest * 74 + 50];
  const picture = svg('svg', { viewBox: `0 0 ${width} ${height}`, class: 'textbook', role: 'img', 'aria-label': 'The tree' });
  if (width > 420) picture.style.width = `${width}px`;
  for (const node of book.nodes) {
    const [to, from] = [place.get(node.id), node.parent === null ? undefined : place.get(node.parent)];
    const state = seen.get(node.id);
    if (!to || !from) continue;
    const best = over && node.parent === 0 && node.id === book.best;
    const kind = best ? 'edge on' : state?.cut ? 'edge cut' : 'edge';
    picture.append(svg('path', { d: `M${from.x} ${from.y}L${to.x} ${to.y}`, class: kind }));
  }
  for (const node of book.nodes) {
    const at = place.get(node.id);
    const state = seen.get(node.id);
    if (!at || !state) continue;
    const kind = `box${now?.node === node.id ? ' on' : ''}${state.cut ? ' cut' : ''}`;
    picture.append(shapeOf(node, at, kind));
    const value = node.leaf ?? state.value;
    picture.append(svg('text', { x: at.x, y: at.y + (node.children.length ? (node.max ? 3 : -3) : 0) }, value === undefined ? '' : String(value)));
    if (state.alpha !== undefined && node.children.length) {
      picture.append(svg('text', { x: at.x, y: at.y + 23, class: 'window' }, interval(state)));
    }
  }
  return picture;
}

/** A triangle that points up chooses the largest, one that points down the smallest; a leaf is a square. */
function shapeOf(node: TextbookNode, { x, y }: { x: number; y: number }, kind: string): Element {
  if (!node.children.length) return svg('rect', { x: x - 14, y: y - 12, width: 28, height: 24, rx: 4, class: kind });
  const points = node.max ? `${x},${y - 17} ${x + 20},${y + 13} ${x - 20},${y + 13}` : `${x},${y + 17} ${x + 20},${y - 13} ${x - 20},${y - 13}`;
  return svg('polygon', { points, class: kind });
}
