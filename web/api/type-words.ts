import { exact } from '../format.ts';

interface Schema {
  type?: string | string[];
  enum?: readonly unknown[];
  const?: unknown;
  format?: string;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  maxLength?: number;
  default?: unknown;
}

const NOUNS: Readonly<Record<string, string>> = { integer: 'whole number', number: 'number', string: 'text' };
const FORMATS: Readonly<Record<string, string>> = { date: 'date (YYYY-MM-DD)', uuid: 'UUID' };

function boundsOf({ minimum, exclusiveMinimum, maximum, maxLength }: Schema): string {
  const low = minimum ?? (exclusiveMinimum === undefined ? undefined : exclusiveMinimum + 1);
  if (low !== undefined && maximum !== undefined) return `, ${exact(low)} to ${exact(maximum)}`;
  if (low !== undefined) return `, ${exact(low)} or more`;
  return maxLength === undefined ? '' : `, up to ${exact(maxLength)} characters`;
}

/** Says in words what a parameter's JSON Schema accepts: 'whole number, 1 to 1,000', 'rok or cod'. */
export function typeWords(schema: Schema): string {
  const choices = (schema.enum ?? (schema.const === undefined ? [] : [schema.const])).map(String).filter(Boolean);
  const nouns = [schema.type ?? []].flat().map((type) => NOUNS[type] ?? type);
  const what =
    choices.length > 0
      ? [choices.slice(0, -1).join(', '), choices.at(-1)].filter(Boolean).join(' or ')
      : (FORMATS[schema.format ?? ''] ?? nouns.join(' or ') + boundsOf(schema));
  return schema.default === undefined ? what : `${what}; ${schema.default} if left out`;
}
