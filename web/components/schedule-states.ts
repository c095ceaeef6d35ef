import { message } from '../../domain/language/text.ts';

/** Words for the states of a schedule. */
export const SCHEDULE_STATE_TITLE = {
  active: message('Active'),
  paused: message('Paused'),
  ended: message('Ended'),
} as const;
