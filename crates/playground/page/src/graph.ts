// The course of a game as a graph: the chances of the first player as each bot saw them, and as a review found them.

import { svg } from './dom';
import type { Mistake, Score, State } from './protocol';

const WIDTH = 360;
const HEIGHT = 120;
const LEFT = 26;
const TOP = 8;
const BOTTOM = 16;

/** Draws the graph; `go` is called with the ply that was pointed at. */
export function graphOf(
  state: State,
  first: string,
  review: readonly (Score | null)[],
  mistakes: readonly Mistake[],
  go: (ply: number) => void,
): SVGSVGElement {
  const plies = Math.max(1, state.plies);
  const x = (ply: number): number => LEFT + ((WIDTH - LEFT - 6) * ply) / plies;
  const y = (chance: number): number => TOP + (HEIGHT - TOP - BOTTOM) * (1 - chance);
  const words = `Chances of ${first} over the game`;
  const root = svg('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: 'graph', role: 'img', 'aria-label': words });
  for (const chance of [0, 0.5, 1]) {
    const dashed = chance === 0.5 ? undefined : '2 4';
    root.append(svg('path', { d: `M${LEFT} ${y(chance)}H${WIDTH - 6}`, class: 'axis', 'stroke-dasharray': dashed }));
    root.append(svg('text', { x: LEFT - 4, y: y(chance) + 3, 'text-anchor': 'end' }, `${100 * chance}`));
  }
  root.append(svg('text', { x: WIDTH - 6, y: HEIGHT - 3, 'text-anchor': 'end' }, `${state.plies} turns`));
  root.append(svg('text', { x: LEFT, y: HEIGHT - 3 }, `% for ${first}`));
  const line = (points: [number, number][], kind: string): void => {
    if (!points.length) return;
    const d = points.map(([ply, chance], at) => `${at ? 'L' : 'M'}${x(ply).toFixed(1)} ${y(chance).toFixed(1)}`).join('');
    root.append(svg('path', { d, class: kind }));
    if (points.length === 1) root.append(svg('circle', { cx: x(points[0]?.[0] ?? 0), cy: y(points[0]?.[1] ?? 0), r: 2.5, class: kind }));
  };
  const seen = (player: 'p1' | 'p2'): [number, number][] =>
    state.turns.flatMap((turn, at): [number, number][] => {
      const score = turn.thoughts[player]?.score;
      return score ? [[at, score.chance]] : [];
    });
  const reviewed = review.flatMap((score, at): [number, number][] => (score ? [[at, score.chance]] : []));
  if (reviewed.length) {
    const area = `M${x(reviewed[0]?.[0] ?? 0)} ${y(0.5)}${reviewed.map(([ply, chance]) => `L${x(ply)} ${y(chance)}`).join('')}L${x(reviewed.at(-1)?.[0] ?? 0)} ${y(0.5)}Z`;
    root.append(svg('path', { d: area, fill: 'var(--soft)', opacity: 0.22 }));
  }
  line(seen('p1'), 'one');
  line(seen('p2'), 'two');
  for (const mistake of mistakes) {
    const chance = review[mistake.ply + 1]?.chance ?? 0.5;
    const [cx, cy] = [x(mistake.ply + 1), y(chance)];
    root.append(svg('path', { d: `M${cx} ${cy - 5}l5 9h-10z`, class: 'bad' }));
  }
  root.append(svg('path', { d: `M${x(state.ply)} ${TOP}V${HEIGHT - BOTTOM}`, class: 'here' }));
  root.onclick = (event) => {
    const box = root.getBoundingClientRect();
    const at = ((event.clientX - box.left) / box.width) * WIDTH;
    go(Math.round(((at - LEFT) / (WIDTH - LEFT - 6)) * plies));
  };
  return root;
}
