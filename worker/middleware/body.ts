import type { MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { MAX_BODY_BYTES } from '../../domain/orders/contract.ts';
import { MAX_FILE_BYTES } from '../../scan-files/limits.ts';
import { Refusal } from '../errors.ts';

const sizeOf = (bytes: number): string => (bytes < 1_000_000 ? `${bytes / 1000} KB` : `${bytes / 1_000_000} MB`);

/** Refuses bodies above `maxSize` bytes, by Content-Length or while reading. `what` starts the sentence. */
export const limitBody = (maxSize: number, what: string) =>
  bodyLimit({
    maxSize,
    onError: () => {
      throw new Refusal('too_large', `${what} may carry ${sizeOf(maxSize)} at most.`);
    },
  });

/** Paths whose body is a scan file. */
const TAKES_FILE = /^\/v1\/(scans\/import|admin\/events\/[^/]+\/snapshots)\/?$/;

const anyCall = limitBody(MAX_BODY_BYTES, 'A call');
const fileCall = limitBody(MAX_FILE_BYTES, 'A file');

/** Applies the size limit for the call's body. */
export const limitBodies: MiddlewareHandler = (context, next) =>
  (context.req.method === 'POST' && TAKES_FILE.test(context.req.path) ? fileCall : anyCall)(context, next);
