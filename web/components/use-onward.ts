import { useEffect, useEffectEvent } from 'react';

/** Goes on to another screen once something is done, unless its own was left by then: nobody is fetched from elsewhere. */
export function useOnward(done: boolean, go: () => unknown): void {
  const onward = useEffectEvent(go);
  useEffect(() => {
    if (done) onward();
  }, [done]);
}
