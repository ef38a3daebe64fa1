// The game as a whole: its graph and largest mistakes, its position as text, its link, and games from files.

import { button, el, messageOf } from './dom';
import { graphOf } from './graph';
import { icon } from './icons';
import type { Moves } from './moves';
import { chooseGame } from './newgame';
import { percent } from './players';
import type { GameList, ListedGame, Mistake, PlayerName, Score, State } from './protocol';
import { PLAYERS } from './protocol';
import { YOU, type Table } from './table';
import type { Tool } from './tools';

/** How many games of a journal are listed at once. */
const PAGE = 100;

/** No file is read that a browser could not hold. */
const LARGEST = 200 * 1024 * 1024;

export class GameTool implements Tool {
  readonly name = 'Game';
  readonly key = 'game';
  private readonly graph = el('div', {});
  private readonly names = el('div', { className: 'row small' });
  private readonly mistakes = el('div', { className: 'list' });
  private readonly position = el('textarea', { rows: 2, readOnly: true, 'aria-label': 'The position as text', id: 'position' });
  private readonly link = el('textarea', { rows: 2, readOnly: true, 'aria-label': 'A link to this game', id: 'link' });
  private readonly files = el('div', {});
  private readonly reviewing = el('span', { className: 'soft small' });
  private readonly reviewButton: HTMLButtonElement;
  private review: { of: string; scores: (Score | null)[]; mistakes: Mistake[] } = { of: '', scores: [], mistakes: [] };
  private running: number | null = null;
  private readonly chosen = el('input', { type: 'file', accept: '.jsonl,.json,.txt', hidden: true, id: 'file' });

  constructor(
    private readonly table: Table,
    private readonly moves: Moves,
    private readonly opened: () => void,
  ) {
    this.reviewButton = button('Find the mistakes', () => void this.ask(), { id: 'review' });
    this.chosen.onchange = () => {
      const file = this.chosen.files?.[0];
      if (file) void this.openFile(file);
      this.chosen.value = '';
    };
    table.onState.on(() => this.update());
    this.acceptDrops();
  }

  show(host: HTMLElement): void {
    const { table } = this;
    const copy = (field: HTMLTextAreaElement): HTMLButtonElement => button('Copy', () => void copyText(table, field.value, field));
    host.append(
      this.graph,
      this.names,
      el('div', { className: 'row' }, this.reviewButton, this.reviewing),
      this.mistakes,
      el('h3', {}, 'Position'),
      this.position,
      el('div', { className: 'row' }, copy(this.position), button('New game from here', () => chooseGame(table, table.info, table.state?.position))),
      el('h3', {}, 'Link'),
      this.link,
      el('div', { className: 'row' }, copy(this.link), button('Save as a file', () => void this.save(), { id: 'save' })),
      el('h3', {}, 'Games from files'),
      el('div', { className: 'drop' }, 'Drop a journal.jsonl or a saved game here, or ', button('choose a file', () => this.chosen.click()), this.chosen),
      this.files,
    );
    this.update();
  }

  private update(): void {
    const { state } = this.table;
    if (!state) return;
    const of = gameKey(state);
    if (of !== this.review.of) {
      this.review = { of, scores: [], mistakes: [] };
      this.moves.markMistakes([]);
      if (this.running !== null) this.table.engine.ask('stop', { of: this.running });
      this.reviewing.textContent = '';
    }
    if (!this.position.isConnected) return;
    this.reviewButton.disabled = state.plies === 0;
    this.position.value = state.position;
    this.link.value = `${location.href.split('#')[0]}#${state.link}`;
    this.draw(state);
  }

  private draw(state: State): void {
    const name = (player: PlayerName, at: number): HTMLElement => {
      const style = `color:var(--accent${at ? '2' : ''})`;
      return el('span', { style }, `${at ? '┄' : '—'} as ${this.table.side(player)} saw it`);
    };
    const thought = PLAYERS.map((player, at) => (state.turns.some((turn) => turn.thoughts[player]?.score) ? name(player, at) : ''));
    this.names.replaceChildren(...thought, el('span', { className: 'soft' }, this.review.scores.length ? '▒ as reviewed' : ''));
    this.graph.replaceChildren(
      graphOf(state, this.table.side('p1'), this.review.scores, this.review.mistakes, (ply) => {
        this.table.pause();
        this.table.goto(ply);
      }),
    );
    const items = this.review.mistakes.map((mistake) => {
      const turn = state.turns[mistake.ply];
      const words = `${mistake.ply + 1}: ${this.table.side(mistake.player)} ${turn?.moves[mistake.player] ?? ''} loses ${percent(mistake.loss)}; better ${mistake.best}`;
      return button(words, () => {
        this.table.pause();
        this.table.goto(mistake.ply);
      });
    });
    this.mistakes.replaceChildren(...items);
  }

