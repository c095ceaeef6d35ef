import { Cron } from 'croner';

/**
 * Fires the cron triggers of a local copy as the platform would: on minute boundaries in UTC, each expression by
 * itself, without waiting for the one before. Answers how to stop it. An expression with numbered weekdays would differ (the platform counts
 * Sunday as 1); names of weekdays mean the same to both.
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
