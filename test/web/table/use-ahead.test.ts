import '../page.ts';
import { expect, test, vi } from 'vitest';
import { useAhead } from '../../../web/table/use-ahead.ts';
import { hooked } from '../hook.tsx';

/** A header on a phone, whose order is loaded once it is on the screen and the browser is idle. */
async function onPhone() {
  const moments: (() => void)[] = [];
  const load = vi.fn();
  const observed = { show: () => {}, disconnect: vi.fn() };
  const header = await hooked(
    () => useAhead({ id: 'power', ascending: false }, { path: () => '/v1/rows', load }),
    undefined,
  );
  vi.stubGlobal('requestIdleCallback', (moment: () => void) => moments.push(moment));
  vi.stubGlobal('matchMedia', () => ({ matches: true }));
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(seen: (entries: object[]) => void) {
        observed.show = () => seen([{ isIntersecting: true }]);
      }
      observe() {}
      disconnect = observed.disconnect;
    },
  );
  const leave = header.value?.ref({} as HTMLElement);
  const end = async () => {
    await header.end();
    vi.unstubAllGlobals();
  };
  const idle = () => {
    for (const moment of moments.splice(0)) moment();
  };
  return { ...observed, show: () => observed.show(), load, leave, idle, end };
}

test('an order is loaded once when its header is on the screen', async () => {
  const { show, disconnect, load, idle, end } = await onPhone();
  show();
  expect([load.mock.calls.length, disconnect.mock.calls.length]).toEqual([0, 1]);
  idle();
  idle();
  expect(load.mock.calls).toEqual([[{ id: 'power', ascending: false }]]);
  await end();
});

test('no order is loaded for a header that has left before the browser is idle', async () => {
  const { show, load, leave, idle, end } = await onPhone();
  show();
  leave?.();
  idle();
  expect(load).not.toHaveBeenCalled();
  await end();
});
