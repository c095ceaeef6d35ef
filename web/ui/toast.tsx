import { lazy, type ReactNode, Suspense, useCallback, useState } from 'react';

/** What a toast says. */
export interface Message {
  title: string;
  description: ReactNode;
}

const ToastList = lazy(async () => ({ default: (await import('./toast-list.tsx')).ToastList }));

/**
 * A place for toasts, and what shows one over the page for a while and has it read aloud at the next pause. Their code
 * is fetched once something may be said (`expected`): most screens never do. They go with whoever holds the place.
 */
export function useToasts(expected: boolean): {
  toasts: ReactNode;
  show: (title: string, description: ReactNode) => void;
} {
  const [messages, setMessages] = useState<readonly Message[]>([]);
  const show = useCallback(
    (title: string, description: ReactNode) => setMessages((before) => [...before, { title, description }]),
    [],
  );
  const toasts = (expected || messages.length > 0) && (
    <Suspense>
      <ToastList messages={messages} />
    </Suspense>
  );
  return { toasts, show };
}
