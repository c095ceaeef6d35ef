import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { type Person, signedInUser } from '../../worker/client.ts';
import { bring } from '../../worker/own-scans.ts';
import { bent, chance, seeds } from '../import-fuzz.ts';

/** Bent files, brought and saved through the routes: each is saved in whole or not at all. */

const FILES = 400;
/** The number of imports that an account may start in a minute. */
const A_USER = 20;
const SEED = 7;

const keysUnder = async (prefix: string): Promise<string[]> =>
  (await env.STORE.list({ prefix })).objects.map(({ key }) => key).sort();
const save = (user: Person, id: string) =>
  user.call('POST', `/v1/scans/import/${id}/save`, { kingdom: 4001, captured_at: '2026-01-05T00:00:00Z' });

/** Counts a user's stored scans: rows of the library, and their objects in the store. */
async function kept(user: Person) {
  const { results } = await env.DB.prepare('SELECT key, rows FROM scans WHERE user_id = ? ORDER BY key')
    .bind(user.id)
    .all<{ key: string; rows: number }>();
  return { scans: results, objects: await keysUnder(`own/${user.id}/`) };
}

test('bent files are saved in whole or not at all', { timeout: 600_000 }, async () => {
  const kinds = await seeds();
  const counts = { refused: 0, saved: 0, asked: 0 };
  for (let first = 0; first < FILES; first += A_USER) {
    const user = await signedInUser(0);
    for (let index = first; index < first + A_USER; index++) {
      const [name, file] = kinds[index % kinds.length] as [string, Buffer];
      const before = await kept(user);
      const brought = await bring(user, name, new Uint8Array(bent(file, chance(SEED + index))));
      expect([index, brought.status < 500]).toEqual([index, true]);
      const saved = brought.status === 200 ? await save(user, brought.data.import_id) : null;
      expect([index, (saved?.status ?? 0) < 500]).toEqual([index, true]);
      const after = await kept(user);
      // Whatever became of it, every scan has its object and every object its scan.
      expect([index, after.objects]).toEqual([index, after.scans.map(({ key }) => key)]);
      if (saved?.status === 200) {
        counts.saved++;
        const named = brought.data.scans as { rows: number; scan_id: string | null }[];
        const rows = (of: readonly { rows: number }[]) => of.reduce((sum, each) => sum + each.rows, 0);
        expect(saved.data.scan_ids.length).toBeLessThanOrEqual(named.length);
        expect([index, rows(after.scans) - rows(before.scans)]).toEqual([
          index,
          rows(named.filter(({ scan_id }) => scan_id === null).slice(0, saved.data.scan_ids.length)),
        ]);
      } else {
        counts[brought.status === 200 ? 'asked' : 'refused']++;
        expect([index, after]).toEqual([index, before]);
      }
    }
  }
  expect(counts.saved).toBeGreaterThan(FILES / 8);
  expect(counts.refused).toBeGreaterThan(FILES / 8);
});
