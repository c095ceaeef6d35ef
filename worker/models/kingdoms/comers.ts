/** Two scans of a kingdom, as expressions of SQL. */
export interface Between {
  game: string;
  kingdom: string;
  /** The day of the earlier scan, and its moment. */
  first: string;
  since: string;
  /** The day of the later scan. */
  last: string;
  /** How many ranks both have: of lists of different lengths only these tell who came and went. */
  ranks: string;
  /** 1 if the earlier scan has fewer ranks than the later one, else 0; and the other way around. */
  shallowThen: string;
  shallowNow: string;
}

// Governors of the kingdom are found through its index, their days through the history's primary key, and those who are
// elsewhere now through the changes.

export const nowIn = ({ game, kingdom, last }: Between): string =>
  `JOIN governor_days now ON now.game = ${game} AND now.governor_id = known.governor_id AND now.day = ${last}
    AND now.kingdom_id = ${kingdom}`;

export const thenIn = ({ game, kingdom, first }: Between): string =>
  `JOIN governor_days before ON before.game = ${game} AND before.governor_id = known.governor_id
    AND before.day = ${first} AND before.kingdom_id = ${kingdom}`;

export const knownIn = ({ game, kingdom }: Between): string => `known.game = ${game} AND known.kingdom_id = ${kingdom}`;

/** A governor whose power is so many times that of a shallower scan's last one did not creep over its edge. */
const CLEAR = 1.1;

/** The power that tells coming or going from creeping over the edge of a scan (`side`), if that one is the shallower. */
const edgeOf = (
  shallow: string,
  side: (between: Between) => string,
  name: 'now' | 'before',
  between: Between,
): string =>
  `CASE WHEN ${shallow} THEN ${CLEAR} * (
    SELECT min(${name}.power) FROM governors known ${side(between)} WHERE ${knownIn(between)}) ELSE 0 END`;

/**
 * Who is in the later scan and not in the earlier one: id, name, power. Governors whom a scan before both has met in the
 * kingdom have not joined it, and neither have those who may have been below the edge of a shallower earlier scan.
 */
export const joinedBetween = (between: Between): string => `
  SELECT known.governor_id AS id, known.name, now.power AS power
  FROM governors known ${nowIn(between)} AND now.rank <= ${between.ranks} LEFT ${thenIn(between)}
  WHERE ${knownIn(between)} AND before.day IS NULL
    AND (EXISTS (SELECT 1 FROM governor_changes moved WHERE moved.game = ${between.game}
        AND moved.governor_id = known.governor_id AND moved.field = 'kingdom_id' AND moved.captured_at > ${between.since})
      OR (now.power > ${edgeOf(between.shallowThen, thenIn, 'before', between)}
        AND NOT EXISTS (SELECT 1 FROM governor_days seen WHERE seen.game = ${between.game}
          AND seen.governor_id = known.governor_id AND seen.kingdom_id = ${between.kingdom}
          AND seen.day < ${between.first})))`;

/**
 * Who is in the earlier scan and not in the later one, or was seen to leave since and is elsewhere now: id, name, power,
 * and the kingdom where they were seen since. Those who went and came back did neither, and those who may be below the
 * edge of a shallower later scan have not left.
 */
export const leftBetween = (between: Between): string => `
  SELECT known.governor_id AS id, known.name, before.power AS power, NULL AS kingdom_id
  FROM governors known ${thenIn(between)} AND before.rank <= ${between.ranks} LEFT ${nowIn(between)}
  WHERE ${knownIn(between)} AND now.day IS NULL
    AND before.power > ${edgeOf(between.shallowNow, nowIn, 'now', between)}
  UNION ALL
  SELECT known.governor_id, known.name, known.power, known.kingdom_id
  FROM governors known JOIN (
    SELECT DISTINCT governor_id FROM governor_changes
    WHERE game = ${between.game} AND field = 'kingdom_id' AND captured_at > ${between.since}
      AND old_value = CAST(CAST(${between.kingdom} AS INTEGER) AS TEXT)) moved USING (governor_id)
  WHERE known.game = ${between.game} AND known.kingdom_id <> ${between.kingdom}`;

/**
 * What governors gained who are in both scans: how many those are, and the sums of power and score. A lifetime counter
 * (`isLifetime`, SQL) that fell, or that one of the two does not have, is a misread and left out.
 */
export const gainedBetween = (between: Between, isLifetime: string): string => `
  SELECT count(*) AS compared, sum(now.power - before.power) AS power_change,
    sum(CASE WHEN NOT ${isLifetime} OR (now.score >= before.score AND (before.score > 0 OR now.score = 0))
      THEN now.score - before.score END) AS score_change
  FROM governors known ${nowIn(between)} ${thenIn(between)} WHERE ${knownIn(between)}`;
