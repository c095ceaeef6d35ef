import { expect, it } from 'vitest';
import { nearestObject } from '../../worker/gateways/board-cache.ts';
import { SingleFlight } from '../../worker/isolate/single-flight.ts';

const PATIENCE_MS = 30;
const never = () => new Promise<string>(() => {});

it('concurrent calls for the same work run it once', async () => {
  const shared = new SingleFlight<string>(10_000);
  let made = 0;
  const make = async () => {
    await scheduler.wait(5);
    return `${++made}`;
  };
  expect(await Promise.all([1, 2, 3].map(() => shared.get('a', make)))).toEqual(['1', '1', '1']);
  expect(await Promise.all([shared.get('a', make), shared.get('b', make)])).toEqual(['2', '3']);
});

it('after the first caller disconnects, one waiting caller runs the work again', async () => {
  const shared = new SingleFlight<string>(PATIENCE_MS);
  void shared.get('a', never);
  let made = 0;
  const make = async () => {
    made += 1;
    await scheduler.wait(5);
    return 'here';
  };
  expect(await Promise.all([1, 2, 3].map(() => shared.get('a', make)))).toEqual(['here', 'here', 'here']);
  expect(made).toBe(1);
  // Two callers in a row that disconnected.
  void shared.get('b', never);
  void shared.get('b', never);
  expect(await shared.get('b', make)).toBe('here');
});

it('a failure goes to the caller that caused it, and the others try once more', async () => {
  const shared = new SingleFlight<string>(10_000);
  let tries = 0;
  const failing = (times: number) => async () => {
    await scheduler.wait(5);
    if (++tries <= times) throw new Error(`try ${tries}`);
    return 'here';
  };
  const outcomes = async (times: number) => {
    tries = 0;
    const all = await Promise.allSettled([1, 2, 3, 4].map(() => shared.get('a', failing(times))));
    return all.map((each) => (each.status === 'fulfilled' ? each.value : (each.reason as Error).message));
  };
  expect(await outcomes(1)).toEqual(['try 1', 'here', 'here', 'here']);
  // Work that fails for everybody is not tried once per caller.
  expect(await outcomes(99)).toEqual(['try 1', 'try 2', 'try 2', 'try 2']);
});

it('a board part whose first reader disconnected is read by the next one', async () => {
  const key = crypto.randomUUID();
  void nearestObject(key, () => new Promise(() => {}));
  const bytes = new Uint8Array([1, 2, 3]).buffer;
  expect(await nearestObject(key, async () => bytes)).toBe(bytes);
});
