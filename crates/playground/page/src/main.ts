// The page: it puts the parts together and opens what the address names.

import * as address from './address';
import { AnalysisTool, EvalBar } from './analysis';
import { Analyser } from './analyser';
import { Below } from './below';
import { Board } from './board';
import { button, el, messageOf } from './dom';
import { startEngine } from './engine';
import { makeFrame, showNotice, type Frame } from './frame';
import { GameTool } from './gametool';
import { icon } from './icons';
import { listenToKeys, showKeys } from './keys';
import { recall, remember } from './memory';
import { Moves } from './moves';
import { chooseGame } from './newgame';
import { Players } from './players';
import type { Kind, Reach } from './protocol';
import { RulesTool, firstVisit } from './rules';
import { SearchTool } from './searchtool';
import { beginner } from './seats';
import { SetupTool } from './setup';
import { Speech } from './speech';
import { Table, YOU } from './table';
import { Tools } from './tools';

async function open(): Promise<void> {
  const frame = makeFrame(document.getElementById('app') ?? document.body.appendChild(el('div', { id: 'app' })));
  applyTheme(recall('theme'));
  const say = (text: string): void => showNotice(frame, text);
  window.addEventListener('error', (event) => say(`The page has a fault: ${event.message}`));
  window.addEventListener('unhandledrejection', (event) => say(`The page has a fault: ${messageOf(event.reason)}`));
  frame.status.textContent = 'starting the engine …';
  let table: Table | null = null;
  const engine = startEngine((what, why) => {
    if (what === 'search') say(`A search stopped (${why}); the next one starts anew.`);
    else if (what === 'engine') say(`The engine has ended: ${why}. Reload the page to start it again.`);
    else {
      say(`The engine stopped (${why}) and was started again; the game is as it was.`);
      if (table?.state) void table.go('show', {});
    }
  });
  const answer = await engine.ask('games', {}).answer;
  if (!('done' in answer)) {
    say(`The games could not be started: ${'failed' in answer ? answer.failed : 'the engine did not answer'}.`);
    frame.status.textContent = '';
    return;
  }
  // For the browser's console, and for tests: any request of the protocol.
  Object.assign(window, { gamesearch: { ask: (kind: Kind, body: object) => engine.ask(kind, body as never).answer } });
  table = new Table(engine, answer.done);
  table.onNotice.on(say);
  build(frame, table);
  await openAddress(table);
}

function build(frame: Frame, table: Table): void {
  const board = new Board(
    frame.host,
    (move) => {
      if (table.sandbox) void setup.pointed(move);
      else if (table.chooser) void table.play(table.chooser, move);
    },
    () => below.showParts(),
  );
  const analyser = new Analyser(table);
  // The board comes first of all that follows the state: others look at it.
  table.onState.on(() => showBoard(table, board));
  table.onPreview.on(() => showBoard(table, board));
  analyser.onChange.on(() => {
    if (!table.preview && !table.sandbox) board.mark(analyser.marks());
  });
  const below = new Below(frame, table, board);
  new Players(frame.players, table);
  new Speech(frame.speech, table);
  const moves = new Moves(frame.moves, table);
  const bar = new EvalBar(frame.bar, analyser, () => firstIsBelow(table) !== board.flipped);
  const setup = new SetupTool(table, board);
  const game = new GameTool(table, moves, () => tools.open('game'));
  const search = new SearchTool(table);
  const all = [new AnalysisTool(table, analyser), game, search, setup, new RulesTool(table)];
  const tools = new Tools(frame, table, all);
  const wanted = address.read(location.hash).tool ?? '';
  tools.open(tools.has(wanted) ? wanted : 'analysis', tools.has(wanted) && wanted !== 'analysis');
  listenToKeys(table, board, below, analyser);
  gameButtons(frame, table);
  topButtons(frame, table);
  table.onState.on(() => bar.show());
  window.addEventListener('hashchange', () => {
    const { tool } = address.read(location.hash);
    // The game first: a tool that opens writes the address.
    void openAddress(table).then(() => {
      if (tool && tool !== table.tool && tools.has(tool)) tools.open(tool, true);
    });
  });
}

