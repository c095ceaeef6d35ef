import { createHash, randomInt } from 'node:crypto';
import type * as z from 'zod';
import { showWithout } from '../../../domain/boards/leaderboard.ts';
import { type newRemoval, type removalAsked, removalEnd } from '../../../domain/boards/removal.ts';
import { MINUTE_MS } from '../../../domain/days.ts';
import { GAME_IDS, GAMES } from '../../../domain/games/games.ts';
import { sentence } from '../../../domain/language/text.ts';
import type { Db } from '../../db/open.ts';
import { notFound, Refusal } from '../../errors.ts';
import { forgetManifest } from '../../gateways/board-cache.ts';
import { changeManifest, manifestChangedAt, readBoardManifest } from '../../gateways/board-store.ts';
import { BOARDS_TAG, EVENTS_TAG, purge } from '../../gateways/workers-cache.ts';
import { acceptProven, askRemoval, decideRemoval, removedGovernors } from '../../models/boards/removals.ts';
import { forgetHeads } from '../events/find-event.ts';

const hiddenOf = (ids: number[]) =>
  ids.length === 0 ? undefined : { ids, mark: createHash('sha256').update(ids.join(' ')).digest('hex').slice(0, 8) };

/**
 * Copies the accepted removals from the database to the manifest, which the boards' public answers read; events read
 * the database. Visible here at once, everywhere within half a minute. Idempotent.
 */
export async function hideRemoved(db: Db, store: R2Bucket): Promise<void> {
  const [removed, { manifest }] = await Promise.all([removedGovernors(db), readBoardManifest(store)]);
  if (GAME_IDS.every((game) => (manifest[game].hidden?.ids ?? []).join() === removed[game].join())) return;
  await changeManifest(store, (latest) => {
    for (const game of GAME_IDS) showWithout(latest[game], hiddenOf(removed[game]));
  });
  forgetManifest();
  forgetHeads();
  await purge([BOARDS_TAG, EVENTS_TAG]);
}

/** Longer than other isolates keep their manifest and event heads, plus the time between two crons. */
const SETTLING_MS = 2 * MINUTE_MS;

/**
 * Purges the boards again after a change. Other isolates answer from their cached manifest for some seconds after the
 * first purge, and Workers Cache would keep these answers until the next day. Returns whether there was one.
 */
export async function purgeSettled(store: R2Bucket, now: number): Promise<boolean> {
  const changed = await manifestChangedAt(store);
  const isRecent = changed !== null && now - changed < SETTLING_MS;
  if (isRecent) await purge([BOARDS_TAG, EVENTS_TAG]);
  return isRecent;
}

/** Letters and digits that nobody confuses in the game's font. */
const LETTERS = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
/** Short, because names have about 15 characters. */
const CODE_LENGTH = 6;

const newCode = (): string => Array.from({ length: CODE_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');

/** Stores a request for removal, or returns the one that the governor has. */
export async function askToHide(
  db: Db,
  asked: z.infer<typeof newRemoval>,
  now = Date.now(),
): Promise<z.infer<typeof removalAsked>> {
  const removal = await askRemoval(db, asked, newCode(), now);
  const { name } = GAMES[asked.game];
  if (removal === 'full')
    throw new Refusal('too_many', 'Too many requests for removal are open. Please try again in some days.');
  if (removal === 'unknown')
    throw new Refusal(
      'invalid',
      sentence(
        'No scan of {name} has seen a {game, select, cod {lord} other {governor}} with this id.',
        { name, game: asked.game },
        'governor_id',
      ),
    );
  const { game, governor_id, state } = removal;
  const isOpen = state === 'open';
  return {
    game,
    governor_id,
    // A removed name is shown to nobody.
    name: isOpen ? removal.name : '',
    state,
    code: isOpen ? removal.code : null,
    ends_at: isOpen ? removalEnd(removal.created_at) : null,
  };
}

/** Accepts or refuses a request for an admin. @throws Refusal if that is not possible. */
export async function decideToHide(
  db: Db,
  store: R2Bucket,
  id: number,
  state: 'accepted' | 'refused',
  admin: { id: string; address: string },
): Promise<void> {
  const decided = await decideRemoval(db, id, state, admin);
  if (decided === 'unknown') throw notFound('request');
  if (decided === 'another')
    throw new Refusal('conflict', 'A newer request for the same player counts. Decide on that one.');
  // Even if nothing changed, because an earlier call may have ended before the boards were updated.
  await hideRemoved(db, store);
}

/** Hides governors whose code a scan has read since they asked. */
export async function hideProven(db: Db, store: R2Bucket, now: number): Promise<void> {
  if ((await acceptProven(db, now)) > 0) await hideRemoved(db, store);
}
