import * as z from 'zod';
import { FIELD_WORDS } from './field-words.ts';
import { SERVICE_WORDS } from './service-words.ts';

/** JSON Schema (2020-12). */

export type Json = Record<string, unknown>;

const SAFE = Number.MAX_SAFE_INTEGER;

/** Removes zod's default bounds of whole numbers. */
function dropSafeBounds(schema: Json): void {
  if (schema.minimum === -SAFE) delete schema.minimum;
  if (schema.maximum === SAFE) delete schema.maximum;
}

const WORDS = { ...FIELD_WORDS, ...SERVICE_WORDS };

/** Returns a copy of a schema in which each field without a description has the common one of its name. */
function withWords(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withWords);
  if (typeof node !== 'object' || node === null) return node;
  const copy = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, withWords(value)]));
  for (const [name, field] of Object.entries((copy.properties ?? {}) as Record<string, Json>))
    if (WORDS[name] !== undefined) field.description ??= WORDS[name];
  return copy;
}

const made = new WeakMap<z.ZodType, Partial<Record<'input' | 'output', Json>>>();

/** Returns the JSON Schema of a value as sent by callers (`input`) or received by them (`output`). */
export function schemaOf(schema: z.ZodType, io: 'input' | 'output' = 'input'): Json {
  const known = made.get(schema) ?? {};
  const found = known[io];
  if (found) return found;
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => dropSafeBounds(jsonSchema as Json),
  }) as Json;
  // Fields of one zod schema share their JSON, so words are added to a copy.
  const described = withWords(rest) as Json;
  made.set(schema, { ...known, [io]: described });
  return described;
}
