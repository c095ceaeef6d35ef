import { useSyncExternalStore } from 'react';

/** One timer for all components that show the current second, so that they render in one update. */
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    for (const each of listeners) each();
  }, 1000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

const now = (): number => Math.floor(Date.now() / 1000);

/** Returns the current time in whole epoch seconds, and renders again each second. */
export const useSecond = (): number => useSyncExternalStore(subscribe, now, now);
