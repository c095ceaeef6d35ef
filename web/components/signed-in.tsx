import { useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, use } from 'react';
import { accountQuery, isSignedIn } from '../api/account.ts';
import { storedUser } from '../session.ts';
import { useHydrated } from '../ui/use-hydrated.ts';

const SignedIn = createContext(false);

/** Returns the signed-in account. Visitors send no request. */
export function useAccount() {
  const remembered = useHydrated() && storedUser() !== null;
  const { data: account } = useQuery({ ...accountQuery, enabled: remembered });
  return { account, remembered };
}

/** Tells all components whether a user is signed in. It is a context, because each link of a table reads it. */
export function SignedInProvider({ children }: { children: ReactNode }) {
  const { account, remembered } = useAccount();
  return <SignedIn value={isSignedIn(account, remembered)}>{children}</SignedIn>;
}

/**
 * Returns whether a user is signed in. Pages from the Worker are the
 * same for everyone, so their first render is a visitor's.
 */
export const useSignedIn = (): boolean => use(SignedIn);
