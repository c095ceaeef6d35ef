import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import * as z from 'zod';

/**
 * What callers may send, and the numbers that the product promises, as one list (limits.txt): a limit that moves is a
 * change of what was promised, and has to show there. After a change that is meant: `vitest run --project domain
 * test/domain/limits.test.ts -u`, and read the difference.
 */

const DOMAIN = resolve(import.meta.dirname, '../../domain');
/** Answers are excluded: the worker's tests check them against their schemas, and they refuse no caller. */
const ANSWERS = /answers\.ts$|^boards\/contract\.ts$|^service\//;

const BOUNDS = [
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'pattern', 'format'],
] as const;

type Schema = Record<string, unknown>;

function boundsOf(schema: unknown, path: string): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const node = schema as Schema;
  // 2^53 - 1 is the bound of every whole number.
  const own = BOUNDS.flatMap((name) => {
    const value = name === 'pattern' && node.format !== undefined ? undefined : node[name];
    return value === undefined || Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER ? [] : [`${name} ${value}`];
  });
  const inner = [
    ...Object.entries((node.properties ?? {}) as Schema).map(([name, value]) => [value, `${path}.${name}`] as const),
    ...['anyOf', 'oneOf', 'allOf'].flatMap((many) =>
      ((node[many] ?? []) as unknown[]).map((one) => [one, path] as const),
    ),
    [node.items, `${path}[]`] as const,
    [node.additionalProperties, `${path}.*`] as const,
    [node.propertyNames, `${path} (names)`] as const,
  ];
  const required = Array.isArray(node.required) ? [`${path}: needs ${node.required.join(', ')}`] : [];
  const found = own.length > 0 ? [`${path}: ${own.join(', ')}`] : [];
  return [...found, ...required, ...inner.flatMap(([one, at]) => boundsOf(one, at))];
}

it('has its decided value', async () => {
  const files = globSync('**/*.ts', { cwd: DOMAIN }).sort();
  const found = files.map(async (file) => {
    const exports = (await import(/* @vite-ignore */ resolve(DOMAIN, file))) as Record<string, unknown>;
    return Object.entries(exports).flatMap(([name, value]) => {
      if (typeof value === 'number') return [`${file} ${name} = ${value}`];
      if (!(value instanceof z.ZodType) || ANSWERS.test(file)) return [];
      const schema = z.toJSONSchema(value, { io: 'input', unrepresentable: 'any' });
      return boundsOf(schema, name).map((line) => `${file} ${line}`);
    });
  });
  const lines = (await Promise.all(found)).flat();
  expect(lines.length).toBeGreaterThan(200);
  await expect(`${[...new Set(lines)].sort().join('\n')}\n`).toMatchFileSnapshot('limits.txt');
});
