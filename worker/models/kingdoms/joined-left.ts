/** Two scans of a kingdom, as SQL expressions. */
export interface Between {
  game: string;
  kingdom: string;
  /** Day and time of the earlier scan. */
  first: string;
  since: string;
  /** Day of the later scan. */
  last: string;
  /** Number of ranks in both. If the lists differ in length, only these ranks tell who came and who left. */
  ranks: string;
  /** 1 if the earlier (`then`) or later (`now`) scan has fewer ranks than the other, otherwise 0. */
  shallowThen: string;
  shallowNow: string;
}

// A CROSS JOIN is not reordered. Otherwise SQLite, which has no statistics here, may start with all days of a game.

/** SQL of the governors' days in the later scan, to be joined to `known`. */
export const nowIn = ({ game, kingdom, last }: Between): string =>
  `governor_days now ON now.game = ${game} AND now.governor_id = known.governor_id AND now.day = ${last}
    AND now.kingdom_id = ${kingdom}`;

/** The same in the earlier scan. */
export const thenIn = ({ game, kingdom, first }: Between): string =>
  `governor_days before ON before.game = ${game} AND before.governor_id = known.governor_id
    AND before.day = ${first} AND before.kingdom_id = ${kingdom}`;

export const knownIn = ({ game, kingdom }: Between): string => `known.game = ${game} AND known.kingdom_id = ${kingdom}`;

/** Factor above the last power of a shallower scan. A governor above it did not just cross the scan's edge. */
const CLEAR = 1.1;

/**
 * SQL of one row with the power above which a governor really came or left, instead of crossing the edge of the
 * shallower scan `side`. 0 if that scan is not the shallower one.
 */
const edgeOf = (
  shallow: string,
  side: (between: Between) => string,
  name: 'now' | 'before',
  between: Between,
): string =>
  `(SELECT CASE WHEN ${shallow} THEN ${CLEAR} * min(${name}.power) ELSE 0 END AS power
    FROM governors known CROSS JOIN ${side(between)} WHERE ${shallow} AND ${knownIn(between)}) edge`;

/**
 * SQL of governors in the later scan but not the earlier one: id, name, power. Excludes governors seen in the kingdom
 * before both scans and those who may have been below the edge of a shallower earlier scan.
 */
export const joinedBetween = (between: Between): string => `
  SELECT known.governor_id AS id, known.name, now.power AS power
  FROM ${edgeOf(between.shallowThen, thenIn, 'before', between)}
    CROSS JOIN governors known CROSS JOIN ${nowIn(between)} AND now.rank <= ${between.ranks}
    LEFT JOIN ${thenIn(between)}
  WHERE ${knownIn(between)} AND before.day IS NULL
    AND (EXISTS (SELECT 1 FROM governor_changes moved WHERE moved.game = ${between.game}
        AND moved.governor_id = known.governor_id AND moved.field = 'kingdom_id' AND moved.captured_at > ${between.since})
      OR (now.power > edge.power
        AND NOT EXISTS (SELECT 1 FROM governor_days seen WHERE seen.game = ${between.game}
          AND seen.governor_id = known.governor_id AND seen.kingdom_id = ${between.kingdom}
          AND seen.day < ${between.first})))`;

/**
 * SQL of governors in the earlier scan but not the later one, and of those who have moved away since: id, name, power
 * and the kingdom where they were seen since. Excludes governors who left and returned and those who may be below the
 * edge of a shallower later scan.
 */
export const leftBetween = (between: Between): string => `
  SELECT known.governor_id AS id, known.name, before.power AS power, NULL AS kingdom_id
  FROM ${edgeOf(between.shallowNow, nowIn, 'now', between)}
    CROSS JOIN governors known CROSS JOIN ${thenIn(between)} AND before.rank <= ${between.ranks}
    LEFT JOIN ${nowIn(between)}
  WHERE ${knownIn(between)} AND now.day IS NULL
    AND before.power > edge.power
  UNION ALL
  SELECT known.governor_id, known.name, known.power, known.kingdom_id
  FROM governors known JOIN (
    SELECT DISTINCT governor_id FROM governor_changes INDEXED BY governor_changes_left
    WHERE game = ${between.game} AND field = 'kingdom_id' AND captured_at > ${between.since}
      AND old_value = CAST(CAST(${between.kingdom} AS INTEGER) AS TEXT)) departed USING (governor_id)
  WHERE known.game = ${between.game} AND known.kingdom_id <> ${between.kingdom}`;

/**
 * SQL of the gains of governors in both scans: their number and the sums of power and score changes. If a lifetime
 * counter (`isLifetime`, SQL) fell or is missing in one scan, it was misread, so its change is left out.
 */
export const gainedBetween = (between: Between, isLifetime: string): string => `
  SELECT count(*) AS compared, sum(now.power - before.power) AS power_change,
    sum(CASE WHEN NOT ${isLifetime} OR (now.score >= before.score AND (before.score > 0 OR now.score = 0))
      THEN now.score - before.score END) AS score_change
  FROM governors known CROSS JOIN ${nowIn(between)} CROSS JOIN ${thenIn(between)} WHERE ${knownIn(between)}`;
