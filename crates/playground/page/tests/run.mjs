// Runs the tests of the page, one file after the other: they share two cores with a browser.

import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const wanted = process.argv.slice(2);
const files = readdirSync(here).filter((name) => name.endsWith('.test.mjs') && (!wanted.length || wanted.some((part) => name.includes(part))));
const result = spawnSync(process.execPath, ['--test', '--test-concurrency=1', '--test-reporter=spec', ...files.sort().map((name) => join(here, name))], { stdio: 'inherit' });
process.exit(result.status ?? 1);
