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
import { dayOfNumber, kingdomHistory, numberOfDay, powersOf } from './histories.ts';
import { STANDING } from './standing.ts';

/** More members than any alliance in the games can have. */
const MEMBERS = 300;
const PASSERS = 30;
const CHART_DAYS = 7;

type Member = AlliancePage['members'][number];
type Passer = AlliancePage['joined'][number];

/** A passer as the directory has them. `home` is where the governor is known now. */
type FoundPasser = Omit<Passer, 'power'> & { home: number };

interface ChartDay {
  day: string;
  power: number;
  score: number | null;
  count: number;
}

/**
 * Returns the statement for the newest members who joined from, or left for, another alliance, with all of the last
 * one's moment: the strongest of them are listed.
 */
const passing = (db: Db, direction: 'joined' | 'left', { game, kingdom_id }: Asked, tag: string) => {
  const [own, other] = direction === 'joined' ? ['new_value', 'old_value'] : ['old_value', 'new_value'];
  const changes = 'governor_changes change INDEXED BY governor_changes_kingdom';
  const passed = `change.game = ?1 AND change.kingdom_id = ?2 AND change.field = 'alliance_tag' AND change.${own} = ?3`;
  return db
    .directory(game)
    .prepare(
      `SELECT change.governor_id AS id, known.name, change.${other} AS tag, known.kingdom_id AS home,
         change.captured_at AS time
       FROM ${changes}
       CROSS JOIN governors known ON known.game = change.game AND known.governor_id = change.governor_id
       WHERE ${passed} AND change.captured_at >= coalesce((
         SELECT change.captured_at FROM ${changes}
         WHERE ${passed} ORDER BY change.captured_at DESC LIMIT 1 OFFSET ${PASSERS - 1}), 0)`,
    )
    .bind(game, kingdom_id, tag);
};

/** Returns the newest passers; of those at the same time the strongest come first. */
const passersOf = (found: readonly FoundPasser[], powers: ReadonlyMap<number, number>): Passer[] =>
  found
    .map(({ id, name, tag, time }) => ({ id, name, tag, power: powers.get(id) ?? 0, time }))
    .sort((a, b) => b.time - a.time || b.power - a.power || a.id - b.id)
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
  const [[passed, found], history] = await together([
    readBoth(
      db,
      game,
      [passing(db, 'joined', asked, tag), passing(db, 'left', asked, tag)],
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
  const [joined, left] = passed as [D1Result<FoundPasser>, D1Result<FoundPasser>];
  const [standings, days] = found as [D1Result<Standing>, D1Result<{ day: Day }>];
  const [standing] = standings.results;
  if (!standing) return null;
  const members = presentIn(history, standing)
    .map((known): Seen[number] => [known, stateIn(history, known)])
    .filter(([, state]) => state.alliance_tag === tag);
  if (members.length === 0) return null;
  const passers = [...joined.results, ...left.results].map(({ id, home }) => ({ id, kingdom_id: home }));
  const powers = await powersOf(db, store, game, passers, new Map([[kingdom_id, history.history]]));
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
    power: sumOf(members, 'power') ?? 0,
    score: sumOf(members, 'score'),
    deads: sumOf(members, 'deads'),
    read_count: members.filter(([known, state]) => currentFigure(known, state, 'score') !== null).length,
    doubted: { power: doubted('power'), score: doubted('score'), deads: doubted('deads') },
    members: members.slice(0, MEMBERS).map(memberOf),
    chart: chart.map(({ day, power, score }) => ({ day, power, score })),
    same_count: chart[0]?.count ?? 0,
    joined: passersOf(joined.results, powers),
    left: passersOf(left.results, powers),
  };
}
