/** Made-up calls of growing size, count and depth, by the API's own description: for the fuzz and for its long run. */

type Json = Record<string, unknown>;

interface Parameter {
  name: string;
  in: string;
}

export interface Operation {
  method: string;
  path: string;
  parameters: Parameter[];
  /** JSON schema of the body; undefined if the call takes none. */
  body: Json | undefined;
}

export interface GrownCall {
  operation: Operation;
  path: string;
  body: string | undefined;
  headers: Record<string, string>;
}

/** A number from 0 to 1, the next of a line that follows from its seed. */
export type Random = () => number;

/** Mulberry32. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The operations of an OpenAPI description. */
export function operationsOf(api: Json): Operation[] {
  const paths = api.paths as Record<string, Record<string, Json>>;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const content = (operation.requestBody as { content?: Record<string, { schema?: Json }> } | undefined)?.content;
      const parameters = (operation.parameters as Parameter[] | undefined) ?? [];
      return { method: method.toUpperCase(), path, parameters, body: content?.['application/json']?.schema };
    }),
  );
}

const pick = <Value>(random: Random, values: readonly Value[]): Value =>
  values[Math.floor(random() * values.length)] as Value;

const ODD_TEXTS = ['', '0', '-1', '1e308', 'null', '__proto__', '\u0000', '\ud800', "'--", '<script>', '../..', '=1+1'];
const ODD: readonly unknown[] = [null, true, -1, 0, 1.5, 1e308, 2 ** 53, [], {}, ...ODD_TEXTS];
const PIECES = ['x', '9', ',', '龍', '\u202e', '"', '\\', ' ', 'a,', '1011,', '\u0000'];

/** A text of so many characters. */
const longText = (random: Random, size: number): string => {
  const piece = pick(random, PIECES);
  return piece.repeat(Math.ceil(size / piece.length)).slice(0, size);
};

/** Something of about so many bytes: long, many or deep. Depths are given as JSON, which nests further than calls can. */
function grown(random: Random, size: number): string {
  const depth = Math.floor(size / 2);
  const count = Math.max(1, Math.floor(size / 6));
  switch (Math.floor(random() * 7)) {
    case 0:
      return '['.repeat(depth) + ']'.repeat(depth);
    case 1:
      return `${'{"a":'.repeat(Math.floor(size / 6))}1${'}'.repeat(Math.floor(size / 6))}`;
    case 2:
      return JSON.stringify(Array.from({ length: count }, (_, index) => index + 1));
    case 3:
      return JSON.stringify(Array.from({ length: count }, (_, index) => String(index + 1)));
    case 4:
      return JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, index])));
    case 5:
      return '9'.repeat(Math.max(1, size));
    default:
      return JSON.stringify(longText(random, size));
  }
}

/** Marks where a grown value goes in a body: its JSON replaces this text. */
const MARK = '\u0001grown\u0001';

interface Made {
  random: Random;
  /** Values that are right more often than chance has them, by the name of a field. */
  known: Readonly<Record<string, unknown>>;
}

/** A value as a schema has it, more or less. `name` is the field's. */
function madeUp(made: Made, schema: Json, name: string, depth = 0): unknown {
  const { random, known } = made;
  if (random() < 0.04 || depth > 6) return pick(random, ODD);
  if (name in known && random() < 0.7) return known[name];
  if (Array.isArray(schema.enum)) return pick(random, schema.enum as unknown[]);
  if ('const' in schema) return schema.const;
  const choices = (schema.anyOf ?? schema.oneOf) as Json[] | undefined;
  if (choices) return madeUp(made, pick(random, choices), name, depth + 1);
  switch (schema.type) {
    case 'object': {
      const properties = Object.entries((schema.properties as Record<string, Json> | undefined) ?? {});
      const required = (schema.required as string[] | undefined) ?? [];
      const kept = properties.filter(([key]) => required.includes(key) || random() < 0.6);
      return Object.fromEntries(kept.map(([key, inner]) => [key, madeUp(made, inner, key, depth + 1)]));
    }
    case 'array': {
      const items = (schema.items as Json | undefined) ?? {};
      return Array.from({ length: 1 + Math.floor(random() * 3) }, () => madeUp(made, items, name, depth + 1));
    }
    case 'integer':
    case 'number': {
      const { minimum = 0, maximum = 1000 } = schema as { minimum?: number; maximum?: number };
      return Math.floor(minimum + random() * (Math.min(maximum, 1e6) - minimum));
    }
    case 'boolean':
      return random() < 0.5;
    case 'string':
      return random() < 0.5 ? 'a1'.repeat(1 + Math.floor(random() * 8)) : pick(random, ODD_TEXTS);
    default:
      return pick(random, ODD);
  }
}

/** Puts the mark somewhere into a value. */
function marked(random: Random, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || random() < 0.25) return MARK;
  if (Array.isArray(value)) {
    const at = Math.floor(random() * (value.length + 1));
    return [...value.slice(0, at), marked(random, value[at]), ...value.slice(at + 1)];
  }
  const keys = Object.keys(value);
  const key = keys.length === 0 || random() < 0.1 ? 'more' : pick(random, keys);
  return { ...value, [key]: marked(random, (value as Json)[key]) };
}

function bodyOf(made: Made, schema: Json, size: number): string {
  const { random } = made;
  const body = marked(random, madeUp(made, schema, ''));
  return JSON.stringify(body).replace(JSON.stringify(MARK), () => grown(random, size));
}

/** The longest address and header that proxies and clients pass on. */
const LONGEST_LINE = 6000;

/** A call of that operation whose largest part has about so many bytes. */
export function grownCall(
  random: Random,
  operation: Operation,
  size: number,
  known: Readonly<Record<string, unknown>> = {},
): GrownCall {
  const made = { random, known };
  const line = Math.min(size, LONGEST_LINE);
  const inPath = operation.path.replace(/\{(\w+)\}|:(\w+)/g, (_, braced: string, colon: string) => {
    const name = braced ?? colon;
    const value = name in known && random() < 0.7 ? known[name] : random() < 0.3 ? longText(random, line) : '1';
    return encodeURIComponent(String(value).toWellFormed()).slice(0, LONGEST_LINE);
  });
  const query = operation.parameters
    .filter((parameter) => parameter.in === 'query' && random() < 0.5)
    .map(({ name }) => {
      const value =
        name in known && random() < 0.5
          ? known[name]
          : random() < 0.4
            ? longText(random, line)
            : pick(random, ['1', 'rok', 'csv', '-1', '2026-01-01', 'true']);
      return `${name}=${encodeURIComponent(String(value).toWellFormed())}`;
    });
  if (random() < 0.1) query.push(...Array.from({ length: Math.floor(line / 8) }, (_, index) => `q${index}=1`));
  const search = query
    .join('&')
    .slice(0, LONGEST_LINE)
    .replace(/%[0-9A-F]?$/, '');
  const hasBody = operation.method !== 'GET' && operation.method !== 'HEAD';
  return {
    operation,
    path: search ? `${inPath.replace(/%[0-9A-F]?$/, '')}?${search}` : inPath.replace(/%[0-9A-F]?$/, ''),
    body: hasBody ? bodyOf(made, operation.body ?? {}, size) : undefined,
    headers: random() < 0.1 ? { 'idempotency-key': 'k'.repeat(Math.max(1, Math.floor(line / 4))) } : {},
  };
}
