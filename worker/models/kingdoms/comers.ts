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

/** Who is in the later scan and not in the earlier one: id, name, power. */
export const joinedBetween = (between: Between): string => `
  SELECT known.governor_id AS id, known.name, now.power AS power
  FROM governors known ${nowIn(between)} AND now.rank <= ${between.ranks} LEFT ${thenIn(between)}
  WHERE ${knownIn(between)} AND before.day IS NULL`;

/**
 * Who is in the earlier scan and not in the later one, or was seen to leave since and is elsewhere now: id, name, power,
 * and the kingdom where he was seen since. Who went and came back did neither.
 */
export const leftBetween = (between: Between): string => `
  SELECT known.governor_id AS id, known.name, before.power AS power, NULL AS kingdom_id
  FROM governors known ${thenIn(between)} AND before.rank <= ${between.ranks} LEFT ${nowIn(between)}
  WHERE ${knownIn(between)} AND now.day IS NULL
  UNION ALL
  SELECT known.governor_id, known.name, known.power, known.kingdom_id
  FROM governors known JOIN (
    SELECT DISTINCT governor_id FROM governor_changes
    WHERE game = ${between.game} AND field = 'kingdom_id' AND captured_at > ${between.since}
      AND old_value = CAST(CAST(${between.kingdom} AS INTEGER) AS TEXT)) moved USING (governor_id)
  WHERE known.game = ${between.game} AND known.kingdom_id <> ${between.kingdom}`;
