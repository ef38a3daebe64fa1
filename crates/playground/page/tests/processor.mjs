// The processor time of the page's workers, as the kernel tells it (Linux): the threads of the browser that this program started.

import { readFileSync, readdirSync } from 'node:fs';

/** What all workers of the browser have used so far, in seconds. */
export function processorTime() {
  let nanoseconds = 0n;
  for (const id of descendants()) {
    for (const thread of entries(`/proc/${id}/task`)) {
      const folder = `/proc/${id}/task/${thread}`;
      if (!read(`${folder}/comm`).startsWith('DedicatedWorker')) continue;
      nanoseconds += BigInt(read(`${folder}/schedstat`).split(' ')[0] || 0);
    }
  }
  return Number(nanoseconds) / 1e9;
}

/** The processes that this one started, and those that they started. */
function descendants() {
  const children = new Map();
  for (const id of entries('/proc').filter((name) => /^\d+$/.test(name))) {
    // The name stands in brackets and may hold anything.
    const parent = read(`/proc/${id}/stat`).split(') ').at(-1)?.split(' ')[1];
    if (parent) children.set(parent, [...(children.get(parent) ?? []), id]);
  }
  const found = [];
  const left = [String(process.pid)];
  while (left.length) {
    const next = children.get(left.pop()) ?? [];
    found.push(...next);
    left.push(...next);
  }
  return found;
}

/** Processes and threads end while one looks at them. */
function entries(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
