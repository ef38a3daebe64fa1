// The panel of the analysis: the switch, the best moves with their lines, and for games where both choose at once the mixed
// strategies of both, their value and their gap, and the matrix behind them.

import { lineScore, signed, type Analyser } from './analyser';
import { button, el } from './dom';
import { count, percent } from './players';
import type { Analysis, Matrix, ShareOf } from './protocol';
import type { Tool } from './tools';
import { index, type Table } from './table';

export class AnalysisTool implements Tool {
  readonly name = 'Analysis';
  readonly key = 'analysis';
  private readonly switch: HTMLButtonElement;
  private readonly stop: HTMLButtonElement;
  private readonly lines = el('select', { 'aria-label': 'How many moves' });
  private readonly bot = el('select', { 'aria-label': 'Which search' });
  private readonly facts = el('div', { className: 'facts number', id: 'facts' });
  private readonly body = el('div', {});
  private readonly grid = el('div', {});
  private shownBots = '';
  private matrixOf = '';

  constructor(
    private readonly table: Table,
    private readonly analyser: Analyser,
  ) {
    this.switch = button('Analyse', () => analyser.toggle(), { id: 'analyse', title: 'Analyse (a)' });
    this.stop = button('Stop', () => analyser.stop(), { id: 'stop' });
    for (const number of [1, 3, 4, 5, 8]) this.lines.append(el('option', { value: String(number) }, `${number} moves`));
    this.lines.value = String(analyser.lines);
    this.lines.onchange = () => {
      analyser.lines = Number(this.lines.value);
      analyser.again();
    };
    this.bot.onchange = () => {
      analyser.bot = this.bot.value;
      analyser.again();
    };
    analyser.onChange.on(() => this.update());
    table.onState.on(() => this.update());
  }

  show(host: HTMLElement): void {
    const row = el('div', { className: 'row' }, this.switch, this.stop, this.lines, this.bot);
    host.append(row, this.facts, this.body, this.grid);
    this.update();
  }

  private update(): void {
    if (!this.facts.isConnected) return;
    const { analyser, table } = this;
    this.switch.setAttribute('aria-pressed', String(analyser.on));
    this.stop.hidden = !analyser.searching;
    // Where both choose at once their whole strategies are shown.
    this.lines.hidden = table.info?.simultaneous ?? false;
    this.fillBots();
    const { latest } = analyser;
    const key = `${table.state?.link}`;
    if (key !== this.matrixOf) this.grid.replaceChildren();
    this.facts.replaceChildren(...factsOf(latest, analyser, table.side('p1')).map((fact) => el('span', {}, fact)));
    if (analyser.fault) this.body.replaceChildren(el('p', { className: 'fault' }, analyser.fault));
    else if (!latest) this.body.replaceChildren(el('p', { className: 'soft' }, this.empty()));
    // What a pointer or the keyboard rests on is not taken away under it.
    else if (!this.body.matches(':hover') && !this.body.contains(document.activeElement)) this.fill(latest);
    else if (!this.body.querySelector('table')) this.fill(latest);
  }

  private empty(): string {
    const { analyser, table } = this;
    if (table.state?.end) return 'The game is over.';
    return analyser.on ? 'searching …' : 'Switch it on to see the best moves on the board, with scores and the expected line.';
  }

  private fillBots(): void {
    const { info } = this.table;
    if (!info || this.shownBots === info.name) return;
    this.shownBots = info.name;
    this.bot.replaceChildren(el('option', { value: '' }, `${this.analyser.usual()} (usual)`));
    for (const bot of info.bots) {
      if (bot.name !== this.analyser.usual() && !['random', 'level'].includes(bot.name)) this.bot.append(el('option', { value: bot.name }, bot.name));
    }
    this.bot.value = this.analyser.bot;
  }

  private fill(latest: Analysis): void {
    if (latest.mixed) this.fillMixed(latest);
    else this.fillLines(latest);
  }

  private fillLines(latest: Analysis): void {
    const rows = latest.lines.slice(0, this.analyser.lines).map((line, rank) => {
      const pv = line.pv.length ? line.pv : [line.move];
      const moves = el('div', { className: 'line' });
      pv.forEach((move, at) => moves.append(this.pvButton(pv, move, at)));
      const row = el('tr', { className: rank === 0 ? 'best go' : 'go' }, el('td', { className: 'left' }, lineScore(line)), el('td', { className: 'wrap' }, moves));
      if (line.visits) row.append(el('td', { className: 'soft' }, count(line.visits)));
      row.onpointerleave = () => this.leave();
      return row;
    });
    const counted = latest.lines.some((line) => line.visits);
    const heads = [el('th', { className: 'left' }, 'score'), el('th', { className: 'left' }, 'expected line')];
    if (counted) heads.push(el('th', {}, latest.playouts ? 'visits' : 'nodes'));
    this.body.replaceChildren(el('table', { 'aria-label': 'Best moves' }, el('thead', {}, el('tr', {}, ...heads)), el('tbody', {}, ...rows)));
  }

  /** A move of an expected line: the board shows it on hover, and keeps it by a click. */
  private pvButton(pv: string[], move: string, at: number): HTMLButtonElement {
    const one = button(move, () => this.table.look(pv, at + 1, true));
    const look = (): void => {
      if (!this.table.preview?.pinned) this.table.look(pv, at + 1);
    };
    one.onpointerenter = look;
    one.onfocus = look;
    one.onblur = () => this.leave();
    return one;
  }

  private leave(): void {
    if (!this.table.preview?.pinned) this.table.look(null);
  }

