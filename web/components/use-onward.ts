import { useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useState } from 'react';

/**
 * Returns a function that tells whether the URL is still the component's page. During a slow navigation a page stays
 * rendered after the user left it.
 */
export function useStillHere(): () => boolean {
  const { history } = useRouter();
  const [here] = useState(() => history.location.pathname);
  return () => history.location.pathname === here;
}

/** Calls `go` once `done` is true, unless the user has left the page. */
export function useOnward(done: boolean, go: () => unknown): void {
  const isStillHere = useStillHere();
  const onward = useEffectEvent(() => isStillHere() && go());
  useEffect(() => {
    if (done) onward();
  }, [done]);
}
