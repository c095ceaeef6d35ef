import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ThriftReader } from '../../../worker/files/thrift.ts';

/** Thrift's compact protocol, written here from its specification. */

type Value =
  | { kind: 'truth'; value: boolean }
  | { kind: 'byte' | 'i16' | 'i32' | 'i64'; value: number }
  | { kind: 'double' }
  | { kind: 'binary'; value: Uint8Array }
  | { kind: 'list' | 'set'; values: Value[] }
  | { kind: 'struct'; fields: [step: number, value: Value][] };

const KINDS = { byte: 3, i16: 4, i32: 5, i64: 6, double: 7, binary: 8, list: 9, set: 10, struct: 12 } as const;
const kindOf = (value: Value): number =>
  value.kind === 'truth' ? (value.value ? 1 : 2) : KINDS[value.kind as keyof typeof KINDS];

function varint(value: bigint): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 0x7fn) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  return [...bytes, Number(rest)];
}
const zigzag = (value: number): number[] => varint(value < 0 ? -2n * BigInt(value) - 1n : 2n * BigInt(value));

function bytesOf(value: Value, inList = false): number[] {
  switch (value.kind) {
    case 'truth':
      return inList ? [value.value ? 1 : 2] : [];
    case 'byte':
      return [value.value & 0xff];
    case 'double':
      return [1, 2, 3, 4, 5, 6, 7, 8];
    case 'binary':
      return [...varint(BigInt(value.value.length)), ...value.value];
    case 'list':
    case 'set': {
      const [first] = value.values;
      const kind = first ? kindOf(first) : 8;
      const { length } = value.values;
      const head = length < 15 ? [(length << 4) | kind] : [0xf0 | kind, ...varint(BigInt(length))];
      return [...head, ...value.values.flatMap((each) => bytesOf(each, true))];
    }
    case 'struct':
      return structOf(value.fields);
    default:
      return zigzag(value.value);
  }
}

/** Fields by the step of each id from the last; after a large step, the id follows the head. */
function structOf(fields: readonly [number, Value][]): number[] {
  let id = 0;
  const bytes = fields.flatMap(([step, value]) => {
    id += step;
    const kind = kindOf(value);
    return [...(step < 16 ? [(step << 4) | kind] : [kind, ...zigzag(id)]), ...bytesOf(value)];
  });
  return [...bytes, 0];
}

/** Zigzag doubles a number, so that the sign has its own bit. */
const MOST = 2 ** 52 - 1;
const whole = fc.oneof(
  fc.integer({ min: -70, max: 70 }),
  fc.integer(),
  fc.integer({ min: -MOST, max: MOST }),
  fc.constantFrom(0, 63, 64, -64, -65, 2 ** 31, 2 ** 32, -(2 ** 40), MOST, -MOST),
);
const plain: fc.Arbitrary<Value> = fc.oneof(
  fc.record({ kind: fc.constantFrom('i16' as const, 'i32' as const, 'i64' as const), value: whole }),
  fc.record({ kind: fc.constant('byte' as const), value: fc.integer({ min: 0, max: 255 }) }),
  fc.record({ kind: fc.constant('double' as const) }),
  fc.record({ kind: fc.constant('binary' as const), value: fc.uint8Array({ maxLength: 200 }) }),
);
const truth: fc.Arbitrary<Value> = fc.record({ kind: fc.constant('truth' as const), value: fc.boolean() });
const step = fc.oneof(fc.integer({ min: 1, max: 15 }), fc.integer({ min: 16, max: 300 }));
const alike = (values: fc.Arbitrary<Value>) =>
  fc
    .tuple(fc.constantFrom('list' as const, 'set' as const), fc.integer({ min: 0, max: 20 }), values)
    .map(([kind, count, value]): Value => ({ kind, values: Array.from({ length: count }, () => value) }));
const struct = fc
  .array(fc.tuple(step, fc.oneof(plain, truth)), { maxLength: 4 })
  .map((fields): Value => ({ kind: 'struct', fields }));
const any = fc.oneof(plain, truth, struct, alike(fc.oneof(plain, truth, struct)));

describe('a struct', () => {
  test('is read field by field, and unread fields of any kind are skipped', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(step, any), { maxLength: 8 }), fc.nat(3), (fields, before) => {
        const bytes = Uint8Array.from([...Array<number>(before).fill(0xff), ...structOf(fields), 0x55]);
        const reader = new ThriftReader(bytes, before);
        let [id, expected] = [0, 0];
        for (const [by, value] of fields) {
          expected += by;
          id = reader.field(id);
          expect(id).toBe(expected);
          if (value.kind === 'i32' || value.kind === 'i64') expect(reader.integer()).toBe(value.value);
          else if (value.kind === 'binary') expect([...reader.binary()]).toEqual([...value.value]);
          else reader.pass();
        }
        expect(reader.field(id)).toBe(0);
        expect(reader.at).toBe(bytes.length - 1);
      }),
      { numRuns: 300 },
    );
  });

  test('has lists of their stated length', () => {
    for (const count of [0, 1, 14, 15, 16, 300]) {
      const values = Array.from({ length: count }, (_, value): Value => ({ kind: 'i32', value }));
      const reader = new ThriftReader(Uint8Array.from(structOf([[1, { kind: 'list', values }]])));
      reader.field(0);
      expect(reader.list()).toBe(count);
      for (let value = 0; value < count; value++) expect(reader.integer()).toBe(value);
      expect(reader.field(1)).toBe(0);
    }
  });
});

describe('invalid bytes', () => {
  const TOO_EARLY = 'the bytes end inside a field';

  test('end inside a field wherever they are cut', () => {
    const bytes = structOf([
      [1, { kind: 'binary', value: Uint8Array.of(1, 2, 3) }],
      [1, { kind: 'list', values: [{ kind: 'double' }, { kind: 'double' }] }],
      [20, { kind: 'struct', fields: [[1, { kind: 'i64', value: 1e12 }]] }],
      [1, { kind: 'byte', value: 5 }],
    ]);
    const walk = (length: number) => {
      const reader = new ThriftReader(Uint8Array.from(bytes.slice(0, length)));
      for (let id = reader.field(0); id !== 0; id = reader.field(id)) reader.pass();
    };
    walk(bytes.length);
    for (let length = 0; length < bytes.length; length++) expect(() => walk(length)).toThrow(TOO_EARLY);
  });

  test('of an unknown kind, or of a number without an end, are refused', () => {
    const reader = new ThriftReader(Uint8Array.of(0x1d, 0));
    reader.field(0);
    expect(() => reader.pass()).toThrow('no kind 13 of field is known');
    expect(() => new ThriftReader(new Uint8Array(11).fill(0xff)).integer()).toThrow('longer than any');
    // Ten bytes hold 64 bits.
    expect(new ThriftReader(Uint8Array.of(...Array<number>(9).fill(0x80), 0)).integer()).toBe(0);
  });
});
