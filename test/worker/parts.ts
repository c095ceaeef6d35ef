import { expect } from 'vitest';
import type { Caller } from './client.ts';

/**
 * Checks that a download resumes: ranges of a file equal the whole one, before and after it was sent. A client that has
 * the file gets none of it.
 */
export async function expectParts(user: Caller, path: string): Promise<void> {
  const begun = await user.fetch(path, { headers: { range: 'bytes=10-' } });
  const rest = new Uint8Array(await begun.arrayBuffer());
  expect([path, begun.status]).toEqual([path, 206]);
  const whole = await user.fetch(path);
  const bytes = new Uint8Array(await whole.arrayBuffer());
  const etag = whole.headers.get('etag') ?? '';
  expect(begun.headers.get('etag')).toBe(etag);
  expect(whole.headers.get('accept-ranges')).toBe('bytes');
  expect(begun.headers.get('content-range')).toBe(`bytes 10-${bytes.length - 1}/${bytes.length}`);
  expect(rest).toEqual(bytes.slice(10));
  const part = async (headers: Record<string, string>) => {
    const answer = await user.fetch(path, { headers });
    return [answer.status, new Uint8Array(await answer.arrayBuffer())];
  };
  expect(await part({ range: 'bytes=0-1', 'if-range': etag })).toEqual([206, bytes.slice(0, 2)]);
  expect(await part({ range: 'bytes=2-5' })).toEqual([206, bytes.slice(2, 6)]);
  expect(await part({ range: 'bytes=-4' })).toEqual([206, bytes.slice(-4)]);
  expect(await part({ range: 'bytes=0-1', 'if-range': '"another"' })).toEqual([200, bytes]);
  expect(await part({ range: 'bytes=0-1,4-5' })).toEqual([200, bytes]);
  for (const known of [etag, `"another", W/${etag}`]) {
    const answer = await user.fetch(path, { headers: { 'if-none-match': known, range: 'bytes=0-1' } });
    expect([answer.status, answer.headers.get('etag'), await answer.text()]).toEqual([304, etag, '']);
  }
  expect(await part({ 'if-none-match': '"another"' })).toEqual([200, bytes]);
  const head = await user.fetch(path, { method: 'HEAD' });
  expect([head.status, head.headers.get('content-length')]).toEqual([200, String(bytes.length)]);
  const beyond = await user.fetch(path, { headers: { range: `bytes=${bytes.length}-` } });
  expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${bytes.length}`]);
  expect(await beyond.json()).toMatchObject({ success: 0, msg: expect.stringMatching(/^The file has/) });
}
