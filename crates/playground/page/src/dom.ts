// Elements made without markup: text from outside can only become text.

type Child = Node | string | null | undefined | false;
type Props = Record<string, unknown>;

/** An HTML element. Properties are set as properties; `aria-*`, `role` and `data-*` as attributes. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null) continue;
    if (name.includes('-') || name === 'role' || name === 'for') node.setAttribute(name, String(value));
    else (node as unknown as Props)[name] = value;
  }
  append(node, children);
  return node;
}

const SVG = 'http://www.w3.org/2000/svg';

/** An SVG element with attributes. */
export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Record<string, string | number | undefined> = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) node.setAttribute(name, String(value));
  }
  append(node, children);
  return node;
}

function append(node: Element, children: Child[]): void {
  for (const child of children) if (child || child === '') node.append(child);
}

/** A button that does something. */
export function button(label: string | Node, action: () => void, props: Props = {}): HTMLButtonElement {
  return el('button', { type: 'button', onclick: action, ...props }, label);
}

/** What anything thrown says. */
export function messageOf(problem: unknown): string {
  return problem instanceof Error ? problem.message : String(problem);
}
