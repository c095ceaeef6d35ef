import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { Refusal, Unusable } from '../../errors.ts';
import { checkSignature, readEvent, readMeaning } from '../../gateways/stripe-events.ts';
import { noteFailure, succeededStatement, UNSIGNED, WEBHOOKS } from '../../models/service/setbacks.ts';
import { handleStripeEvent } from './handle-stripe-event.ts';

/** Calls without Stripe's signature are recorded at most this often. */
const NOTED_EVERY_MS = 10_000;

const workOf = (subject: string) => ({ job: WEBHOOKS, subject });

/**
 * Handles a call of Stripe's webhook and records failures for admins. Throws on internal errors, so that Stripe
 * retries. An unusable event is recorded and accepted, because a retry would not help.
 */
export async function takeWebhook(
  db: Db,
  env: Env,
  { body, signature }: { body: string; signature: string },
  now = Date.now(),
): Promise<void> {
  try {
    await checkSignature(env, body, signature, now);
  } catch (error) {
    if (error instanceof Refusal) await noteFailure(db, workOf(UNSIGNED), { error, now, every: NOTED_EVERY_MS });
    throw error;
  }
  // The signature proves that the secret is right.
  const signed = succeededStatement(db, workOf(UNSIGNED));
  let subject = 'unreadable event';
  try {
    const event = readEvent(body);
    subject = event.id;
    await handleStripeEvent(db, env, readMeaning(event), now);
    await db.$client.batch([succeededStatement(db, workOf(subject)), signed]);
  } catch (error) {
    await noteFailure(db, workOf(subject), { error, now, every: 0 });
    if (!(error instanceof Unusable)) throw error;
    await signed.run();
  }
}