  private fillMixed(latest: Analysis): void {
    const { mixed } = latest;
    if (!mixed) return;
    const { table } = this;
    const columns = (['p1', 'p2'] as const).map((player) => {
      const rows = mixed[player].slice(0, 10).map((each) => shareRow(each));
      const body = el('tbody', {}, ...rows);
      const title = el('thead', {}, el('tr', {}, el('th', { className: 'left', colSpan: 3 }, table.side(player))));
      return el('table', { className: index(player) ? 'second' : 'first', 'aria-label': `Strategy of ${table.side(player)}` }, title, body);
    });
    const both = el('div', { className: 'row', id: 'mixed' }, ...columns.map((column) => el('div', { style: 'flex:1;min-width:150px' }, column)));
    (both as HTMLElement).style.alignItems = 'start';
    const facts = el('div', { className: 'facts number' });
    facts.append(
      el('span', {}, `value ${signed(mixed.value)} for ${table.side('p1')}`),
      el('span', { title: 'What both could gain together by best replies; 0 is an equilibrium of what was searched' }, `gap ${mixed.gap.toFixed(3)}`),
    );
    const matrix = button('Show the matrix', () => void this.askMatrix(), { id: 'matrix' });
    this.body.replaceChildren(facts, both, el('p', {}, matrix));
  }

  private async askMatrix(): Promise<void> {
    const { table, analyser } = this;
    // The matrix has the lane of the analysis.
    if (analyser.on) analyser.stop();
    const key = `${table.state?.link}`;
    this.matrixOf = key;
    this.grid.replaceChildren(el('p', { className: 'soft' }, 'searching each pair …'));
    const answer = await table.engine.ask('matrix', { size: 8, limits: 'nodes=2000,playouts=200' }).answer;
    if (key !== `${table.state?.link}`) return;
    if ('done' in answer) this.grid.replaceChildren(matrixTable(answer.done, table));
    else this.grid.replaceChildren(el('p', { className: 'fault' }, 'failed' in answer ? answer.failed : 'stopped'));
  }
}

function shareRow(each: ShareOf): HTMLTableRowElement {
  const bar = el('span', { className: 'share', style: `width:${Math.max(2, Math.round(70 * each.share))}px` });
  const share = el('td', { 'data-share': String(each.share) }, percent(each.share));
  return el('tr', {}, el('td', { className: 'left' }, each.move), share, el('td', { className: 'left' }, bar));
}

function matrixTable(matrix: Matrix, table: Table): HTMLElement {
  const head = el('tr', {}, el('th', { className: 'left' }, `${table.side('p1')} ↓`, el('br'), `${table.side('p2')} →`));
  matrix.p2.forEach((move, at) => head.append(el('th', {}, move, el('br'), percent(matrix.shares.p2[at] ?? 0))));
  const rows = matrix.p1.map((move, row) => {
    const cells = (matrix.values[row] ?? []).map((value) => {
      const colour = value >= 0 ? 'var(--accent)' : 'var(--accent2)';
      const style = `background:color-mix(in srgb, ${colour} ${Math.round(60 * Math.min(1, Math.abs(value)))}%, var(--card))`;
      return el('td', { style }, signed(value));
    });
    return el('tr', {}, el('th', { className: 'left', scope: 'row' }, `${move} ${percent(matrix.shares.p1[row] ?? 0)}`), ...cells);
  });
  const grid = el('table', { className: 'matrix', 'aria-label': `Value for ${table.side('p1')} of each pair of moves` });
  grid.append(el('thead', {}, head), el('tbody', {}, ...rows));
  const value = el('p', { className: 'soft small' }, `Value of this matrix for ${table.side('p1')}: ${signed(matrix.value)}`);
  return el('div', {}, el('div', { className: 'scroll' }, grid), value);
}

function factsOf(latest: Analysis | null, analyser: Analyser, first: string): string[] {
  if (!latest) return [];
  const facts = [];
  if (latest.score && !latest.mixed) facts.push(latest.score.text, `${percent(latest.score.chance)} for ${first}`);
  if (latest.depth) facts.push(`depth ${latest.depth}`);
  if (latest.nodes) facts.push(`${count(latest.nodes)} nodes`);
  if (latest.playouts) facts.push(`${count(latest.playouts)} playouts`);
  if (latest.speed) facts.push(`${count(latest.speed)} nodes/s`);
  if (latest.seconds) facts.push(`${latest.seconds.toFixed(1)} s`);
  if (!analyser.searching && latest.why) facts.push(`ended: ${latest.why}`);
  return facts;
}

/** The bar beside the board: how good it is for the first player. */
export class EvalBar {
  private readonly first = el('div', { className: 'first' });
  private readonly value = el('div', { className: 'value' });

  constructor(
    private readonly host: HTMLElement,
    private readonly analyser: Analyser,
    private readonly firstIsBelow: () => boolean,
  ) {
    host.append(this.first, el('div', { className: 'zero' }), this.value);
    host.setAttribute('role', 'img');
    analyser.onChange.on(() => this.show());
  }

  show(): void {
    const score = this.analyser.score();
    this.host.hidden = !this.analyser.on;
    this.host.classList.toggle('up', this.firstIsBelow());
    const share = `${(100 * (score?.chance ?? 0.5)).toFixed(1)}%`;
    this.first.style.height = share;
    this.first.style.width = matchMedia('(max-width: 900px)').matches ? share : '100%';
    this.value.textContent = score?.text ?? '';
    this.value.classList.toggle('short', (score?.text.length ?? 0) <= 2);
    this.host.setAttribute('aria-label', score ? `Score ${score.text}, ${share} for the first player` : 'No score yet');
  }
}
