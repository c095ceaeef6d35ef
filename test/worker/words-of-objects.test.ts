import { expect, it } from 'vitest';
import * as z from 'zod';
import { app } from '../../worker/app.ts';
import { checkOf } from '../../worker/middleware/validate.ts';
import { describeApi } from '../../worker/openapi/describe.ts';
import { rawWorkbook } from '../scan-files/workbooks.ts';
import { type Operation, operationsOf } from '../support/grown-calls.ts';
import { caller, signedInAdmin, signedInUser } from './client.ts';
import { bring } from './own-scans.ts';

/** Properties that every object inherits: looking one up in a plain object gives a wrong value. */
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

type Json = Record<string, unknown>;

/** Bodies of a schema with the word for each text and each key of tables; numbers and choices are plausible. */
function bodiesOf(schema: Json, word: string, depth = 0): unknown[] {
  if (depth > 6) return [word];
  if (Array.isArray(schema.enum)) return [schema.enum[0], word];
  if ('const' in schema) return [schema.const];
  const choices = (schema.anyOf ?? schema.oneOf) as Json[] | undefined;
  if (choices) return choices.flatMap((choice) => bodiesOf(choice, word, depth + 1));
  switch (schema.type) {
    case 'object': {
      const entries = Object.entries((schema.properties ?? {}) as Record<string, Json>);
      const each = entries.map(([key, inner]) => [key, bodiesOf(inner, word, depth + 1)] as const);
      const most = Math.max(1, ...each.map(([, values]) => values.length));
      const { additionalProperties: more } = schema;
      return Array.from({ length: most }, (_, at) => {
        const values = each.map(([key, all]) => [key, all[at % all.length]] as const);
        // Written as JSON, in which '__proto__' is an own key.
        const beside = typeof more === 'object' ? [[word, bodiesOf(more as Json, word, depth + 1)[at] ?? word]] : [];
        return Object.fromEntries([...values, ...(beside as [string, unknown][])]);
      });
    }
    case 'array':
      return bodiesOf((schema.items ?? {}) as Json, word, depth + 1).map((item) => [item]);
    case 'integer':
    case 'number':
      return [schema.minimum ?? 1];
    case 'boolean':
      return [true];
    default:
      return [word];
  }
}

const WRITES: readonly Operation[] = operationsOf(
  describeApi(app.routes, 'http://muster.test') as Record<string, unknown>,
).filter(({ body }) => body !== undefined);

it.each(WORDS)('the word %s in a body breaks no call', async (word) => {
  const admin = await signedInAdmin();
  let calls = 0;
  for (const { method, path, body } of WRITES) {
    // Without the session, all other calls would be refused.
    if (/logout|sign-out|password|sessions/.test(path)) continue;
    for (const content of bodiesOf(body as Json, word).slice(0, 6)) {
      calls++;
      const address = path.replace(/\{([^{}]*)\}/g, (_, name: string) => PLAUSIBLE[name] ?? word);
      const response = await admin.fetch(address, {
        method,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(content),
      });
      await response.body?.cancel();
      expect({ method, path, content, broken: response.status >= 500 }).toEqual({
        method,
        path,
        content,
        broken: false,
      });
    }
  }
  expect(calls).toBeGreaterThan(50);
});

const figures = (word: string): string[] => [`Power ${word}`, `Kill Score ${word}`, `Unit Lost ${word}`];

it.each(WORDS)('the word %s in a file is a plain word', async (word) => {
  const user = await signedInUser(0);
  const cells = [word, 'Governor ID', 'Name', 'Alliance', 'Kingdom', ...figures(word)];
  const row = ['x', 7, word, `[${word}]${word}`, word, 5, 6, 7];
  const csv = `${cells.join(',')}\n${row.join(',')}\n`;
  const { status, data } = await bring(user, `4001_${word}.csv`, csv, { kingdom: '4001' });
  // An underscore is a space between words.
  const stage = word.replaceAll('_', '');
  expect([status, data.asks.stages, data.scans.length]).toEqual([200, [stage], 1]);
  expect(data.mapping[`Power ${word}`]).toBe('power');
  const address = `/v1/scans/import/${data.import_id}`;
  for (const choice of [
    { mapping: { Name: null } },
    { captured_at: {} },
    { captured_at: { other: 1_767_225_600_000 } },
  ])
    expect((await user.call('POST', `${address}/preview`, choice)).status).toBe(200);
  expect((await user.call('POST', `${address}/save`, { captured_at: {} })).msg).toBe(
    `captured_at: enter when '${stage}' was read.`,
  );
  const objects = JSON.stringify([{ 'Governor ID': 7, Power: 5, Name: word, Alliance: word }]);
  expect((await bring(user, 'a.json', objects.replace('"Name"', `"${word}"`))).status).toBe(200);
  const inline = [...cells.slice(1, 3), 'Power'].map((cell) => `<c t="inlineStr"><is><t>${cell}</t></is></c>`);
  const book = rawWorkbook(
    [word, '4001'],
    `<row>${inline.join('')}</row><row><c><v>7</v></c><c t="${word}"><v>1</v></c><c><v>9</v></c></row>`,
  );
  expect((await bring(user, 'a.xlsx', Uint8Array.from(book))).status).toBe(200);
});

it('there is no picture for a day outside the calendar', async () => {
  for (const word of WORDS)
    expect((await caller().call('GET', `/v1/cards/rok/kingdom-power/${word}/x.png`)).status).toBe(404);
});
