import { describe, expect, it, test } from 'vitest';
import * as z from 'zod';
import { FORMATS } from '../../domain/language/format-table.ts';
import { addFormat } from '../../domain/language/formats.ts';
import { type Sentence, say } from '../../domain/language/text.ts';
import { inLocale } from '../../worker/isolate/language.ts';
import { headerName, validationFlaw } from '../../worker/middleware/validate.ts';

/** The message of a flaw, with its limit. */

const flawOf = (schema: z.ZodType, value: unknown): Sentence => {
  const { error } = z.object({ it: schema }).safeParse({ it: value });
  return error ? validationFlaw(error) : { message: 'fits' };
};
const said = (schema: z.ZodType, value: unknown): string => say(flawOf(schema, value));

test.each<[string, z.ZodType, unknown]>([
  ['it: must be a text.', z.string(), 5],
  ['it: must be a number.', z.number(), 'x'],
  ['it: must be a whole number.', z.int(), 1.5],
  ['it: must be true or false.', z.boolean(), 1],
  ['it: must be a list.', z.array(z.string()), {}],
  ['it: must be an object.', z.object({}), []],
  ['it: must be an object.', z.record(z.string(), z.string()), 5],
  ['it: has the wrong type.', z.date(), 5],
  ['it: is missing.', z.string(), undefined],
  ['it: must not be empty.', z.string().min(1), ''],
  ['it: must have 2 characters or more.', z.string().min(2), 'a'],
  ['it: must have 1 character at most.', z.string().max(1), 'ab'],
  ['it: must have 1,200 characters at most.', z.string().max(1200), 'x'.repeat(1201)],
  ['it: must not be empty.', z.array(z.int()).min(1), []],
  ['it: must have 2 entries or more.', z.array(z.int()).min(2), [1]],
  ['it: must have 1 entry at most.', z.array(z.int()).max(1), [1, 2]],
  ['it: must have 2 entries at most.', z.set(z.int()).max(2), new Set([1, 2, 3])],
  ['it: must be 0.01 or more.', z.number().min(0.01), 0],
  ['it: must be above 1,000.', z.number().gt(1000), 1000],
  ['it: must be 1 at most.', z.number().max(1), 2],
  ['it: must be below 5.', z.number().lt(5), 5],
  ['it: must be a multiple of 5.', z.number().multipleOf(5), 7],
  ['it: must be an e-mail address.', z.email(), 'x'],
  ['it: must be an address such as https://muster.example/page.', z.url(), 'x'],
  ['it: must be an id such as 0f8fad5b-d9cb-469f-a165-70867728950e.', z.uuid(), 'x'],
  ['it: must be a day such as 2026-11-21.', z.iso.date(), 'x'],
  ['it: must be a time such as 2026-11-21T18:00:00Z.', z.iso.datetime(), 'x'],
  ['it: has the wrong format.', z.string().regex(/^a$/), 'x'],
  ['it: must be a.', z.literal('a'), 'x'],
  ['it: must be one of a, b.', z.enum(['a', 'b']), 'x'],
  ['it: must be a text or a number.', z.union([z.string(), z.number()]), true],
  ['it: must be a text or a number.', z.union([z.string(), z.email(), z.number()]), true],
  ['it.x: has the wrong format.', z.record(z.string().regex(/^a$/), z.string()), { x: 'y' }],
  ['it.x: must be an id.', z.record(z.string().regex(/^a$/, 'must be an id'), z.string()), { x: 'y' }],
  ['it: is invalid.', z.string().refine(() => false), 'x'],
  ['it: is odd.', z.string().refine(() => false, 'is odd'), 'x'],
  ['it: is it?', z.string().refine(() => false, 'is it?'), 'x'],
])('%s', (sentence, schema, value) => {
  expect(said(schema, value)).toBe(sentence);
});

test('a limit is the same while another language is spoken', () => {
  addFormat('de', FORMATS.de);
  expect(say(inLocale('de', () => flawOf(z.string().max(1200), 'x'.repeat(1201))))).toBe(
    'it: must have 1,200 characters at most.',
  );
});

test('unknown fields are named, up to a limit', () => {
  const strict = z.strictObject({});
  const fields = (names: string[]) => Object.fromEntries(names.map((name) => [name, 1]));
  expect(said(strict, fields(['a', 'b']))).toBe('it: has unknown fields: a, b.');
  expect(said(strict, fields([...'abcdef']))).toBe('it: has unknown fields: a, b, c, d, e.');
  expect(said(strict, fields(['x'.repeat(300)]))).toBe(`it: has unknown fields: ${'x'.repeat(200)}.`);
});

describe('the place of a flaw', () => {
  const flaw = (path: PropertyKey[], message: string, target?: 'header') =>
    say(validationFlaw({ issues: [{ path, message }] } as unknown as z.core.$ZodError, target));

  it('is its path', () => {
    expect(flaw(['orders', 0, 'params', 'kingdoms', 12], 'is odd')).toBe('orders[0].params.kingdoms[12]: is odd.');
    expect(flaw([3, 'a'], 'is odd!')).toBe('[3].a: is odd!');
  });

  it('is the request if it has no path', () => {
    expect(flaw([], 'must be an object.')).toBe('The request must be an object.');
    expect(flaw([], 'Choose one.')).toBe('Choose one.');
    expect(say(validationFlaw({ issues: [] } as unknown as z.core.$ZodError))).toBe('The request is not valid.');
  });

  it('is the header name in its usual case', () => {
    expect(flaw(['idempotency-key'], 'is odd', 'header')).toBe('Idempotency-Key: is odd.');
    expect(flaw(['idempotency-key'], 'is odd')).toBe('idempotency-key: is odd.');
    expect(headerName('stripe-signature')).toBe('Stripe-Signature');
  });
});
