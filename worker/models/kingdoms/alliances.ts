import { addDays, type Day, dayOf } from '../../../domain/days.ts';
import type { GameId } from '../../../domain/games/games.ts';
import { type KingdomHistory, sumsOfSame } from '../../../domain/history/between.ts';
import type { AlliancePage } from '../../../domain/kingdoms/alliance.ts';
import type { Db } from '../../db/open.ts';
import type { Asked } from './directory.ts';
import { dayOfNumber, kingdomHistory, numberOfDay } from './histories.ts';
import { current, inDoubt, type KingdomStanding, kingdomStanding, PRESENT } from './standing.ts';

/** More members than any alliance in the games can have. */
const MEMBERS = 300;
const PASSERS = 30;
const CHART_DAYS = 7;

/** SQL; ?1 to ?4 as in `PRESENT`, ?5 the tag. */
const MEMBER = `${PRESENT} AND alliance_tag = ?5`;

/** SQL of a figure for sums: null unless it was read in the newest scan and is not in doubt. */
const sure = (figure: 'power' | 'score' | 'deads'): string =>
  `CASE WHEN ${inDoubt(figure)} IS NOT TRUE THEN ${figure === 'power' ? 'power' : current(figure)} END`;

type Member = AlliancePage['members'][number];
type Passer = AlliancePage['joined'][number];

interface Sums {
  member_count: number;
  power: number | null;
  score: number | null;
  deads: number | null;
  read_count: number;
  doubted_power: number;
  doubted_score: number;
  doubted_deads: number;
  name: string | null;
}

interface ChartDay {
  day: string;
  power: number;
  score: number | null;
  count: number;
}

/** Returns the statement for members who joined from, or left for, another alliance. */
const passing = (db: Db, direction: 'joined' | 'left', game: GameId, kingdom: number, tag: string) => {
  const [own, other] = direction === 'joined' ? ['new_value', 'old_value'] : ['old_value', 'new_value'];
  return db.$client
    .prepare(
      `SELECT change.governor_id AS id, known.name, change.${other} AS tag, known.power, change.captured_at AS time
       FROM governor_changes change INDEXED BY governor_changes_kingdom
       CROSS JOIN governors known ON known.game = change.game AND known.governor_id = change.governor_id
       WHERE change.game = ? AND change.kingdom_id = ? AND change.field = 'alliance_tag' AND change.${own} = ?
       ORDER BY change.captured_at DESC, known.power DESC, change.governor_id LIMIT ${PASSERS}`,
    )
    .bind(game, kingdom, tag);
};

type Values = (string | number)[];

/** What the chart needs beside the history: its days and all members. */
const chartParts = (db: Db, member: Values, from: Day): D1PreparedStatement[] => [
  db.$client
    .prepare(`SELECT day FROM kingdom_days WHERE game = ? AND kingdom_id = ? AND day >= ? ORDER BY day`)
    .bind(...member.slice(0, 2), from),
  db.$client.prepare(`SELECT governor_id AS id FROM governors WHERE ${MEMBER}`).bind(...member),
];

function chartOf(
  packed: KingdomHistory,
  days: readonly { day: Day }[],
  members: readonly { id: number }[],
): ChartDay[] {
  const { sums, count } = sumsOfSame(
    packed,
    members.map(({ id }) => id),
    days.map(({ day }) => numberOfDay(day)),
  );
  return sums.map(({ day, power, score }) => ({ day: dayOfNumber(day), power, score, count }));
}

function statements(
  db: Db,
  { game, kingdom_id: kingdom }: Asked,
  tag: string,
  known: KingdomStanding,
): D1PreparedStatement[] {
  const member = [game, kingdom, known.newest, known.standing, tag];
  const from = addDays(dayOf(known.newest), -CHART_DAYS);
  return [
    db.$client
      .prepare(
        `SELECT count(*) AS member_count, sum(${sure('power')}) AS power, sum(${sure('score')}) AS score,
           sum(${sure('deads')}) AS deads, count(${current('score')}) AS read_count,
           sum(${inDoubt('power')} IS TRUE) AS doubted_power, sum(${inDoubt('score')} IS TRUE) AS doubted_score,
           sum(${inDoubt('deads')} IS TRUE) AS doubted_deads,
           max(profile ->> 'alliance_name') AS name
         FROM governors WHERE ${MEMBER}`,
      )
      .bind(...member),
    db.$client
      .prepare(
        `SELECT governor_id AS id, name, power, ${current('score')} AS score, ${current('deads')} AS deads,
           ${current('hall')} AS hall
         FROM governors WHERE ${MEMBER}
         ORDER BY power DESC, governor_id LIMIT ${MEMBERS}`,
      )
      .bind(...member),
    ...chartParts(db, member, from),
    passing(db, 'joined', game, kingdom, tag),
    passing(db, 'left', game, kingdom, tag),
  ];
}

/** Returns the data of an alliance's page, or null if scans show no governor with this tag in the kingdom. */
export async function alliancePage(db: Db, store: R2Bucket, asked: Asked, tag: string): Promise<AlliancePage | null> {
  const { game, kingdom_id } = asked;
  const [known, history] = await Promise.all([kingdomStanding(db, game, kingdom_id), kingdomHistory(db, store, asked)]);
  if (!known) return null;
  const [sums, members, days, ids, joined, left] = (await db.$client.batch(statements(db, asked, tag, known))) as [
    D1Result<Sums>,
    D1Result<Member>,
    D1Result<{ day: Day }>,
    D1Result<{ id: number }>,
    D1Result<Passer>,
    D1Result<Passer>,
  ];
  const all = sums.results[0];
  if (!all?.member_count) return null;
  const chart = chartOf(history, days.results, ids.results);
  return {
    game,
    kingdom_id,
    tag,
    name: all.name ?? '',
    captured_at: known.newest,
    member_count: all.member_count,
    power: all.power ?? 0,
    score: all.score,
    deads: all.deads,
    read_count: all.read_count,
    doubted: { power: all.doubted_power, score: all.doubted_score, deads: all.doubted_deads },
    members: members.results,
    chart: chart.map(({ day, power, score }) => ({ day, power, score })),
    same_count: chart[0]?.count ?? 0,
    joined: joined.results,
    left: left.results,
  };
}
