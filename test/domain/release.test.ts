import { expect, test } from 'vitest';
import { releasePiece } from '../../domain/release.ts';

test('a piece that owns its buffer is freed, one in a pool stays as it is', () => {
  const own = new Uint8Array(8);
  releasePiece(own);
  expect(own.length).toBe(0);
  const pooled = new Uint8Array(16).subarray(0, 8);
  releasePiece(pooled);
  expect(pooled.length).toBe(8);
});