  /** A bot looks at every position of the game. */
  private async ask(): Promise<void> {
    const { table } = this;
    const { state, info } = table;
    if (!state || !info) return;
    const of = gameKey(state);
    const scores: (Score | null)[] = [];
    this.reviewing.textContent = 'looking at each position …';
    const request = table.engine.ask('review', { limits: 'nodes=10000,playouts=1000' }, (progress) => {
      const seen = progress as { ply: number; of: number; score: Score | null };
      if (of !== this.review.of) return;
      scores[seen.ply] = seen.score;
      this.review.scores = Array.from({ length: seen.ply + 1 }, (_, at) => scores[at] ?? null);
      this.reviewing.textContent = `${seen.ply} of ${seen.of}`;
      if (this.graph.isConnected && table.state) this.draw(table.state);
    });
    this.running = request.id;
    const answer = await request.answer;
    if (this.running === request.id) this.running = null;
    if (of !== this.review.of) return;
    if ('done' in answer) {
      this.review = { of, scores: answer.done.scores, mistakes: answer.done.mistakes };
      this.moves.markMistakes(answer.done.mistakes);
      this.reviewing.textContent = answer.done.mistakes.length ? '' : 'no turn lost much';
    } else this.reviewing.textContent = 'failed' in answer ? answer.failed : 'stopped';
    if (table.state) this.draw(table.state);
  }

  private async save(): Promise<void> {
    const answer = await this.table.engine.ask('save', {}).answer;
    if ('failed' in answer) this.table.onNotice.send(answer.failed);
    if (!('done' in answer)) return;
    const address = URL.createObjectURL(new Blob([answer.done.text], { type: 'application/json' }));
    el('a', { href: address, download: answer.done.name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  }

  private acceptDrops(): void {
    const over = (on: boolean) => (event: DragEvent): void => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      document.body.classList.toggle('over', on);
    };
    document.addEventListener('dragover', over(true));
    document.addEventListener('dragleave', over(false));
    document.addEventListener('drop', (event) => {
      over(false)(event);
      const file = event.dataTransfer?.files[0];
      if (file) void this.openFile(file);
    });
  }

  /** Reads a file and opens the game in it, or lists its games. */
  async openFile(file: File): Promise<void> {
    if (file.size > LARGEST) {
      this.table.onNotice.send(`${file.name} has ${Math.round(file.size / 1e6)} MB; a page can read files of at most 200 MB`);
      return;
    }
    try {
      await this.openText(file.name, await file.text());
    } catch (problem) {
      this.table.onNotice.send(`${file.name} cannot be read: ${messageOf(problem)}`);
    }
  }

  private async openText(name: string, text: string): Promise<void> {
    const answer = await this.table.engine.ask('open', { name, text, from: 0, count: PAGE }).answer;
    if ('failed' in answer) this.table.onNotice.send(`${name}: ${answer.failed}`);
    if (!('done' in answer)) return;
    this.opened();
    if ('games' in answer.done) this.list(name, answer.done, 0);
    else this.takeGame(answer.done);
  }

  private list(name: string, list: GameList, from: number): void {
    const broken = list.broken ? `, ${list.broken} lines that cannot be read left out` : '';
    const rows = list.games.map((game) => this.row(game));
    const turn = (to: number): void => {
      void this.table.engine.ask('open', { from: to, count: PAGE }).answer.then((answer) => {
        if ('done' in answer && 'games' in answer.done) this.list(name, answer.done, to);
        else if ('failed' in answer) this.table.onNotice.send(answer.failed);
      });
    };
    const pages = el('div', { className: 'row' });
    if (list.total > PAGE) {
      pages.append(
        button(icon('back'), () => turn(from - PAGE), { disabled: from === 0, 'aria-label': 'Games before' }),
        el('span', { className: 'soft small' }, `${from + 1} to ${Math.min(from + PAGE, list.total)}`),
        button(icon('on'), () => turn(from + PAGE), { disabled: from + PAGE >= list.total, 'aria-label': 'Games after' }),
      );
    }
    const head = el('p', { className: 'small' }, `${name}: ${list.total} games${broken}`);
    this.files.replaceChildren(head, el('div', { className: 'list', id: 'games' }, ...rows), pages);
  }

  private row(game: ListedGame): HTMLElement {
    const result = game.outcome === 'p1' ? '1–0' : game.outcome === 'p2' ? '0–1' : game.outcome === 'draw' ? '½–½' : '…';
    const facts = [game.event ?? game.game, `${game.plies} turns`, game.reason].filter(Boolean).join(', ');
    const one = button(`${game.players[0]} – ${game.players[1]}  ${result}`, () => {
      for (const other of this.files.querySelectorAll('.on')) other.classList.remove('on');
      one.classList.add('on');
      void this.table.engine.ask('open', { game: game.number }).answer.then((answer) => {
        if ('failed' in answer) this.table.onNotice.send(answer.failed);
        if ('done' in answer && !('games' in answer.done)) this.takeGame(answer.done);
      });
    });
    one.append(el('small', {}, facts));
    return one;
  }

  /** A game that was played elsewhere: nobody of this page plays on in it by itself. */
  private takeGame(state: State): void {
    this.table.seats = [YOU, YOU];
    this.table.adopt(state);
    if (state.ply > 0) this.table.goto(0);
  }
}

/** What a review is of: the game with all its turns, wherever one stands in it. */
function gameKey(state: State): string {
  return `${state.game} ${state.start} ${state.turns.map((turn) => turn.text).join(' ')}`;
}

/** Puts a text on the clipboard; where that is not allowed, it is selected for copying by hand. */
export async function copyText(table: Table, text: string, field?: HTMLTextAreaElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    table.onSay.send('copied');
  } catch {
    field?.select();
    const copied = field ? document.execCommand('copy') : false;
    table.onSay.send(copied ? 'copied' : 'selected; copy it with the keyboard');
  }
}
