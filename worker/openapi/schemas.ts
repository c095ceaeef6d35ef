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

/** Adds the common description to each field without its own. */
function describeFields({ properties }: Json): void {
  for (const [name, field] of Object.entries((properties ?? {}) as Record<string, Json>)) {
    const words = WORDS[name];
    if (field.description === undefined && words !== undefined) field.description = words;
  }
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
    override: ({ jsonSchema }) => {
      dropSafeBounds(jsonSchema as Json);
      describeFields(jsonSchema as Json);
    },
  }) as Json;
  made.set(schema, { ...known, [io]: rest });
  return rest;
}
