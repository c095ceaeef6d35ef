import type { EventPlan } from './event.ts';

/** What an event's numbers and texts may be; the form shows the same that the contract refuses by. */
export const EVENT_BOUNDS = {
  name: 100,
  kvk_id: 40,
  season: 40,
  sponsored_text: 300,
  refresh_rate: { min: 5, max: 7 * 24 * 60 },
  publication_delay: { min: 0, max: 7 * 24 },
  depth: { min: 100, max: 5000 },
} as const;

/** What an event is that says nothing of these. */
export const EVENT_DEFAULTS = {
  publication_delay: 0,
  dates: {},
  power_off: 0,
  goals: [],
  zeroed: {},
  exempt: [],
  sponsored_text: '',
  season: '',
  gather: true,
  depth: 500,
} satisfies Partial<EventPlan>;
