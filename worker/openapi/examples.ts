import type { Json } from './schemas.ts';

/** Examples for schemas, shown in the API description. */

const MOMENT = Date.UTC(2026, 10, 21, 18);
const ITEM = 'i3f2a9c81d04b7e65a1c0';
const UUID = '0f8fad5b-d9cb-469f-a165-70867728950e';

/** Example values by field name. A field takes the first value of its type. */
const NAMED: Readonly<Record<string, readonly unknown[]>> = {
  game: ['rok'],
  order_id: [301],
  order_uuid: [UUID],
  item_id: [ITEM],
  kingdom_id: [1001],
  home_kingdom: [1001],
  kingdom: [1001, '1001'],
  kingdoms: [['1001']],
  governor_id: [51_234_567],
  governors: [300],
  name: ['Aria of Dawn'],
  alliance_tag: ['DAWN'],
  alliance: ['[DAWN] Dawn Watch'],
  tag: ['DAWN'],
  power: [85_300_000],
  killpoints: [912_400_000],
  price: [1.5],
  total: [1.5],
  balance: [98.5],
  rank: [12],
  day: ['2026-11-21'],
  type: ['rok-kingdom-scan', 'csv'],
  group_name: ['Rise of Kingdoms'],
  product_name: ['Kingdom scan'],
  params: [{ kingdoms: ['1001'], governors: 300, full_profile: true }],
  user: ['demo'],
  username: ['demo'],
  email: ['demo@muster.example'],
  message: ['Done.'],
  msg: ['Done.'],
  path: ['/shared/eyJhbGciOi'],
  token: ['eyJhbGciOi'],
};
const isMoment = (name: string): boolean => /(_at|_until|captured|^time|^ts|^since|^from|^to)$/.test(name);

const PATTERNED: readonly (readonly [pattern: RegExp, example: string])[] = [
  [/^\^cs_/, 'cs_test_a1B2c3D4e5'],
  [/^\^\\d\{1,15\}-/, '1795284000000-0f8fad5b'],
  [/^\^\\d\{4\}-/, '2026-11-21'],
  [/^\^\[1-9\]\\d\{0,4\}/, '1001'],
  [/^\^\[1-9\]/, '51234567'],
  [/^\^-\?\\d/, '100'],
  [/\[A-Z/, 'WAR-ROOM'],
  [/^\^\\d/, '301'],
];
const FORMATS: Readonly<Record<string, string>> = {
  uuid: UUID,
  email: 'demo@muster.example',
  date: '2026-11-21',
  'date-time': '2026-11-21T18:00:00Z',
  uri: 'https://muster.example/page',
};

const within = (value: number, { minimum, maximum, exclusiveMinimum }: Json): number =>
  Math.max(
    Math.min(value, (maximum as number | undefined) ?? value),
    (minimum as number | undefined) ?? value,
    exclusiveMinimum === undefined ? value : (exclusiveMinimum as number) + 1,
  );

function textOf(schema: Json): string {
  if (typeof schema.format === 'string' && FORMATS[schema.format]) return FORMATS[schema.format] as string;
  const pattern = String(schema.pattern ?? '');
  const known = PATTERNED.find(([one]) => one.test(pattern))?.[1];
  if (known) return known;
  const text = 'text';
  return text
    .padEnd((schema.minLength as number | undefined) ?? 0, ' of an example')
    .slice(0, (schema.maxLength as number | undefined) ?? 200);
}

const TYPE_OF = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value === 'number' ? 'number' : typeof value;

function named(name: string, type: unknown, { pattern, format, items, minLength = 0 }: Json): unknown {
  if (type === 'integer' || type === 'number') {
    const value = NAMED[name]?.find((each) =>
      type === 'integer' ? Number.isInteger(each) : TYPE_OF(each) === 'number',
    );
    return value ?? (isMoment(name) ? MOMENT : undefined);
  }
  if (pattern !== undefined || format !== undefined) return undefined;
  if (type === 'array' && (items as Json | undefined)?.type !== 'string') return undefined;
  if (type === 'string' && /(_at|^start|^end)$/.test(name)) return new Date(MOMENT).toISOString();
  const value = NAMED[name]?.find((each) => TYPE_OF(each) === type);
  return typeof value === 'string' && value.length < (minLength as number) ? undefined : value;
}

function objectOf({ properties = {}, additionalProperties, propertyNames }: Json): Json {
  const made = Object.entries(properties as Record<string, Json>).map(([key, schema]) => [key, exampleOf(schema, key)]);
  if (made.length > 0 || typeof additionalProperties !== 'object' || additionalProperties === null)
    return Object.fromEntries(made);
  const key = propertyNames ? String(exampleOf(propertyNames as Json)) : 'name';
  return { [key]: exampleOf(additionalProperties as Json) };
}

function listOf(schema: Json, name: string): unknown[] {
  const prefix = (schema.prefixItems as Json[] | undefined) ?? [];
  if (prefix.length > 0) return prefix.map((each) => exampleOf(each));
  const items = schema.items as Json | undefined;
  return items ? [exampleOf(items, name.replace(/s$/, ''))] : [];
}

/** Returns an example for a schema. `name` is the field's name, if any. */
export function exampleOf(schema: Json, name = ''): unknown {
  if (Array.isArray(schema.examples)) return schema.examples[0];
  if ('const' in schema) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const choices = (schema.anyOf ?? schema.oneOf) as Json[] | undefined;
  if (choices) return exampleOf(choices.find(({ type }) => type !== 'null') ?? choices[0] ?? {}, name);
  const type = Array.isArray(schema.type) ? schema.type.find((each) => each !== 'null') : schema.type;
  const known = named(name, type, schema);
  if (known !== undefined) return typeof known === 'number' ? within(known, schema) : known;
  if ('default' in schema) return schema.default;
  switch (type) {
    case 'object':
      return objectOf(schema);
    case 'array':
      return listOf(schema, name);
    case 'integer':
      return within(7, schema);
    case 'number':
      return within(7.5, schema);
    case 'boolean':
      return true;
    case 'string':
      return textOf(schema);
    case 'null':
      return null;
    default:
      return {};
  }
}
