import { byteRangeOf, type Wanted } from './ranges.ts';
import { hasSame } from './send-bytes.ts';

/** Files that are generated for each request. Their bytes are always the same. */

interface Made {
  etag: string;
  /** Headers besides the tag and the size. */
  headers: Record<string, string>;
  make(): Promise<ReadableStream<Uint8Array>>;
}

async function sizeOf(stream: ReadableStream<Uint8Array>): Promise<number> {
  let size = 0;
  for await (const { length } of stream) size += length;
  return size;
}

/** Returns bytes `from` to `to` of a stream, and ends the stream after them. */
function partOf(stream: ReadableStream<Uint8Array>, from: number, to: number): ReadableStream<Uint8Array> {
  let at = 0;
  return stream.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        const wanted = chunk.subarray(Math.max(0, from - at), Math.max(0, to + 1 - at));
        at += chunk.length;
        if (wanted.length > 0) controller.enqueue(wanted);
        if (at > to) controller.terminate();
      },
    }),
  );
}

/**
 * Sends a file, the requested part of it, or 304 if the client has it. A part or a HEAD request needs the size, so the
 * file is generated once more to count its bytes.
 * @throws Refusal unsatisfiable.
 */
export async function sendMade({ etag, headers, make }: Made, wanted: Wanted): Promise<Response> {
  const all = { ...headers, etag, 'accept-ranges': 'bytes' };
  if (hasSame(wanted.ifNoneMatch, etag)) return new Response(null, { status: 304, headers: all });
  if (!wanted.head && wanted.range === undefined) return new Response(await make(), { headers: all });
  const size = await sizeOf(await make());
  const range = wanted.head ? null : byteRangeOf(wanted, etag, size);
  const { from, to } = range ?? { from: 0, to: size - 1 };
  const part = {
    'content-length': String(to - from + 1),
    ...(range && { 'content-range': `bytes ${from}-${to}/${size}` }),
  };
  const body = wanted.head ? null : partOf(await make(), from, to);
  return new Response(body, { status: range ? 206 : 200, headers: { ...all, ...part } });
}
