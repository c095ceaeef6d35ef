import { bodyLimit } from 'hono/body-limit';
import { Refusal } from '../errors.ts';

/** What any call may carry at most: enough for what a bot hands in at once. */
export const MAX_BODY_BYTES = 1_000_000;

const sizeOf = (bytes: number): string => (bytes < 1_000_000 ? `${bytes / 1000} KB` : `${bytes / 1_000_000} MB`);

/** Refuses bodies of more than so many bytes, whether they say so or only grow; `what` begins the sentence. */
export const limitBody = (maxSize: number, what: string) =>
  bodyLimit({
    maxSize,
    onError: () => {
      throw new Refusal('too_large', `${what} may carry ${sizeOf(maxSize)} at most.`);
    },
  });
