import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { Refusal } from '../../errors.ts';
import { eventOfWebhook } from '../../gateways/stripe.ts';
import { endedWellStatement, noteFailure, WEBHOOKS } from '../../models/service/setbacks.ts';
import { handleStripeEvent } from './handle-stripe-event.ts';

/** What is noted of calls whose signature is not Stripe's: a wrong secret, or a stranger. */
const SIGNATURE = 'signature';
/** A stranger's heap of calls is noted once in so long. */
const NOTED_EVERY_MS = 10_000;

/**
 * Takes a call of Stripe's webhook. One that fails is refused, so that Stripe sends it again, and noted for the admins
 * until it goes well; a signature that is right shows that the secret is.
 */
export async function takeWebhook(
  db: Db,
  env: Env,
  { body, signature }: { body: string; signature: string },
  now = Date.now(),
): Promise<void> {
  const { id, event } = await eventOfWebhook(env, body, signature).catch(async (error: unknown) => {
    if (error instanceof Refusal)
      await noteFailure(db, { job: WEBHOOKS, subject: SIGNATURE }, { error, now, every: NOTED_EVERY_MS });
    throw error;
  });
  const work = { job: WEBHOOKS, subject: String(id) };
  try {
    await handleStripeEvent(db, env, event, now);
  } catch (error) {
    await noteFailure(db, work, { error, now, every: 0 });
    throw error;
  }
  await db.$client.batch([endedWellStatement(db, work), endedWellStatement(db, { ...work, subject: SIGNATURE })]);
}
