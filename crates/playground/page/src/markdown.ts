// The small part of Markdown that rules are written in, as elements: headings, paragraphs, lists, bold, italic, code, and
// pictures of positions.

import { el } from './dom';

/** Pictures are asked for by the position that the source names. */
export type Picture = (position: string, words: string) => Node;

export function markdown(text: string, pictureOf: Picture): DocumentFragment {
  const out = document.createDocumentFragment();
  for (const block of blocks(text)) {
    const heading = /^(#{1,6})\s+(.*)$/.exec(block);
    const image = /^!\[([^\]]*)\]\(([^)]*)\)$/.exec(block);
    if (heading) out.append(inline(el((heading[1]?.length ?? 1) < 3 ? 'h3' : 'h4'), heading[2] ?? ''));
    else if (image) out.append(el('figure', {}, pictureOf(image[2] ?? '', image[1] ?? ''), el('figcaption', {}, image[1] ?? '')));
    else if (/^[-*] /.test(block)) {
      const items = block.split(/\n(?=[-*] )/).map((item) => inline(el('li'), item.slice(2)));
      out.append(el('ul', {}, ...items));
    } else out.append(inline(el('p'), block));
  }
  return out;
}

function blocks(text: string): string[] {
  return text.split(/\n\s*\n/).map((block) => block.trim()).filter(Boolean);
}

function inline<T extends HTMLElement>(node: T, text: string): T {
  const flat = text.replace(/\s*\n\s*/g, ' ');
  for (const part of flat.split(/(\*\*[^*]+\*\*|\*[^*]+\*|`[^`]+`)/)) {
    if (part.startsWith('**')) node.append(el('strong', {}, part.slice(2, -2)));
    else if (part.startsWith('*') && part.length > 2) node.append(el('em', {}, part.slice(1, -1)));
    else if (part.startsWith('`')) node.append(el('code', {}, part.slice(1, -1)));
    else if (part) node.append(part);
  }
  return node;
}
