import type { Day } from '../../../domain/days.ts';
import { type KingdomHistory, sumsOfSame } from '../../../domain/history/between.ts';
import {
  currentFigure,
  isInDoubt,
  type Known,
  presentIn,
  type Standing,
  stateIn,
} from '../../../domain/history/present.ts';
import type { State } from '../../../domain/history/state.ts';
import type { AlliancePage } from '../../../domain/kingdoms/alliance.ts';
import { readBoth } from '../../db/directories.ts';
import type { Db } from '../../db/open.ts';
import { together } from '../../isolate/at-once.ts';
import type { Asked } from './directory.ts';
import { dayOfNumber, kingdomHistory, newestFirst, numberOfDay, powersOf } from './histories.ts';
import { STANDING } from './standing.ts';

/** More members than any alliance in the games can have. */
const MEMBERS = 300;
const PASSERS = 30;
const CHART_DAYS = 7;

type Member = AlliancePage['members'][number];
type Passer = AlliancePage['joined'][number];

/** A passer as the directory has them. `home` is where the governor is known now. */
type FoundPasser = Omit<Passer, 'power'> & { home: number; has_left: 0 | 1 };

interface ChartDay {
  day: string;
  power: number;
  score: number | null;
  count: number;
}

/**
 * Returns the statement for the newest governors who left the alliance or joined it, with all of the last one's moment:
 * the strongest of them are listed. An alliance is a tag in a kingdom, so a governor who migrates leaves it too, under
 * whatever tag they arrive. A tag that did not change at a time is the one before the next change, or today's.
 */
const passing = (db: Db, { game, kingdom_id }: Asked, tag: string) =>
  db
    .directory(game)
    .prepare(
      `WITH passed AS (
         SELECT governor_id, captured_at FROM governor_changes INDEXED BY governor_changes_kingdom
         WHERE game = ?1 AND kingdom_id = ?2
           AND (field = 'kingdom_id' OR field = 'alliance_tag' AND ?3 IN (old_value, new_value))
         UNION
         SELECT governor_id, captured_at FROM governor_changes INDEXED BY governor_changes_left
         WHERE game = ?1 AND field = 'kingdom_id' AND old_value = ?4
       ), sides AS (
         SELECT known.governor_id AS id, known.name, known.kingdom_id AS home, passed.captured_at AS time,
           coalesce(CAST(move.old_value AS INTEGER), ?2) AS from_kingdom,
           coalesce(CAST(move.new_value AS INTEGER), ?2) AS to_kingdom,
           coalesce(change.old_value, ${UNCHANGED_TAG}) AS from_tag, coalesce(change.new_value, ${UNCHANGED_TAG}) AS to_tag
         FROM passed
         CROSS JOIN governors known ON known.game = ?1 AND known.governor_id = passed.governor_id
         ${atSameTime('move', 'kingdom_id')} ${atSameTime('change', 'alliance_tag')}
       ), directed AS (
         SELECT *, from_kingdom = ?2 AND from_tag = ?3 AS has_left FROM sides
       )
       SELECT id, name, home, time, has_left, iif(has_left, to_kingdom, from_kingdom) AS kingdom_id,
         iif(has_left, to_tag, from_tag) AS tag
       FROM (
         SELECT *, rank() OVER (PARTITION BY has_left ORDER BY time DESC) AS place FROM directed
         WHERE has_left OR to_kingdom = ?2 AND to_tag = ?3)
       WHERE place <= ${PASSERS}`,
    )
    // The index stores kingdom ids as text, and D1 would turn a number into '1001.0'.
    .bind(game, kingdom_id, tag, String(kingdom_id));

const atSameTime = (name: string, field: string): string => `
  LEFT JOIN governor_changes ${name} ON ${name}.game = ?1 AND ${name}.governor_id = passed.governor_id
    AND ${name}.captured_at = passed.captured_at AND ${name}.field = '${field}'`;

const UNCHANGED_TAG = `(
  SELECT later.old_value FROM governor_changes later
  WHERE later.game = ?1 AND later.governor_id = passed.governor_id AND later.field = 'alliance_tag'
    AND later.captured_at > passed.captured_at ORDER BY later.captured_at LIMIT 1), known.alliance_tag`;

