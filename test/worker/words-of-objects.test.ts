import { expect, it } from 'vitest';
import { app } from '../../worker/app.ts';
import { caller, signedInAdmin } from './client.ts';

/** What every object answers to without having it: a table asked for one of these by a stranger has a wrong answer. */
const WORDS = ['constructor', '__proto__'];

const GETS = [
  ...new Set(app.routes.filter(({ method, path }) => method === 'GET' && path.startsWith('/v1/')).map((r) => r.path)),
];
const QUERIES = ['game', 'type', 'sort', 'day', 'days', 'state', 'before', 'page', 'count', 'q'];
const PLAUSIBLE: Readonly<Record<string, string>> = { game: 'rok', board: 'kingdom-power', file: 'x.png' };

/** The path with `word` in one place of it at a time, and something plausible in the others. */
function pathsWith(path: string, word: string): string[] {
  const filled = (bad: string) =>
    path.replace(/:(\w+)(\{[^}]*\})?\??/g, (_, name: string) => (name === bad ? word : (PLAUSIBLE[name] ?? '1')));
  return [filled(''), ...[...path.matchAll(/:(\w+)/g)].map(([, name = '']) => filled(name))];
}

it.each(WORDS)('the word %s in a path or a query breaks no call', async (word) => {
  expect(GETS.length).toBeGreaterThan(40);
  const admin = await signedInAdmin();
  const paths = GETS.flatMap((path) => pathsWith(path, word));
  for (const path of paths.flatMap((one) => [one, ...QUERIES.map((name) => `${one}?${name}=${word}`)])) {
    const response = await admin.fetch(path);
    await response.body?.cancel();
    expect({ path, broken: response.status >= 500 }).toEqual({ path, broken: false });
  }
});

it('the picture of a day that no calendar has is not there', async () => {
  for (const word of [...WORDS, 'toString', 'hasOwnProperty'])
    expect((await caller().call('GET', `/v1/cards/rok/kingdom-power/${word}/x.png`)).status).toBe(404);
});
