import { Cron } from 'croner';

/**
 * Fires the cron triggers of a local copy like the platform: at full minutes in UTC, each expression independently,
 * without waiting for earlier runs. Returns a function that stops it. Do not use numbered weekdays, because the
 * platform counts Sunday as 1; weekday names work in both.
 */
export function startClock(address: string, crons: readonly string[], onError: (error: unknown) => void): () => void {
  const timers = crons.map(
    (cron) =>
      new Cron(cron, { timezone: 'UTC', catch: onError }, async () => {
        const answer = await fetch(`${address}/cdn-cgi/local/scheduled?cron=${encodeURIComponent(cron)}`);
        if (!answer.ok) throw new Error(`The cron trigger '${cron}' answered ${answer.status}: ${await answer.text()}`);
      }),
  );
  return () => {
    for (const timer of timers) timer.stop();
  };
}
