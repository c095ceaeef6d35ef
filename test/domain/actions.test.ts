import { describe, expect, it } from 'vitest';
import {
  allowing,
  movingItems,
  ORDER_ACTIONS,
  orderRefusal,
  refusalOf,
  STANDINGS,
  type Standing,
  standingOf,
} from '../../domain/orders/order.ts';
import { SCHEDULE_ACTIONS, SCHEDULE_STATES, scheduleRefusal, statesFor } from '../../domain/orders/schedule.ts';

/** The allowed actions as the specification and issue have them, written down once more by hand. */
const ALLOWED: Record<Standing, string> = {
  open: 'cancel report reorder',
  finishing: 'report reorder',
  repairing: 'results download share report reorder',
  done: 'results download share repair report reorder',
  stored: 'results download share report reorder',
  failed: 'repair cancel report reorder',
  cancelled: 'report reorder',
};

/** An item of each standing. */
const itemOf = (standing: Standing) => {
  if (standing === 'repairing') return { state: 'open' as const, has_results: true, subtask_count: 3 };
  if (standing === 'stored') return { state: 'done' as const, has_results: true, subtask_count: 0 };
  return { state: standing, has_results: standing === 'done', subtask_count: 3 };
};

describe('an item allows', () => {
  it.each(STANDINGS.flatMap((standing) => ORDER_ACTIONS.map((action) => [standing, action] as const)))(
    '%s: %s, or says why not',
    (standing, action) => {
      const allowed = ALLOWED[standing].split(' ').includes(action);
      const refusal = refusalOf(action, itemOf(standing));
      expect(refusal === null).toBe(allowed);
      expect(allowing(action).includes(standing)).toBe(allowed);
      expect(orderRefusal(action, { [standing]: 2 })).toBe(refusal);
      if (refusal !== null) expect(refusal).toMatch(/^[A-Z].+\.$/);
    },
  );

  it('the same during a repair, also while its new version is written', () => {
    expect(standingOf({ state: 'finishing', has_results: true, subtask_count: 3 })).toBe('repairing');
    expect(standingOf({ state: 'done', has_results: true, subtask_count: 3 })).toBe('done');
  });
});

describe('an order of several items', () => {
  it('can be cancelled while an item has no results', () => {
    expect(orderRefusal('cancel', { open: 3, failed: 1 })).toBeNull();
    expect(orderRefusal('cancel', { failed: 1, done: 1 })).toBeNull();
    expect(orderRefusal('cancel', { finishing: 1, done: 1 })).toMatch(/too late/);
    // Unavailable items were cancelled and refunded automatically, and the others can still be cancelled.
    expect(orderRefusal('cancel', { open: 3, cancelled: 1 })).toBeNull();
    expect(orderRefusal('cancel', { done: 1, cancelled: 1 })).toMatch(/results already/);
  });

  it('can be downloaded or repaired if one of its items can', () => {
    expect(orderRefusal('download', { open: 3, done: 1 })).toBeNull();
    expect(orderRefusal('repair', { open: 3, failed: 1 })).toBeNull();
    expect(orderRefusal('repair', { open: 3, cancelled: 1 })).toMatch(/still working/);
    // A cancelled item does not matter for the others.
    expect(orderRefusal('repair', { cancelled: 1, stored: 1 })).toMatch(/made of stored scans/);
    expect(orderRefusal('cancel', { cancelled: 1, repairing: 1 })).toMatch(/results already/);
    expect(orderRefusal('repair', { cancelled: 2 })).toMatch(/was cancelled/);
    expect(orderRefusal('repair', {})).toBeNull();
  });

  it('is in progress while one of its items is', () => {
    expect(movingItems({ open: 1, finishing: 2, repairing: 3, done: 4, failed: 5, cancelled: 6 })).toBe(6);
    expect(movingItems({ done: 4 })).toBe(0);
  });
});

describe('a schedule allows', () => {
  const allowed = { active: 'pause edit end', paused: 'resume edit end', ended: '' };
  it.each(SCHEDULE_STATES.flatMap((state) => SCHEDULE_ACTIONS.map((action) => [state, action] as const)))(
    '%s: %s, or says why not',
    (state, action) => {
      const refusal = scheduleRefusal(action, state);
      expect(refusal === null).toBe(allowed[state].split(' ').includes(action));
      expect(statesFor(action).includes(state)).toBe(refusal === null);
      if (refusal !== null) expect(refusal).toMatch(/^This schedule .+\.$/);
    },
  );
});
