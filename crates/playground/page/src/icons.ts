// Small pictures on buttons, drawn here: not every font has them.

import { svg } from './dom';

const PATHS = {
  first: 'M5 5v14M19 5l-10 7 10 7z',
  back: 'M16 5l-10 7 10 7z',
  play: 'M7 4l13 8-13 8z',
  hold: 'M7 5h3v14H7zM14 5h3v14h-3z',
  on: 'M8 5l10 7-10 7z',
  last: 'M19 5v14M5 5l10 7-10 7z',
  undo: 'M9 6L4 11l5 5M4 11h10a5 5 0 0 1 0 10h-3',
  redo: 'M15 6l5 5-5 5M20 11H10a5 5 0 0 0 0 10h3',
  flip: 'M8 4v16M8 4L4 8M8 4l4 4M16 20V4M16 20l-4-4M16 20l4-4',
  theme: 'M12 3a9 9 0 1 0 0 18z',
  close: 'M6 6l12 12M18 6L6 18',
  down: 'M5 9l7 7 7-7',
} as const;

export type Icon = keyof typeof PATHS;

const FILLED: readonly Icon[] = ['first', 'back', 'play', 'hold', 'on', 'last', 'theme'];

export function icon(name: Icon): SVGSVGElement {
  const fill = FILLED.includes(name) ? 'currentColor' : 'none';
  const path = svg('path', { d: PATHS[name] });
  const ring = name === 'theme' && svg('circle', { cx: 12, cy: 12, r: 9, fill: 'none' });
  const stroke = { stroke: 'currentColor', 'stroke-width': 2, 'stroke-linecap': 'round', 'stroke-linejoin': 'round' };
  return svg('svg', { viewBox: '0 0 24 24', width: 18, height: 18, fill, 'aria-hidden': 'true', class: 'icon', ...stroke }, path, ring);
}
