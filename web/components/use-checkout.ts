import { useMutation } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { Cents } from '../../domain/money/money.ts';
import { openCheckout } from '../api/balance.ts';
import { useStillHere } from './use-onward.ts';

/** The way to Stripe's checkout page; `back` is what the payer comes back to. */
export function useCheckout(back?: 'order') {
  // One key for an amount: a repeat of it is the same payment until Stripe has taken over.
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
  // A browser may bring the page back as it was left: on its way to Stripe, with a key that has been used.
  const comeBack = useEffectEvent((event: PageTransitionEvent) => {
    if (event.persisted) renew();
  });
  useEffect(() => {
    addEventListener('pageshow', comeBack);
    return () => removeEventListener('pageshow', comeBack);
  }, []);
  return {
    // Not if the amount was changed meanwhile, or the user has left the screen.
    pay: (amount: Cents) => checkout.mutate(amount, { onSuccess: ({ url }) => isStillHere() && location.assign(url) }),
    /** The page leaves for Stripe; until it has, the button stays busy. */
    leaving: checkout.isPending || checkout.isSuccess,
    error: checkout.error,
    /** Another form, another payment. */
    renew,
  };
}
