import { GAME_IDS, type GameId } from '../../../domain/games/games.ts';
import { isReady, PRODUCTS } from '../../../domain/orders/catalogue.ts';
import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { postAlert } from '../../gateways/alert-webhook.ts';
import { mailer } from '../../gateways/mail.ts';
import { logError, messageOf } from '../../log.ts';
import { type Alert, notePosted, noteTroubles } from '../../models/service/alerts.ts';
import {
  eventTroubles,
  failureTroubles,
  finishingTroubles,
  noteSettling,
  queuesOf,
  queueTroubles,
} from '../../models/service/fleet-troubles.ts';
import { dropOldCounts, sizeTroubles, type Trouble, workTroubles } from '../../models/service/troubles.ts';
import { backupTrouble } from './back-up.ts';

/** Looks for trouble and tells the admins, by mail and by a webhook. */

/** Games that scans are on sale of. */
export const gamesOnSale = ({ READY_PRODUCTS }: Pick<Env, 'READY_PRODUCTS'>): GameId[] =>
  GAME_IDS.filter((game) =>
    PRODUCTS.some((product) => product.kind === 'scan' && product.game === game && isReady(product, READY_PRODUCTS)),
  );

/** Everything that is wrong now. */
export async function troublesNow(db: Db, games: readonly GameId[], now: number): Promise<Trouble[]> {
  await noteSettling(db, now);
  return [
    ...(await workTroubles(db, now)),
    ...queueTroubles(await queuesOf(db, games, now), now),
    ...(await finishingTroubles(db, now)),
    ...(await failureTroubles(db, now)),
    ...(await eventTroubles(db, now)),
    ...sizeTroubles(await dropOldCounts(db, now)),
  ];
}

/** A webhook that fails for so long is a trouble of its own, which mail tells. */
const UNPOSTED_MS = 10 * 60_000;

const isStuck = ({ since, cleared_at }: Alert, now: number): boolean => (cleared_at ?? since) < now - UNPOSTED_MS;

/** Tells the admins of what is wrong, once each, and of what no longer is. */
export async function watchService(env: Env, db: Db, now: number): Promise<void> {
  const backup = await backupTrouble(env.BACKUP, now).catch((error: unknown) => ({
    kind: 'backup',
    text: `The bucket of backups cannot be read: ${messageOf(error)}`,
  }));
  const troubles = [...(await troublesNow(db, gamesOnSale(env), now)), ...(backup ? [backup] : [])];
  const untold = await noteTroubles(db, troubles, env.SITE_ORIGIN, now);
  for (const alert of untold) {
    try {
      await postAlert(env, {
        ...alert,
        state: alert.cleared_at === null ? 'trouble' : 'recovered',
        site: env.SITE_ORIGIN,
      });
      await notePosted(db, alert, now);
    } catch (error) {
      logError({ job: 'alert webhook', subject: alert.kind }, error);
      if (isStuck(alert, now))
        await noteTroubles(
          db,
          [...troubles, { kind: 'alert webhook', text: `Alerts could not be posted: ${messageOf(error)}` }],
          env.SITE_ORIGIN,
          now,
        );
      return;
    }
  }
}

/** Where it is kept that the database is away, since the database cannot keep it. */
const AWAY_KEY = 'alerts/database.json';
/** If the bucket is away as well, the admins are told again as often as this. */
const BLIND_EVERY_MS = 15 * 60_000;

/** Writes to support and posts to the webhook without the outbox; what fails is in the log. */
async function tellAtOnce(env: Env, message: Parameters<typeof postAlert>[1]): Promise<void> {
  const subject = `${message.state === 'trouble' ? 'Trouble' : 'Recovered'}: ${message.kind}`;
  const mail = {
    channel: 'mail' as const,
    recipient: env.SUPPORT_EMAIL,
    reference: '',
    subject,
    text: `${message.text}\n\n${message.site}/admin/`,
    html: '',
  };
  const told = await Promise.allSettled([mailer(env)(mail), postAlert(env, message)]);
  for (const one of told) if (one.status === 'rejected') logError({ job: 'alert', subject: message.kind }, one.reason);
}

/**
 * Tells support once that the database does not answer, and once that it does again. `error` is what its callers got,
 * null if it answers.
 */
export async function watchDatabase(env: Env, error: unknown, now: number): Promise<void> {
  const message = { kind: 'database', site: env.SITE_ORIGIN };
  const away = { ...message, state: 'trouble' as const, text: `The database does not answer: ${messageOf(error)}` };
  try {
    const known = await (await env.STORE.get(AWAY_KEY))?.json<{ since: number }>();
    if (error !== null && !known) {
      await tellAtOnce(env, { ...away, since: now });
      await env.STORE.put(AWAY_KEY, JSON.stringify({ since: now }));
    }
    if (error === null && known) {
      await tellAtOnce(env, {
        ...message,
        state: 'recovered',
        text: 'The database answers again.',
        since: known.since,
      });
      await env.STORE.delete(AWAY_KEY);
    }
  } catch (unreadable) {
    logError({ job: 'alert', subject: AWAY_KEY }, unreadable);
    if (error !== null && now % BLIND_EVERY_MS < 60_000) await tellAtOnce(env, { ...away, since: now });
  }
}
