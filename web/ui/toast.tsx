import { lazy, type ReactNode, Suspense, useCallback, useState } from 'react';

/** Content of a toast. */
export interface Message {
  title: string;
  description: ReactNode;
}

const ToastList = lazy(async () => ({ default: (await import('./toast-list.tsx')).ToastList }));

/**
 * Returns the toasts to render and a function that adds one, which screen readers announce at the next pause. The code
 * loads once a toast is `expected`, because most pages show none. Toasts disappear with the component that renders
 * them.
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
