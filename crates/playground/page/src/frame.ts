// The frame of the page: what stands where.

import { button, el } from './dom';
import { icon } from './icons';

export interface Frame {
  games: HTMLElement;
  top: HTMLElement;
  notice: HTMLElement;
  curtain: HTMLElement;
  bar: HTMLElement;
  host: HTMLElement;
  status: HTMLElement;
  parts: HTMLElement;
  steps: HTMLElement;
  players: HTMLElement;
  moves: HTMLElement;
  tabs: HTMLElement;
  tool: HTMLElement;
  toolbox: HTMLElement;
  speech: HTMLElement;
}

export function makeFrame(app: HTMLElement): Frame {
  const games = el('nav', { className: 'games', 'aria-label': 'Games' });
  const top = el('div', { className: 'end' });
  const notice = el('div', { className: 'notice', role: 'alert' });
  const bar = el('div', { className: 'evalbar', hidden: true });
  const curtain = el('div', { className: 'curtain', hidden: true });
  const host = el('div', { className: 'host', id: 'board' });
  const status = el('div', { className: 'status' });
  const parts = el('div', { className: 'parts' });
  const steps = el('div', { className: 'steps' });
  const players = el('div', { className: 'players' });
  const moves = el('div', { className: 'moves', role: 'group', 'aria-label': 'Moves' });
  const tabs = el('div', { className: 'tabs', role: 'tablist', 'aria-label': 'Tools' });
  const tool = el('div', { className: 'tool', role: 'tabpanel', id: 'tool' });
  const toolbox = el('section', { className: 'panel toolbox', 'aria-label': 'Tools' }, tabs, tool);
  const speech = el('div', { className: 'quiet', 'aria-live': 'polite', id: 'speech' });
  const stage = el('section', { className: 'stage', 'aria-label': 'Board' });
  stage.append(el('div', { className: 'boardrow' }, bar, el('div', { className: 'host outer' }, host, curtain)), status, parts, steps);
  const side = el('div', { className: 'side' });
  side.append(
    el('section', { className: 'panel', 'aria-label': 'Players' }, players),
    el('section', { className: 'panel' }, moves),
    toolbox,
  );
  app.replaceChildren(
    el('a', { className: 'skip', href: '#board', onclick: skip(host) }, 'To the board'),
    el('header', { className: 'top' }, el('h1', {}, 'game', el('span', {}, 'search')), games, top),
    notice,
    el('main', {}, stage, side),
    speech,
  );
  return { games, top, notice, curtain, bar, host, status, parts, steps, players, moves, tabs, tool, toolbox, speech };
}

function skip(host: HTMLElement) {
  return (event: Event): void => {
    event.preventDefault();
    host.querySelector<SVGGElement>('.area[tabindex="0"]')?.focus();
  };
}

/** Shows a sentence about something that went wrong; the page stays usable. */
export function showNotice(frame: Frame, text: string): void {
  const box = el('div', {}, el('span', {}, text));
  box.append(button(icon('close'), () => box.remove(), { className: 'plain icon', 'aria-label': 'Close this message' }));
  while (frame.notice.childElementCount >= 3) frame.notice.firstElementChild?.remove();
  frame.notice.append(box);
}

/** A dialog that closes by Escape, by its buttons and by a click beside it. */
export function openDialog(title: string, body: Node, ...buttons: HTMLButtonElement[]): HTMLDialogElement {
  const dialog = el('dialog', { 'aria-label': title }, el('h2', {}, title), body);
  const close = button('Close', () => dialog.close());
  dialog.append(el('div', { className: 'end' }, close, ...buttons));
  dialog.onclose = () => dialog.remove();
  dialog.onclick = (event) => {
    if (event.target === dialog) dialog.close();
  };
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}
