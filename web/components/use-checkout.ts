import { useMutation } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { Cents } from '../../domain/money/money.ts';
import { openCheckout } from '../api/balance.ts';
import { useStillHere } from './use-onward.ts';

/** Opens Stripe's checkout page; `back` is where the payer returns to. */
export function useCheckout(back?: 'order') {
  // One idempotency key per amount, so that a repeat is the same payment until Stripe takes over.
  const keyed = useRef({ amount: 0, key: '' });
  const checkout = useMutation({
    mutationFn: (amount: Cents) => {
      if (keyed.current.amount !== amount) keyed.current = { amount, key: crypto.randomUUID() };
      return openCheckout(amount, keyed.current.key, back);
    },
  });
  const renew = () => {
    keyed.current = { amount: 0, key: '' };
    checkout.reset();
  };
  const isStillHere = useStillHere();
  // The browser may restore the page from its back/forward cache, with a key that was already used.
  const comeBack = useEffectEvent((event: PageTransitionEvent) => {
    if (event.persisted) renew();
  });
  useEffect(() => {
    addEventListener('pageshow', comeBack);
    return () => removeEventListener('pageshow', comeBack);
  }, []);
  return {
    // Do nothing if the amount changed or the user left the page.
    pay: (amount: Cents) => checkout.mutate(amount, { onSuccess: ({ url }) => isStillHere() && location.assign(url) }),
    /** The button stays busy until the browser leaves for Stripe. */
    leaving: checkout.isPending || checkout.isSuccess,
    error: checkout.error,
    /** Starts a new payment. */
    renew,
  };
}