/** Returns the newest passers; of those at the same time the strongest come first. */
const passersOf = (found: readonly FoundPasser[], powers: ReadonlyMap<number, number>): Passer[] =>
  found
    .map(({ id, name, kingdom_id, tag, time }) => ({ id, name, kingdom_id, tag, power: powers.get(id) ?? null, time }))
    .sort(newestFirst)
    .slice(0, PASSERS);

function chartOf(packed: KingdomHistory, days: readonly { day: Day }[], members: readonly number[]): ChartDay[] {
  const { sums, count } = sumsOfSame(
    packed,
    members,
    days.map(({ day }) => numberOfDay(day)),
  );
  return sums.map(({ day, power, score }) => ({ day: dayOfNumber(day), power, score, count }));
}

/** Members as they were last seen, strongest first, with what their states say. */
type Seen = [Known, State][];

const memberOf = ([known, state]: Seen[number]): Member => ({
  id: known.id,
  name: state.name,
  power: known.power,
  score: currentFigure(known, state, 'score'),
  deads: currentFigure(known, state, 'deads'),
  hall: currentFigure(known, state, 'hall'),
});

/** Returns the sum of a figure that was read in the newest scan and is not in doubt; null if there is none. */
function sumOf(members: Seen, figure: 'power' | 'score' | 'deads'): number | null {
  const sure = members.flatMap(([known, state]) => {
    const value = figure === 'power' ? known.power : currentFigure(known, state, figure);
    return value === null || isInDoubt(known, figure) ? [] : [value];
  });
  return sure.length === 0 ? null : sure.reduce((sum, value) => sum + value, 0);
}

/** Returns the last of the members' names of the alliance in alphabetical order, as SQL's max() does. */
const nameOf = (members: Seen): string =>
  members.reduce((last, [, { others }]) => {
    const name = others.alliance_name;
    return typeof name === 'string' && name > last ? name : last;
  }, '');

/** Returns the data of an alliance's page, or null if scans show no governor with this tag in the kingdom. */
export async function alliancePage(db: Db, store: R2Bucket, asked: Asked, tag: string): Promise<AlliancePage | null> {
  const { game, kingdom_id } = asked;
  const [[[passed], found], history] = await together([
    readBoth(
      db,
      game,
      [passing(db, asked, tag)],
      [
        db.$client.prepare(`SELECT newest, captured_at AS standing FROM (${STANDING})`).bind(game, kingdom_id),
        db.$client
          .prepare(
            `SELECT day FROM kingdom_days WHERE game = ?1 AND kingdom_id = ?2 AND day >= (
             SELECT date(captured_at / 1000, 'unixepoch', '-${CHART_DAYS} days') FROM kingdoms
             WHERE game = ?1 AND kingdom_id = ?2) ORDER BY day`,
          )
          .bind(game, kingdom_id),
      ],
    ),
    kingdomHistory(db, store, asked),
  ]);
  const [standings, days] = found as [D1Result<Standing>, D1Result<{ day: Day }>];
  const [standing] = standings.results;
  if (!standing) return null;
  const members = presentIn(history, standing)
    .map((known): Seen[number] => [known, stateIn(history, known)])
    .filter(([, state]) => state.alliance_tag === tag);
  if (members.length === 0) return null;
  const passers = (passed as D1Result<FoundPasser>).results;
  const homes = passers.map(({ id, home }) => ({ id, kingdom_id: home }));
  const powers = await powersOf(db, store, game, homes, new Map([[kingdom_id, history.history]]));
  const ids = members.map(([{ id }]) => id);
  const chart = chartOf(history, days.results, ids);
  const doubted = (figure: 'power' | 'score' | 'deads') => members.filter(([known]) => isInDoubt(known, figure)).length;
  return {
    game,
    kingdom_id,
    tag,
    name: nameOf(members),
    captured_at: standing.newest,
    member_count: members.length,
    power: sumOf(members, 'power'),
    score: sumOf(members, 'score'),
    deads: sumOf(members, 'deads'),
    read_count: members.filter(([known, state]) => currentFigure(known, state, 'score') !== null).length,
    doubted: { power: doubted('power'), score: doubted('score'), deads: doubted('deads') },
    members: members.slice(0, MEMBERS).map(memberOf),
    chart: chart.map(({ day, power, score }) => ({ day, power, score })),
    same_count: chart[0]?.count ?? 0,
    joined: passersOf(
      passers.filter(({ has_left }) => !has_left),
      powers,
    ),
    left: passersOf(
      passers.filter(({ has_left }) => has_left),
      powers,
    ),
  };
}
