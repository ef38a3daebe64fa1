// The worker of the page: it keeps the game and answers at once. Bots and searches run in workers of their own, one for the
// bots that play and one for the analysis, so that ending a search is ending its worker. A spare one stands ready.

type Lane = 'play' | 'analysis';

interface Exports {
  memory: WebAssembly.Memory;
  reserve(length: number): number;
  handle(): void;
}

interface Message {
  id?: number;
  lane?: Lane;
  job?: string;
  event?: string;
  why?: string;
  progress?: unknown;
}

/** The first message: compiled or not, and what the worker is for. */
interface Start {
  wasm: ArrayBuffer | WebAssembly.Module;
  /** The text of this script, to start further workers: in a file opened from the disk none may be started by its address. */
  source: string;
  searches?: boolean;
}

const scope = globalThis as unknown as {
  onmessage: ((event: MessageEvent) => void) | null;
  postMessage(message: unknown): void;
};

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** An instance of the games, which takes texts and emits texts. */
class Instance {
  private readonly exports: Exports;
  private panic = '';
  private emit: (text: string) => void = () => {};

  constructor(module: WebAssembly.Module) {
    const text = (at: number, length: number): string =>
      decoder.decode(new Uint8Array(this.exports.memory.buffer, at, length));
    const page = {
      now: () => performance.now(),
      emit: (at: number, length: number) => this.emit(text(at >>> 0, length >>> 0)),
      panicked: (at: number, length: number) => {
        this.panic = text(at >>> 0, length >>> 0);
      },
    };
    this.exports = new WebAssembly.Instance(module, { page }).exports as unknown as Exports;
  }

  /** Hands a message over; what went wrong, if it can do no more. */
  send(message: string, emit: (text: string) => void): string | null {
    this.emit = emit;
    try {
      const bytes = encoder.encode(message);
      const at = this.exports.reserve(bytes.length) >>> 0;
      new Uint8Array(this.exports.memory.buffer, at, bytes.length).set(bytes);
      this.exports.handle();
      return null;
    } catch (problem) {
      if (this.panic) return this.panic;
      const mebibytes = Math.round(this.exports.memory.buffer.byteLength / (1 << 20));
      if (problem instanceof RangeError) return `it needs more room than the browser gives (${mebibytes} MiB in use)`;
      // A panic says what it is before it traps; only an allocation that fails does not.
      return `out of memory (${mebibytes} MiB in use)`;
    }
  }
}

/** A worker that only searches. */
class Searcher {
  readonly worker: Worker;
  /** The request under way. */
  id: number | null = null;

  constructor(module: WebAssembly.Module, source: string) {
    const address = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
    this.worker = new Worker(address);
    const start: Start = { wasm: module, source, searches: true };
    this.worker.postMessage(start);
    // The worker has its address by now.
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  }
}

/** Keeps the game, and hands searches out. */
class Router {
  private readonly instance: Instance;
  private readonly lanes = new Map<Lane, Searcher>();
  private spare: Searcher | null = null;
  private broken = false;

  constructor(
    private readonly module: WebAssembly.Module,
    private readonly source: string,
  ) {
    this.instance = new Instance(module);
  }

  receive(message: string): void {
    if (this.broken) return;
    const asked = parse(message);
    if (asked.do === 'stop' && typeof asked.id === 'number') {
      this.stop(asked.of ?? null);
      scope.postMessage(JSON.stringify({ id: asked.id, done: {} }));
      return;
    }
    const problem = this.instance.send(message, (text) => this.emitted(text));
    if (problem === null) return;
    this.broken = true;
    for (const lane of this.lanes.values()) lane.worker.terminate();
    this.spare?.worker.terminate();
    scope.postMessage(JSON.stringify({ event: 'panic', why: problem }));
  }

  private emitted(text: string): void {
    if (!text.includes('"job"')) return scope.postMessage(text);
    const { id, lane, job } = JSON.parse(text) as Message;
    if (id === undefined || !lane || job === undefined) return scope.postMessage(text);
    this.run(id, lane, text);
  }

  private run(id: number, name: Lane, text: string): void {
    let lane = this.lanes.get(name);
    if (lane && lane.id !== null) {
      this.end(name, lane);
      lane = undefined;
    }
    if (!lane) {
      lane = this.spare ?? new Searcher(this.module, this.source);
      this.spare = null;
      this.lanes.set(name, lane);
      this.listen(name, lane);
    }
    lane.id = id;
    lane.worker.postMessage(text);
    this.spare ??= new Searcher(this.module, this.source);
  }

  private listen(name: Lane, lane: Searcher): void {
    const failed = (why: string): void => {
      if (this.lanes.get(name) !== lane) return;
      this.lanes.delete(name);
      lane.worker.terminate();
      if (lane.id !== null) scope.postMessage(JSON.stringify({ id: lane.id, failed: `the search ended: ${why}` }));
      scope.postMessage(JSON.stringify({ event: 'restarted', why }));
    };
    lane.worker.onmessage = (event: MessageEvent<string>) => {
      if (this.lanes.get(name) !== lane) return;
      const message = JSON.parse(event.data) as Message;
      if (message.event === 'panic') return failed(message.why ?? '');
      if (message.id !== lane.id) return;
      if (!('progress' in message)) lane.id = null;
      scope.postMessage(event.data);
    };
    lane.worker.onerror = (event) => failed(event.message || 'its worker could not start');
  }

  private stop(of: number | null): void {
    for (const [name, lane] of this.lanes) {
      if (lane.id !== null && (of === null || of === lane.id)) this.end(name, lane);
    }
  }

  private end(name: Lane, lane: Searcher): void {
    lane.worker.terminate();
    this.lanes.delete(name);
    scope.postMessage(JSON.stringify({ id: lane.id, stopped: true }));
    this.spare ??= new Searcher(this.module, this.source);
  }
}

/** What a message asks for, as far as this worker has to know. */
function parse(message: string): { id?: unknown; do?: unknown; of?: number } {
  // Only short messages stop anything: files that are opened are long and are read once.
  if (message.length > 1000) return {};
  try {
    return JSON.parse(message) as { id?: unknown; do?: unknown; of?: number };
  } catch {
    return {};
  }
}

function search(module: WebAssembly.Module): (message: string) => void {
  const instance = new Instance(module);
  return (message) => {
    const problem = instance.send(message, (text) => scope.postMessage(text));
    if (problem !== null) scope.postMessage(JSON.stringify({ event: 'panic', why: problem }));
  };
}

const early: string[] = [];
let receive = (message: string): void => {
  early.push(message);
};

function begin(module: WebAssembly.Module, { source, searches }: Start): void {
  if (searches) receive = search(module);
  else {
    const router = new Router(module, source);
    receive = (message) => router.receive(message);
  }
  for (const message of early.splice(0)) receive(message);
}

scope.onmessage = (event: MessageEvent<Start | string>) => {
  const data = event.data;
  if (typeof data === 'string') return receive(data);
  if (data.wasm instanceof WebAssembly.Module) return begin(data.wasm, data);
  WebAssembly.compile(data.wasm).then(
    (module) => begin(module, data),
    (problem: unknown) => scope.postMessage(JSON.stringify({ event: 'panic', why: String(problem) })),
  );
};
