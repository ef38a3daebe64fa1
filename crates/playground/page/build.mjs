// Bundles the page into dist/: one classic script, its style, and the worker. `--check` says whether dist/ is stale.

import { build } from 'esbuild';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const check = process.argv.includes('--check');
const parts = { 'page.js': 'src/main.ts', 'page.css': 'src/style.css', 'worker.js': 'src/worker.ts' };

let stale = 0;
for (const [name, source] of Object.entries(parts)) {
  if (!existsSync(join(here, source))) continue;
  const result = await build({
    entryPoints: [join(here, source)],
    bundle: true,
    write: false,
    format: name.endsWith('.js') ? 'iife' : undefined,
    target: name.endsWith('.js') ? 'es2022' : undefined,
    minify: true,
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
  });
  // A script in a page ends where its end tag is written.
  const text = result.outputFiles[0].text.replaceAll('</script', '<\\/script');
  const target = join(here, 'dist', name);
  const old = existsSync(target) ? readFileSync(target, 'utf8') : null;
  if (old === text) continue;
  stale += 1;
  if (check) console.error(`dist/${name} is not what src/ gives: npm run build`);
  else {
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
    console.log(`dist/${name}: ${(text.length / 1024).toFixed(0)} KB`);
  }
}
if (check && stale) process.exit(1);
