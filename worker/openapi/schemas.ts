import * as z from 'zod';
import { FIELD_WORDS } from './field-words.ts';
import { SERVICE_WORDS } from './service-words.ts';

/** JSON Schema (2020-12) of what routes validate and answer. */

export type Json = Record<string, unknown>;

const SAFE = Number.MAX_SAFE_INTEGER;

/** Bounds of every whole number, which say nothing about one. */
function dropSafeBounds(schema: Json): void {
  if (schema.minimum === -SAFE) delete schema.minimum;
  if (schema.maximum === SAFE) delete schema.maximum;
}

const WORDS = { ...FIELD_WORDS, ...SERVICE_WORDS };

/** Gives each field without a description the one that its name has everywhere. */
function describeFields({ properties }: Json): void {
  for (const [name, field] of Object.entries((properties ?? {}) as Record<string, Json>)) {
    const words = WORDS[name];
    if (field.description === undefined && words !== undefined) field.description = words;
  }
}

const made = new WeakMap<z.ZodType, Partial<Record<'input' | 'output', Json>>>();

/** The JSON Schema of a value as callers send it (`input`) or get it (`output`). */
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
