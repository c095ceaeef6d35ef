import { expect, it } from 'vitest';
import * as z from 'zod';
import { app } from '../../worker/app.ts';
import { checkOf } from '../../worker/middleware/validate.ts';
import { caller, signedInAdmin } from './client.ts';

/** What every object answers to without having it: a table asked for one of these by a stranger has a wrong answer. */
const WORDS = ['constructor', '__proto__'];

const ROUTES = [
  ...Map.groupBy(
    app.routes.filter(({ method, path }) => method === 'GET' && path.startsWith('/v1/')),
    ({ path }) => path,
  ),
];
const PLAUSIBLE: Readonly<Record<string, string>> = { game: 'rok', board: 'kingdom-power', file: 'x.png' };

/** The path with `word` for that parameter, and something plausible for the others. */
const filled = (path: string, word = '', bad = ''): string =>
  path.replace(/:(\w+)(\{[^}]*\})?\??/g, (_, name: string) => (name === bad ? word : (PLAUSIBLE[name] ?? '1')));

/** Names of the query that a route reads. */
const queriesOf = (handlers: object[]): string[] =>
  handlers.flatMap((handler) => {
    const check = checkOf(handler);
    if (check?.target !== 'query') return [];
    const { properties = {} } = z.toJSONSchema(check.schema, { io: 'input', unrepresentable: 'any' });
    return Object.keys(properties);
  });

it.each(WORDS)('the word %s in a path or a query breaks no call', async (word) => {
  const admin = await signedInAdmin();
  const paths = ROUTES.flatMap(([path, routes]) => [
    ...[...path.matchAll(/:(\w+)/g)].map(([, name]) => filled(path, word, name)),
    ...queriesOf(routes.map(({ handler }) => handler)).map((name) => `${filled(path)}?${name}=${word}`),
  ]);
  expect(paths.length).toBeGreaterThan(60);
  for (const path of paths) {
    const response = await admin.fetch(path);
    await response.body?.cancel();
    expect({ path, broken: response.status >= 500 }).toEqual({ path, broken: false });
  }
});

it('the picture of a day that no calendar has is not there', async () => {
  for (const word of [...WORDS, 'toString', 'hasOwnProperty'])
    expect((await caller().call('GET', `/v1/cards/rok/kingdom-power/${word}/x.png`)).status).toBe(404);
});
