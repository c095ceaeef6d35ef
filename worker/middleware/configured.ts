import type { MiddlewareHandler } from 'hono';
import { configurationFlaw } from '../configuration.ts';
import type { Env } from '../env.ts';
import { Refusal } from '../errors.ts';

const checked = new WeakMap<object, string | null>();

/** Serves nothing at all where the configuration is not fit for its environment; the log says why. */
export const configured: MiddlewareHandler<{ Bindings: Env }> = async (context, next) => {
  const { env } = context;
  if (!checked.has(env)) {
    const flaw = configurationFlaw(env);
    if (flaw) console.error(`Muster refuses to work: ${flaw}`);
    checked.set(env, flaw);
  }
  if (checked.get(env)) throw new Refusal('unavailable', 'The service is being set up. Please try again later.');
  await next();
};
