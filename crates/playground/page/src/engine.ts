// The engine behind the messages: a worker with the games as wasm, or the program itself behind a WebSocket. A worker that
// panicked is ended; the next begins where the last known state was.

import { messageOf } from './dom';
import type { Answer, Kind, Requests, State } from './protocol';

export interface Request<T> {
  id: number;
  answer: Promise<Answer<T>>;
}

export interface Engine {
  ask<K extends Kind>(kind: K, body: Requests[K][0], progress?: (progress: unknown) => void): Request<Requests[K][1]>;
}

interface Waiting {
  kind: Kind;
  settle: (answer: Answer<unknown>) => void;
  progress: ((progress: unknown) => void) | undefined;
}

interface Message {
  id?: number;
  event?: string;
  why?: string;
  progress?: unknown;
  done?: unknown;
  stopped?: true;
  failed?: string;
}

/** What carries texts to an engine and back. */
interface Wire {
  send(text: string): void;
  end(): void;
}

type Open = (receive: (message: Message) => void, broken: (why: string) => void) => Wire;

/** Starts the engine that the page was built with. */
export function startEngine(restarted: (why: string) => void): Engine {
  const socket = document.querySelector('meta[name=engine][content=ws]') !== null;
  return new Messenger(socket ? openSocket : openWorker, !socket, restarted);
}

class Messenger implements Engine {
  private readonly waiting = new Map<number, Waiting>();
  private next = 1;
  private wire: Wire;
  /** The link to the last state, to come back to it. */
  private link = '';
  private failures = 0;

  constructor(
    private readonly open: Open,
    private readonly again: boolean,
    private readonly restarted: (why: string) => void,
  ) {
    this.wire = this.connect();
  }

  ask<K extends Kind>(kind: K, body: Requests[K][0], progress?: (progress: unknown) => void): Request<Requests[K][1]> {
    const id = this.next++;
    const answer = new Promise<Answer<unknown>>((settle) => this.waiting.set(id, { kind, settle, progress }));
    this.wire.send(JSON.stringify({ id, do: kind, ...body }));
    return { id, answer: answer as Promise<Answer<Requests[K][1]>> };
  }

  private connect(): Wire {
    return this.open(
      (message) => this.receive(message),
      (why) => this.broke(why),
    );
  }

  private receive(message: Message): void {
    if (message.event === 'panic') return this.broke(message.why ?? 'it did not say why');
    if (message.event === 'restarted') return this.restarted(message.why ?? '');
    const waiting = message.id === undefined ? undefined : this.waiting.get(message.id);
    if (!waiting || message.id === undefined) return;
    if ('progress' in message) return waiting.progress?.(message.progress);
    this.waiting.delete(message.id);
    if ('done' in message) {
      const link = (message.done as State | null)?.link;
      if (typeof link === 'string') this.link = link;
      this.failures = 0;
      waiting.settle({ done: message.done });
    } else if (message.stopped) waiting.settle({ stopped: true });
    else waiting.settle({ failed: message.failed ?? 'the engine gave an answer that the page does not know' });
  }

  /** The engine is gone: what was asked has failed, and another starts. */
  private broke(why: string): void {
    this.wire.end();
    const lost = [...this.waiting.values()];
    this.waiting.clear();
    for (const { settle } of lost) settle({ failed: `the engine stopped: ${why}` });
    this.failures += 1;
    // One that does not come up is not started for ever.
    if (!this.again || this.failures > 3) {
      this.wire = { send: (text) => this.refuse(text, why), end: () => {} };
      this.restarted(`${why}; it could not be started again, reload the page`);
      return;
    }
    this.wire = this.connect();
    if (this.link) void this.ask('link', { text: this.link }).answer.then(() => this.restarted(why));
    else this.restarted(why);
  }

  private refuse(text: string, why: string): void {
    const { id } = JSON.parse(text) as { id: number };
    queueMicrotask(() => this.receive({ id, failed: `the engine stopped: ${why}` }));
  }
}

function parse(text: unknown): Message {
  return JSON.parse(String(text)) as Message;
}

const openWorker: Open = (receive, broken) => {
  let worker: Worker | null = null;
  const end = (): void => {
    worker?.terminate();
    worker = null;
  };
  const waiting: string[] = [];
  let ready = false;
  const source = document.getElementById('worker')?.textContent ?? '';
  try {
    const address = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
    const started = new Worker(address);
    worker = started;
    started.onmessage = (event) => {
      if (worker === started) receive(parse(event.data));
    };
    started.onerror = (event) => {
      if (worker === started) broken(event.message || 'the worker could not start');
    };
    wasmBytes().then(
      (wasm) => {
        if (worker !== started) return;
        started.postMessage({ wasm, source });
        ready = true;
        for (const text of waiting) started.postMessage(text);
      },
      (problem) => broken(messageOf(problem)),
    );
  } catch (problem) {
    queueMicrotask(() => broken(messageOf(problem)));
  }
  return { send: (text) => (ready ? worker?.postMessage(text) : waiting.push(text)), end };
};

/** The games as wasm: base64 in the page, perhaps compressed. */
async function wasmBytes(): Promise<ArrayBuffer> {
  const node = document.getElementById('wasm');
  const base64 = node?.textContent?.trim();
  if (!base64) throw new Error('this page was built without its engine');
  const letters = atob(base64);
  const bytes = new Uint8Array(letters.length);
  for (let at = 0; at < letters.length; at += 1) bytes[at] = letters.charCodeAt(at);
  const format = node?.getAttribute('data-compression');
  if (!format) return bytes.buffer;
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream(format as CompressionFormat));
  return new Response(stream).arrayBuffer();
}

const openSocket: Open = (receive, broken) => {
  const token = new URLSearchParams(location.search).get('token') ?? '';
  const socket = new WebSocket(`ws://${location.host}/engine?token=${encodeURIComponent(token)}`);
  const waiting: string[] = [];
  socket.onopen = () => {
    for (const text of waiting.splice(0)) socket.send(text);
  };
  socket.onmessage = (event) => receive(parse(event.data));
  socket.onclose = () => broken('the program behind this page has ended');
  return {
    send: (text) => (socket.readyState === WebSocket.CONNECTING ? waiting.push(text) : socket.send(text)),
    end: () => {
      socket.onclose = null;
      socket.close();
    },
  };
};
