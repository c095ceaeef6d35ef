import { wasReset } from '../errors.ts';

/**
 * Makes a call to a Durable Object, and once more if the object was reset meanwhile, as happens on each deployment. The
 * call must be repeatable and open a stub of its own, because a stub stays broken.
 */
export async function despiteReset<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await call();
  } catch (error) {
    if (!wasReset(error)) throw error;
    return call();
  }
}
