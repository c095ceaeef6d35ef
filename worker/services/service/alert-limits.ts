import type * as z from 'zod';
import { changedMeanwhile } from '../../../domain/meanwhile.ts';
import { ALERT_LIMITS, type AlertLimits, isQuiet } from '../../../domain/service/alert-limits.ts';
import type { alertList, limitsChange } from '../../../domain/service/watch-contract.ts';
import type { Db } from '../../db/open.ts';
import { Refusal } from '../../errors.ts';
import { openAlerts } from '../../models/service/alerts.ts';
import { readSetting, type Setting, writeSetting } from '../../models/service/settings.ts';

const NAME = 'alerts';

/** Returns when admins are alerted. */
export const alertLimits = (db: Db): Promise<Setting<AlertLimits>> => readSetting(db, NAME, ALERT_LIMITS);

/** Returns the current alerts and when admins are alerted. */
export async function showAlerts(db: Db, now = Date.now()): Promise<z.infer<typeof alertList>> {
  const [alerts, { value, version }] = await Promise.all([openAlerts(db), alertLimits(db)]);
  return {
    alerts: alerts.map(({ kind, text, since }) => ({ kind, text, since })),
    limits: value,
    version,
    quiet: isQuiet(value, now),
  };
}

/** Changes when admins are alerted. @throws Refusal conflict, with the difference, if it changed meanwhile. */
export async function changeLimits(
  db: Db,
  { version, reason, ...value }: z.output<typeof limitsChange>,
  admin: { id: string; address: string },
): Promise<void> {
  const { value: before } = await alertLimits(db);
  const entry = {
    ...{ userId: null, action: 'alerts.changed', address: admin.address },
    actor: `admin:${admin.id}`,
    detail: { reason, before, after: value },
  };
  if (await writeSetting(db, { name: NAME, value, version }, entry)) return;
  const { value: theirs } = await alertLimits(db);
  throw new Refusal('conflict', changedMeanwhile(value, theirs, Object.keys(theirs) as (keyof AlertLimits)[]));
}
