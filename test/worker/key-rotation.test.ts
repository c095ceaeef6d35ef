import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import { sealedByKey } from '../../worker/models/accounts/sealed.ts';
import { checkSecondFactor, startTwoFactor } from '../../worker/models/accounts/two-factor.ts';
import { notificationsOf, setNotifications } from '../../worker/models/messages/notifications.ts';
import { resealSecrets } from '../../worker/services/accounts/reseal-secrets.ts';
import { sealWebhook, webhookIn } from '../../worker/services/messages/send-outbox.ts';
import { db, fireCron, insertUser } from './client.ts';
import { cell, codeOf } from './people.ts';

const keys = (current: string, ...ids: string[]) => ({
  ...env,
  SESSION_KEYS: JSON.stringify({
    current,
    keys: Object.fromEntries(ids.map((id) => [id, id.repeat(43).slice(0, 43)])),
  }),
});

/** A user with a second factor and a webhook, sealed by the current key of that configuration. */
async function sealedUser(bindings: typeof env) {
  const user = await insertUser();
  const started = await startTwoFactor(db, bindings, user);
  const secret = started?.secret ?? '';
  await db.$client.prepare(`UPDATE two_factor SET confirmed_at = 1 WHERE user_id = ?`).bind(user.id).run();
  const discord = await sealWebhook(bindings, 'discord', user.id, `1/${user.id}`);
  await setNotifications(db, user.id, { discord }, '');
  return { ...user, secret };
}

const forever = Number.POSITIVE_INFINITY;
const hour = 3_600_000;

describe('a change of keys', () => {
  it('reseals all secrets, logs when it is done, and then no longer needs the old key', async () => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => {});
    const users = [
      await sealedUser(keys('a', 'a')),
      await sealedUser(keys('a', 'a')),
      await sealedUser(keys('b', 'b')),
    ];
    expect(Object.fromEntries(await sealedByKey(db))).toEqual({ a: 4, b: 2 });

    await resealSecrets(keys('b', 'a', 'b'), 1, forever);
    expect(Object.fromEntries(await sealedByKey(db))).toEqual({ b: 6 });
    expect(log.mock.calls.join()).toContain("Everything is sealed by the key 'b'");
    expect(await cell(`SELECT detail FROM audit_entries WHERE action = 'secrets.resealed'`)).toBe(
      '{"key":"b","sealed":4,"left":0}',
    );
    for (const user of users) {
      const later = Date.now() + hour;
      expect(await checkSecondFactor(db, keys('b', 'b'), user.id, codeOf(user.secret, later), later)).toBe('right');
      expect(await webhookIn(keys('b', 'b'), 'discord', await notificationsOf(db, user.id))).toBe(`1/${user.id}`);
    }
    // Without work, nothing is logged.
    await resealSecrets(keys('b', 'a', 'b'), 2, forever);
    expect(await cell(`SELECT count(*) FROM audit_entries WHERE action = 'secrets.resealed'`)).toBe(1);
  });

  it('reports a removed key that is still needed, until it is restored', async () => {
    const user = await sealedUser(keys('c', 'c'));
    await expect(resealSecrets(keys('b', 'b'), 3, forever)).rejects.toThrow(
      "2 secrets are sealed by the key 'c', which SESSION_KEYS does not have any more: put it back.",
    );
    // At sign-in, this counts as a wrong code, not as an error.
    const later = Date.now() + hour;
    expect(await checkSecondFactor(db, keys('b', 'b'), user.id, codeOf(user.secret, later), later)).toBe('wrong');
    await resealSecrets(keys('b', 'b', 'c'), 4, forever);
    expect([...(await sealedByKey(db)).keys()]).toEqual(['b']);
  });

  it('skips secrets that no key opens', async () => {
    const user = await sealedUser(keys('a', 'a'));
    await db.$client.prepare(`UPDATE two_factor SET secret = secret || 'x' WHERE user_id = ?`).bind(user.id).run();
    await resealSecrets(keys('b', 'a', 'b'), 5, forever);
    expect((await sealedByKey(db)).get('a')).toBe(1);
    await resealSecrets(keys('b', 'a', 'b'), 5, forever);
  });

  it('stops when its time is over', async () => {
    await sealedUser(keys('a', 'a'));
    const before = (await sealedByKey(db)).get('a');
    await resealSecrets(keys('b', 'a', 'b'), 6, 0);
    expect((await sealedByKey(db)).get('a')).toBe(before);
  });

  it('is checked by the hourly cron', async () => {
    await fireCron('0 * * * *');
    expect(await cell(`SELECT error FROM setbacks WHERE job = 'sealed secrets'`)).toContain("sealed by the key 'b'");
  });
});
