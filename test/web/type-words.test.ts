import { expect, test } from 'vitest';
import { typeWords } from '../../web/api/type-words.ts';

test.each([
  [{ type: 'integer', exclusiveMinimum: 0 }, 'whole number, 1 or more'],
  [{ type: 'integer', minimum: 1, maximum: 99_999 }, 'whole number, 1 to 99,999'],
  [{ type: 'number', minimum: 0, maximum: 100 }, 'number, 0 to 100'],
  [{ type: 'string', enum: ['rok', 'cod'], default: 'rok' }, 'rok or cod; rok if left out'],
  [{ type: 'string', enum: ['csv', 'xlsx', 'json'] }, 'csv, xlsx or json'],
  [{ type: 'string', enum: ['0', 'true', ''] }, '0 or true'],
  [{ type: 'string', const: 'reports' }, 'reports'],
  [{ type: 'string', maxLength: 3000 }, 'text, up to 3,000 characters'],
  [{ type: 'string', format: 'uuid', pattern: '^x$' }, 'UUID'],
  [{ type: ['number', 'string'] }, 'number or text'],
])('%j reads as %s', (schema, words) => {
  expect(typeWords(schema)).toBe(words);
});
