import type { Context, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { MAX_BODY_BYTES } from '../../domain/fleet/contract.ts';
import { message } from '../../domain/language/text.ts';
import { MAX_FILE_BYTES } from '../../scan-files/limits.ts';
import { Refusal } from '../errors.ts';

const sizeOf = (bytes: number): string => (bytes < 1_000_000 ? `${bytes / 1000} KB` : `${bytes / 1_000_000} MB`);

const tooLarge = (maxSize: number, message: string): Refusal =>
  new Refusal('too_large', { message, values: { size: sizeOf(maxSize) } });

/** Refuses bodies above `maxSize` bytes, by Content-Length or while reading. The message names the `{size}`. */
export const limitBody = (maxSize: number, message: string) =>
  bodyLimit({
    maxSize,
    onError: () => {
      throw tooLarge(maxSize, message);
    },
  });

/** Paths whose body is a scan file. */
const TAKES_FILE = /^\/v1\/(scans\/import|admin\/events\/[^/]+\/snapshots)\/?$/;

const anyCall = limitBody(MAX_BODY_BYTES, message('A call may carry {size} at most.'));

/** Checks the stated length of a file. Its body stays unread until the caller is known. */
function checkFileLength({ req }: Context): void {
  const length = req.header('content-length');
  if (req.raw.body && (length === undefined || req.header('transfer-encoding') !== undefined))
    throw new Refusal('length_required', 'Say how long the file is: the call needs a Content-Length header.');
  if (Number(length) > MAX_FILE_BYTES) throw tooLarge(MAX_FILE_BYTES, message('A file may carry {size} at most.'));
}

/** Applies the size limit for the call's body. */
export const limitBodies: MiddlewareHandler = async (context, next) => {
  if (context.req.method !== 'POST' || !TAKES_FILE.test(context.req.path)) return anyCall(context, next);
  checkFileLength(context);
  await next();
};
