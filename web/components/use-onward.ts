import { useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useState } from 'react';

/**
 * Returns a function that is true while the address still names the screen that the component was drawn on. During a slow
 * navigation a screen stays drawn after its user has left it.
 */
export function useStillHere(): () => boolean {
  const { history } = useRouter();
  const [here] = useState(() => history.location.pathname);
  return () => history.location.pathname === here;
}

/** Calls `go` once `done` is true, unless the user has left the screen by then. */
export function useOnward(done: boolean, go: () => unknown): void {
  const isStillHere = useStillHere();
  const onward = useEffectEvent(() => isStillHere() && go());
  useEffect(() => {
    if (done) onward();
  }, [done]);
}
