import type { Day } from '../../../domain/days.ts';
import { GAMES } from '../../../domain/games/games.ts';
import { type Compared, compareDays } from '../../../domain/history/between.ts';
import type { History } from '../../../domain/history/history.ts';
import { batchDirectories } from '../../db/directories.ts';
import type { Db } from '../../db/open.ts';
import { forEachAtOnce } from '../../isolate/at-once.ts';
import { type Asked, departedFrom } from './directory.ts';
import { knownHistory, numberOfDay } from './histories.ts';

/** Two scanned days of a kingdom (`pairBetween`). */
export interface AskedPair extends Asked {
  from: Day;
  /** Time of the earlier scan. */
  since: number;
  to: Day;
  ranks: number;
  shallow_then: number;
  shallow_now: number;
}

/** A governor who moved to another kingdom, and where they are known now. */
export interface Gone {
  id: number;
  name: string;
  kingdom_id: number;
}

interface Passed extends Asked {
  since: number;
  id: number;
  name: string;
  /** Where the governor is known now. */
  now_in: number;
  arrived: number;
}

const keyOf = ({ game, kingdom_id, since }: Asked & { since: number }): string => `${game} ${kingdom_id} ${since}`;

/** Returns who moved into or out of each kingdom since the pair's earlier scan, by pair. */
async function passedBetween(db: Db, pairs: readonly AskedPair[]): Promise<Map<string, Passed[]>> {
  const passed = (condition: string, index: string, arrived: 0 | 1) => `
    SELECT DISTINCT change.game, pairs.kingdom_id, pairs.since, known.governor_id AS id, known.name,
      known.kingdom_id AS now_in, ${arrived} AS arrived
    FROM pairs CROSS JOIN governor_changes change INDEXED BY ${index} ON change.game = ?1 AND change.field = 'kingdom_id'
      AND ${condition} AND change.captured_at > pairs.since
    CROSS JOIN governors known ON known.game = change.game AND known.governor_id = change.governor_id
    WHERE (known.kingdom_id = pairs.kingdom_id) = ${arrived}`;
  const sql = `
    WITH pairs AS (SELECT value ->> 'kingdom_id' AS kingdom_id, value ->> 'since' AS since FROM json_each(?2))
    ${passed('change.kingdom_id = pairs.kingdom_id', 'governor_changes_kingdom', 1)}
    UNION ALL ${passed('change.old_value = CAST(pairs.kingdom_id AS TEXT)', 'governor_changes_left', 0)}`;
  const answers = await batchDirectories<Passed>(
    db,
    [...Map.groupBy(pairs, ({ game }) => game)].map(([game, its]) => ({
      ...{ game, sql },
      values: [game, JSON.stringify(its.map(({ kingdom_id, since }) => ({ kingdom_id, since })))],
    })),
  );
  return Map.groupBy(
    answers.flatMap(({ results }) => results),
    keyOf,
  );
}

/**
 * Compares pairs of days by the packed histories, each reduced to what `take` returns before the next is read. `gone`
 * are governors who moved away since.
 */
export async function comparePacked<Pair extends AskedPair, Taken>(
  db: Db,
  store: R2Bucket,
  pairs: readonly Pair[],
  take: (pair: Pair, compared: Compared, gone: Gone[], history: History) => Taken | Promise<Taken>,
): Promise<Taken[]> {
  if (pairs.length === 0) return [];
  // The first histories are read meanwhile.
  const asking = Promise.all([departedFrom(db, pairs), passedBetween(db, pairs)]);
  asking.catch(() => undefined);
  const taken = new Array<Taken>(pairs.length);
  const compare = async (pair: Pair, index: number): Promise<void> => {
    const history = await knownHistory(db, store, pair);
    const [departed, passed] = await asking;
    const moves = passed.get(keyOf(pair)) ?? [];
    const arrived = new Set(moves.flatMap((move) => (move.arrived ? [move.id] : [])));
    const gone = moves.flatMap(({ arrived: came, id, name, now_in }) =>
      came ? [] : [{ id, name, kingdom_id: now_in }],
    );
    const days = {
      first: numberOfDay(pair.from),
      last: numberOfDay(pair.to),
      ranks: pair.ranks,
      shallowThen: pair.shallow_then === 1,
      shallowNow: pair.shallow_now === 1,
    };
    const kingdom = { kingdom_id: pair.kingdom_id, history, departed: departed(pair) };
    const compared = compareDays(kingdom, days, arrived, GAMES[pair.game].killPoints !== null);
    taken[index] = await take(pair, compared, gone, history);
  };
  await forEachAtOnce(pairs, compare);
  return taken;
}
