import { GAME_IDS, type GameId } from '../../../domain/games/games.ts';
import { type Locale, SOURCE_LOCALE } from '../../../domain/language/locales.ts';
import { PRODUCTS } from '../../../domain/orders/catalogue.ts';
import { isReady, type Sale } from '../../../domain/orders/sale.ts';
import { ALERT_LIMITS, type AlertLimits, isQuiet } from '../../../domain/service/alert-limits.ts';
import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { logError, messageOf } from '../../errors.ts';
import { postAlert } from '../../gateways/alert-webhook.ts';
import { mailer } from '../../gateways/mail.ts';
import { packingState } from '../../models/kingdoms/directory.ts';
import { readSale } from '../../models/orders/sale.ts';
import { type Alert, notePosted, noteTroubles } from '../../models/service/alerts.ts';
import { databaseSizes } from '../../models/service/database.ts';
import {
  eventTroubles,
  failureTroubles,
  finishingTroubles,
  noteSettling,
  queuesOf,
  queueTroubles,
} from '../../models/service/fleet-troubles.ts';
import {
  directoryTroubles,
  dropOldCounts,
  sizeTroubles,
  type Trouble,
  workTroubles,
} from '../../models/service/troubles.ts';
import { alertLimits } from './alert-limits.ts';
import { backupTrouble } from './back-up.ts';

/** Looks for problems and alerts the admins by mail and webhook. */

/** Returns the games whose scans are on sale. */
export const gamesOnSale = (sale: Sale, now: number): GameId[] =>
  GAME_IDS.filter((game) =>
    PRODUCTS.some((product) => product.kind === 'scan' && product.game === game && isReady(product, sale, now)),
  );

/** Returns how far the packing of histories is, while some are missing. */
const packingTroubles = ({ kingdoms, unpacked }: { kingdoms: number; unpacked: number }): Trouble[] =>
  unpacked === 0
    ? []
    : [
        {
          kind: 'histories',
          text: `The histories of ${unpacked} of ${kingdoms} kingdoms are still to be packed. Until then pages read the tables.`,
        },
      ];

/** Returns all current problems. */
export async function troublesNow(
  db: Db,
  games: readonly GameId[],
  now: number,
  limits: AlertLimits = ALERT_LIMITS,
): Promise<Trouble[]> {
  await noteSettling(db, now);
  await dropOldCounts(db, now);
  const sizes = await databaseSizes(db);
  return [
    ...(await workTroubles(db, now)),
    ...queueTroubles(await queuesOf(db, games, now), now, limits),
    ...(await finishingTroubles(db, now)),
    ...(await failureTroubles(db, now, limits)),
    ...(await eventTroubles(db, now)),
    ...packingTroubles(await packingState(db)),
    ...sizeTroubles(sizes.fullest, limits),
    ...directoryTroubles(sizes),
  ];
}

/** A webhook that fails for this long is a problem of its own, reported by mail. */
const UNPOSTED_MS = 10 * 60_000;

const isStuck = ({ since, cleared_at }: Alert, now: number): boolean => (cleared_at ?? since) < now - UNPOSTED_MS;

/** Alerts the admins about each problem once when it starts and once when it is over. */
export async function watchService(env: Env, db: Db, now: number): Promise<void> {
  const backup = await backupTrouble(env.BACKUP, now).catch((error: unknown) => ({
    kind: 'backup',
    text: `The bucket of backups cannot be read: ${messageOf(error)}`,
  }));
  const [{ value: limits }, sale] = await Promise.all([alertLimits(db), readSale(db, env)]);
  const troubles = [...(await troublesNow(db, gamesOnSale(sale, now), now, limits)), ...(backup ? [backup] : [])];
  const untold = await noteTroubles(db, troubles, env.SITE_ORIGIN, now, isQuiet(limits, now));
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

/** Object that records a database outage, because the database cannot. */
const AWAY_KEY = 'alerts/database.json';
/** If the bucket is down as well, alerts repeat this often. */
const BLIND_EVERY_MS = 15 * 60_000;

/** Mails support and posts to the webhook directly, without the outbox. Failures are only logged. */
async function tellAtOnce(env: Env, message: Parameters<typeof postAlert>[1]): Promise<void> {
  const subject = `${message.state === 'trouble' ? 'Trouble' : 'Recovered'}: ${message.kind}`;
  const mail = {
    channel: 'mail' as const,
    recipient: env.SUPPORT_EMAIL,
    reference: '',
    subject,
    text: `${message.text}\n\n${message.site}/admin/`,
    language: SOURCE_LOCALE as Locale,
  };
  const told = await Promise.allSettled([mailer(env)(mail), postAlert(env, message)]);
  for (const one of told) if (one.status === 'rejected') logError({ job: 'alert', subject: message.kind }, one.reason);
}

/**
 * Alerts support once when the database stops responding and once when it responds again. `error` is what callers got;
 * null if it responds.
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