/** The board of the game, or of a look ahead, with what may be pointed at. */
function showBoard(table: Table, board: Board): void {
  const { state, preview, chooser } = table;
  if (!state || table.sandbox) return;
  if (preview?.look) {
    board.mark([]);
    board.show({ drawing: preview.look.drawing, areas: [], moves: [], threats: [], label: preview.look.status });
    return;
  }
  const moves = chooser ? (state.legal[chooser] ?? []) : [];
  const label = `${table.info?.title ?? state.game}: ${state.status}`;
  const input = { drawing: state.drawing, areas: state.areas, moves, threats: [], label };
  board.mark([]);
  board.show(input);
  if (!chooser) return;
  // Where both choose at once the other side's moves are known; else the engine is asked what it could play.
  const other = state.active.find((player) => player !== chooser);
  if (other) board.threaten(state.legal[other] ?? []);
  else {
    void table.engine.ask('reach', {}).answer.then((answer) => {
      const reach: Reach | null = 'done' in answer ? answer.done : null;
      if (reach && table.state === state && !table.preview) board.threaten(reach.legal);
    });
  }
}

/** Whether the first player's pieces stand below, so that the bar grows from there. */
function firstIsBelow(table: Table): boolean {
  const areas = table.state?.areas ?? [];
  const ys = areas.filter((area) => area.target.startsWith('p1')).flatMap((area) => ('circle' in area.figure ? [area.figure.circle[1]] : []));
  const height = table.state?.drawing.height ?? 1;
  return ys.length === 0 || ys.reduce((sum, y) => sum + y, 0) / ys.length > height / 2;
}

function gameButtons(frame: Frame, table: Table): void {
  const buttons = table.games.games.map((info) => {
    const one = button(info.title, () => {
      void table.start({ game: info.name, setup: info.setups[0]?.setup ?? '', seed: freshSeed() }, [YOU, beginner(info)]).then(() => firstVisit(table));
    });
    one.dataset.game = info.name;
    return one;
  });
  frame.games.append(...buttons);
  let shown = '';
  table.onState.on(() => {
    const game = table.state?.game ?? '';
    if (game === shown) return;
    shown = game;
    for (const one of buttons) {
      const here = one.dataset.game === game;
      one.setAttribute('aria-pressed', String(here));
      // On a narrow screen the games are a row to swipe.
      if (here) frame.games.scrollLeft = one.offsetLeft - frame.games.offsetLeft - 40;
    }
  });
}

function topButtons(frame: Frame, table: Table): void {
  const theme = button(icon('theme'), () => nextTheme(), { className: 'icon plain', title: 'Light or dark', 'aria-label': 'Light or dark' });
  const keys = button('?', showKeys, { className: 'icon plain', title: 'Keys (?)', 'aria-label': 'Keys' });
  frame.top.append(theme, keys, button('New game', () => chooseGame(table, table.info), { className: 'main', id: 'new' }));
}

function applyTheme(theme: string | null): void {
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}

function nextTheme(): void {
  const now = document.documentElement.dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
  const theme = now === 'dark' ? 'light' : 'dark';
  remember('theme', theme);
  applyTheme(theme);
}

/** A seed that is easy to read aloud. */
function freshSeed(): number {
  return Math.floor(Math.random() * 1e6);
}

/** Opens the game that the address names, or a first one. */
async function openAddress(table: Table): Promise<void> {
  const text = location.hash.slice(1);
  const own = address.read(text);
  if (table.state && text === address.write(table.state.link, table.own())) return;
  if (own.limits) table.limits = own.limits;
  if (/(^|&)(game|moves|start)=/.test(text)) {
    table.seats = own.seats ?? (table.state ? null : table.games.seats) ?? [YOU, YOU];
    table.pause();
    const answer = await table.go('link', { text });
    if ('done' in answer) return;
    if (table.state) return;
  }
  // A link that does not work still says which game it is of.
  const first = table.game(/(?:^|&)game=([a-z0-9]+)/.exec(text)?.[1] ?? '') ?? table.games.games[0];
  if (!first) return;
  const seats = table.games.seats ?? own.seats ?? [YOU, beginner(first)];
  await table.start({ game: first.name, setup: first.setups[0]?.setup ?? '', seed: freshSeed() }, seats);
  if (!text && !table.games.seats) firstVisit(table);
}

open().catch((problem) => {
  const note = document.createElement('p');
  note.textContent = `The page could not start: ${messageOf(problem)}`;
  document.body.append(note);
});
