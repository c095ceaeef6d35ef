import { expect, it } from 'vitest';
import type * as z from 'zod';
import { say } from '../../domain/language/text.ts';
import { app } from '../../worker/app.ts';
import { type Checked, checkOf, validationFlaw } from '../../worker/middleware/validate.ts';
import { caller } from './client.ts';

/** Errors in a request are explained in our own sentences, never in a library's words. */

const checks = new Map<z.ZodType, Checked>();
for (const { handler } of app.routes) {
  const check = checkOf(handler);
  if (check) checks.set(check.schema, check);
}

/** Values of every type: too short and too long, too small and too large, and none at all. */
const WRONG: readonly unknown[] = [
  ...[undefined, null, true, false, '', ' ', 'x', 'x'.repeat(100_000), '\u0000'],
  ...[0, -1, 0.5, 1e12, 1e300, Number.NaN, Number.POSITIVE_INFINITY],
  ...[[], [[]], [null], ['x'], Array.from({ length: 20_000 }, () => 'x'), Array.from({ length: 20_000 }, () => 1)],
  ...[{}, { x: 1 }, { x: {} }, Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`k${index}`, index]))],
];

/** A schema and all schemas in it. */
function schemasIn(schema: z.core.$ZodType, seen = new Set<z.core.$ZodType>()): Set<z.core.$ZodType> {
  // A transform gets only values that passed the step before it.
  if (seen.has(schema) || schema._zod.def.type === 'transform') return seen;
  seen.add(schema);
  const { def } = (schema as z.ZodType)._zod as unknown as { def: Record<string, unknown> };
  const inner = [def.innerType, def.element, def.in, def.out, def.keyType, def.valueType, def.schema];
  const listed = [
    ...Object.values((def.shape as object | undefined) ?? {}),
    ...((def.options as [] | undefined) ?? []),
  ];
  for (const one of [...inner, ...listed])
    if (one && typeof one === 'object' && '_zod' in one) schemasIn(one as z.core.$ZodType, seen);
  return seen;
}

/** Words of zod, of JavaScript, of patterns. */
const RAW =
  /invalid|expected|received|undefined|\bNaN\b|\bnull:|too (big|small)|unrecognized|pattern|regex|\/\^|zod|>=|<=|\[object/i;

const sentences = new Map<string, string>();
for (const { schema } of checks.values())
  for (const one of schemasIn(schema))
    for (const value of WRONG) {
      const { error } = (one as z.ZodType).safeParse(value);
      for (const { message } of error?.issues ?? []) sentences.set(message, JSON.stringify(value)?.slice(0, 60) ?? '');
    }

it('checks the schemas of all calls, and finds errors in them', () => {
  expect(checks.size).toBeGreaterThan(40);
  expect(sentences.size).toBeGreaterThan(60);
});

it('uses no words of libraries', () => {
  expect([...sentences].filter(([sentence]) => RAW.test(sentence))).toEqual([]);
});

/**
 * A schema's message for a wrong type is also used by its checks that have none: a number past its limit would be
 * called no number.
 */
it('has a message for every check', () => {
  const silent = [...checks.values()].flatMap(({ schema }) =>
    [...schemasIn(schema)].flatMap((one) => {
      const { error, checks: held = [] } = one._zod.def;
      const mute = held.filter(
        ({ _zod: { def } }) => !def.error && def.check !== 'overwrite' && def.check !== 'custom',
      );
      return error && mute.length > 0 ? [`${one._zod.def.type}: ${mute.map(({ _zod }) => _zod.def.check)}`] : [];
    }),
  );
  expect(silent).toEqual([]);
});

it('names the field, and ends every message as a sentence', () => {
  for (const { schema, target } of checks.values())
    for (const value of [{}, null, 'x', { x: 1 }]) {
      const { error } = schema.safeParse(value);
      if (error) expect(say(validationFlaw(error, target))).toMatch(/[.!?]$/);
    }
});

it.each<[string, string, unknown, string]>([
  ['POST', '/v1/login', { username: 'demo' }, 'password: is missing.'],
  ['POST', '/v1/login', { username: 7, password: 'x' }, 'username: must be a text.'],
  ['POST', '/v1/login', { username: 'demo', password: '' }, 'password: must not be empty.'],
  ['POST', '/v1/login', { username: 'demo', password: 'x'.repeat(201) }, 'password: must have 200 characters at most.'],
  ['POST', '/v1/login', [], 'The request must be an object.'],
])('%s %s with %j is refused with %j', async (method, path, body, sentence) => {
  const { status, msg } = await caller().call(method, path, body);
  expect({ status, msg }).toEqual({ status: 400, msg: sentence });
});
