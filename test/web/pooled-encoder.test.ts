import { expect, test } from 'vitest';
import { PooledEncoder } from '../../web/pooled-encoder.ts';

const TEXTS = [
  '',
  'td',
  '작은감자',
  'Şanlı Fener',
  '😀',
  '\ud800',
  'é',
  'a'.repeat(1024),
  '力'.repeat(1024),
  '力'.repeat(5000),
];

test('texts get the platform’s bytes, and keep them while the pool is used and renewed', () => {
  const [pooled, native] = [new PooledEncoder(), new TextEncoder()];
  const texts = Array.from({ length: 40 }, (_, at) => TEXTS.map((text) => text + at)).flat();
  const encoded = texts.map((text) => pooled.encode(text));
  expect(encoded).toEqual(texts.map((text) => native.encode(text)));
});

test('a text whose bytes React would send uncopied has a buffer of its own', () => {
  const encoder = new PooledEncoder();
  for (const text of ['a'.repeat(4097), '力'.repeat(1366)]) {
    const bytes = encoder.encode(text);
    expect(bytes.buffer.byteLength).toBe(bytes.byteLength);
  }
});
