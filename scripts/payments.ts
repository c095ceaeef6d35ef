import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { areBooks } from '../stand-ins/stripe/books.ts';
import { serveStandIn } from '../stand-ins/stripe/serve.ts';
import type { Settings } from './settings.ts';
import { readState, writeState } from './state.ts';

/** The Worker's variables for taking payments, named as in worker/env.ts. */
interface PaymentVars {
  STRIPE_SECRET_KEY: string;
  STRIPE_WEBHOOK_SECRET: string;
  STRIPE_API_BASE: string;
}

const random = (): string => randomBytes(24).toString('hex');

/**
 * Starts the stand-in for Stripe, whose checkout page says 'test payment'. Returns the variables that point the Worker
 * at it; null if the environment has real Stripe keys, which are then used.
 */
export async function startPayments({ port, stateDir }: Settings): Promise<PaymentVars | null> {
  if (process.env.STRIPE_SECRET_KEY) return null;
  const file = join(stateDir, 'stripe-stand-in.json');
  const books = readState(file, areBooks, {
    lost: 'the test payments of this copy are',
    remedy: 'Delete it and start again: balances stay, but what was paid can no longer be refunded or disputed.',
  });
  const [key, webhookSecret] = [`sk_test_${random()}`, `whsec_${random()}`];
  const address = await serveStandIn({
    key,
    webhookSecret,
    webhookUrl: `http://127.0.0.1:${port}/v1/payment/webhook`,
    books: books ?? undefined,
    keep: (changed) => writeState(file, changed, 0o600),
  });
  return { STRIPE_SECRET_KEY: key, STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_API_BASE: address };
}
