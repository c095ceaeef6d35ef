import { bodyLimit } from 'hono/body-limit';
import { Refusal } from '../errors.ts';

/** What a call may carry at most: enough for an order of a hundred entries, and for what a bot hands in at once. */
const MAX_BODY_BYTES = 1_000_000;

/** Refuses bodies that are too large, whether they say so or only grow. */
export const limitBody = bodyLimit({
  maxSize: MAX_BODY_BYTES,
  onError: () => {
    throw new Refusal('too_large', 'A call may carry 1 MB at most.');
  },
});
