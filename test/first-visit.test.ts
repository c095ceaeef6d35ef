import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

const BUILT = resolve(import.meta.dirname, '..', 'dist', 'web');
const read = (file: string): string => readFileSync(join(BUILT, file), 'utf8');

/**
 * Bytes of script that a visitor's first page may take, packed by gzip; brotli, as browsers ask for it, sends a seventh
 * less. React, its router and its query cache are 105,000 of them: what grows is the list of routes.
 */
const BAR = 128_000;

const html = read('index.html');
const preloads = JSON.parse(read('route-preloads.json')) as Record<string, string[]>;

/** Scripts of a first visit: those that the page and its head name, and whatever these import by plain imports. */
function scriptsOf(path: string): string[] {
  const named = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g)].map(([, file = '']) => file);
  const waiting = [...named, ...(preloads[path] ?? []).map((file) => file.slice(1))].filter((file) =>
    file.endsWith('.js'),
  );
  const found = new Set<string>();
  for (let file = waiting.pop(); file; file = waiting.pop()) {
    if (found.has(file)) continue;
    found.add(file);
    for (const [, imported] of read(file).matchAll(/(?:from|import)\s*["'`]\.\/([^"'`]+\.js)["'`]/g))
      waiting.push(`assets/${imported}`);
  }
  return [...found];
}

test.each(['governor', 'alliance', 'kingdom'])(
  'a first visit to the %s board runs under 128 kB of packed script',
  (kind) => {
    const scripts = scriptsOf(`/leaderboard/${kind}`);
    const sizes = scripts.map((file) => gzipSync(read(file)).length);
    const sum = sizes.reduce((all, size) => all + size, 0);
    // React alone is 60 kB: less would mean that files were missed.
    expect(sum).toBeGreaterThan(60_000);
    expect(sum).toBeLessThan(BAR);
  },
);

test('a board’s own code and styles are asked for by the head of its page', () => {
  for (const kind of ['governor', 'alliance', 'kingdom']) {
    const files = preloads[`/leaderboard/${kind}`] ?? [];
    expect(files.some((file) => /\/board-[^/]+\.js$/.test(file) && read(file).includes('leaderboard'))).toBe(true);
    expect(files.some((file) => file.endsWith('.css'))).toBe(true);
  }
});

test('so are those of an event, which is known by a pattern', () => {
  for (const path of ['/dashboards/$dashboardId', '/cod-dashboards/$dashboardId']) {
    const files = preloads[path] ?? [];
    expect(files.some((file) => file.endsWith('.js') && read(file).includes('Scoreboard'))).toBe(true);
    expect(files.some((file) => file.endsWith('.css'))).toBe(true);
  }
});
