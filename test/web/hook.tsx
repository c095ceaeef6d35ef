import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterContextProvider } from '@tanstack/react-router';
import { act, createElement } from 'react';
import { createRoot } from 'react-dom/client';

// React does not use a test's fake clock.
const { setTimeout: later } = globalThis;

function Holder({ run }: { run: () => void }) {
  run();
  return null;
}

/** Runs a hook with its effects, for hooks that render nothing. */
export async function hooked<Props, Value>(hook: (props: Props) => Value, first: Props) {
  const mocked = { IS_REACT_ACT_ENVIRONMENT: true, window: globalThis, self: globalThis, HTMLIFrameElement: class {} };
  Object.assign(globalThis, mocked);
  // The parts of an element that React needs as long as nothing renders.
  const ownerDocument = { nodeType: 9, addEventListener: () => undefined, activeElement: null };
  const place = { nodeType: 1, tagName: 'DIV', addEventListener: () => undefined, ownerDocument, textContent: '' };
  const root = createRoot(place as unknown as Element);
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const router = createRouter({
    routeTree: createRootRoute(),
    history: createMemoryHistory(),
    origin: 'http://muster.test',
  });
  let value: Value | undefined;
  const show = (props: Props) => {
    const run = () => {
      value = hook(props);
    };
    const held = createElement(QueryClientProvider, { client }, createElement(Holder, { run }));
    return act(async () => root.render(<RouterContextProvider router={router}>{held}</RouterContextProvider>));
  };
  await show(first);
  return {
    client,
    /** Visited URLs. */
    history: router.history,
    get value(): Value {
      return value as Value;
    },
    show,
    /** Runs an action that the hook may react to. */
    does: (what: () => unknown) =>
      act(async () => {
        await what();
        const turn = () => new Promise((settle) => later(settle, 2));
        // Let pending promises settle first, in their own task.
        do await turn();
        while (client.isFetching() > 0 || client.isMutating() > 0);
        await turn();
      }),
    /** Unmounts the hook during an action. */
    leave: () => root.unmount(),
    async end() {
      await act(async () => root.unmount());
      client.clear();
      for (const name of Object.keys(mocked)) Reflect.deleteProperty(globalThis, name);
    },
  };
}
