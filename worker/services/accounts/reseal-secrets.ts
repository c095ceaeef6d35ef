import { keyIds, seal, unseal } from '../../configuration/signing.ts';
import { openDb } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { noteResealed, replaceSealed, sealedByKey, sealedOtherwise } from '../../models/accounts/sealed.ts';

const AT_ONCE = 100;

/**
 * Re-encrypts secrets with the current key and reports progress. An older key may be removed from SESSION_KEYS once
 * nothing is encrypted with it.
 * @throws if a secret's key is no longer configured.
 */
export async function resealSecrets(env: Pick<Env, 'DB' | 'SESSION_KEYS'>, now: number, until: number): Promise<void> {
  const db = openDb(env);
  const { current, all } = keyIds(env);
  let sealed = 0;
  for (let before = -1; before < sealed && Date.now() < until; ) {
    before = sealed;
    for (const one of await sealedOtherwise(db, current, all, AT_ONCE)) {
      const owner = one.place.ownerOf(one.user_id);
      const secret = await unseal(env, owner, one.sealed).catch(() => null);
      // Altered, or encrypted by a different key with the same id. Its user must set it up again.
      if (secret === null) continue;
      await replaceSealed(db, one, await seal(env, owner, secret));
      sealed++;
    }
  }
  const counts = await sealedByKey(db);
  const left = [...counts].filter(([id]) => id !== current);
  if (sealed > 0) {
    const sum = left.reduce((total, [, count]) => total + count, 0);
    await noteResealed(db, { key: current, sealed, left: sum }, now);
    console.log(
      sum === 0
        ? `Everything is sealed by the key '${current}': the others may be taken out of SESSION_KEYS once their sessions have ended.`
        : `${sealed} secrets were sealed anew by the key '${current}', ${sum} are left.`,
    );
  }
  const lost = left.filter(([id]) => !all.includes(id));
  if (lost.length > 0)
    throw new Error(
      `${lost.map(([id, count]) => `${count} secrets are sealed by the key '${id}'`).join(', ')}, which SESSION_KEYS does not have any more: put it back.`,
    );
}
