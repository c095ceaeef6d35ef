/** When admins are alerted. */
export interface AlertLimits {
  /** Minutes that the first subtask of a queue may wait. */
  waiting_minutes: number;
  /** Minutes without a sign of any bot of a game. */
  silent_minutes: number;
  /** Share of failed subtasks among those that ended within the hour, in percent. */
  failed_percent: number;
  /** How full the database may be, in percent. */
  database_percent: number;
  /** Hours of the day in UTC during which no alert is sent; null: none. The end is not included. */
  quiet_from: number | null;
  quiet_to: number | null;
}

export const ALERT_LIMITS: AlertLimits = {
  waiting_minutes: 10,
  silent_minutes: 10,
  failed_percent: 20,
  database_percent: 80,
  quiet_from: null,
  quiet_to: null,
};

/** Returns whether `now` (epoch ms) is in the quiet hours, which may go past midnight. */
export function isQuiet({ quiet_from, quiet_to }: AlertLimits, now: number): boolean {
  if (quiet_from === null || quiet_to === null || quiet_from === quiet_to) return false;
  const hour = new Date(now).getUTCHours();
  return quiet_from < quiet_to ? hour >= quiet_from && hour < quiet_to : hour >= quiet_from || hour < quiet_to;
}
