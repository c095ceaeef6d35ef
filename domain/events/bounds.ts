import type { EventPlan } from './event.ts';

/** Limits of an event's numbers and texts. The form and the contract share them. */
export const EVENT_BOUNDS = {
  name: 100,
  kvk_id: 40,
  season: 40,
  sponsored_text: 300,
  reason: 100,
  refresh_rate: { min: 5, max: 7 * 24 * 60 },
  publication_delay: { min: 0, max: 7 * 24 },
  depth: { min: 100, max: 5000 },
} as const;

/** Defaults of an event's optional fields. */
export const EVENT_DEFAULTS = {
  publication_delay: 0,
  dates: {},
  power_off: 0,
  goals: [],
  zeroed: {},
  exempt: [],
  exempt_reasons: {},
  sponsored_text: '',
  season: '',
  gather: true,
  depth: 500,
} satisfies Partial<EventPlan>;
