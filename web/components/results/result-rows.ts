import { GAME_IDS, GAMES, type Game } from '../../../domain/games.ts';
import type { Row } from '../../../domain/rows.ts';

/** A row of results as the page shows it. Undefined is what the scan does not know; it shows as '?'. */
export interface ResultRow {
  id: number;
  tag: string;
  kingdom: number;
  name: string;
  power: number;
  score: number | undefined;
  hall: number | undefined;
  deads: number | undefined;
  /** Kills by tier, T1 first. */
  tiers: readonly (number | undefined)[];
  /** What the search looks through. */
  text: string;
}

const figure = (row: Row, key: string): number | undefined => {
  const value = row[key];
  return value === null || value === undefined || value === '' ? undefined : Number(value);
};

const words = (row: Row, key: string): string => String(row[key] ?? '');

/** The game that a row is of: each calls its players' ids by another name. */
export const gameOf = (row: Row): Game => GAMES[GAME_IDS.find((id) => GAMES[id].roles.id in row) ?? 'rok'];

/**
 * Rows of the wire for the page; an order may hold rows of both games. Without `highest_power` only the ranking list was read: kill points, deads and kills
 * are then unknown, whatever stands in them (specification, section 3).
 */
export function resultRows(rows: readonly Row[]): ResultRow[] {
  return rows.map((row) => {
    const { roles } = gameOf(row);
    const full = Boolean(row[roles.highestPower]);
    const profile = (key: string) => (full ? figure(row, key) : undefined);
    const id = Number(row[roles.id]);
    const tag = words(row, roles.tag);
    const name = words(row, roles.name);
    return {
      id,
      tag,
      kingdom: Number(row[roles.kingdom]),
      name,
      power: figure(row, roles.power) ?? 0,
      score: profile(roles.score),
      hall: figure(row, roles.hall),
      deads: profile(roles.deads),
      tiers: roles.tiers.map(profile),
      text: `${name}\n${tag}\n${id}`.toLocaleLowerCase('en'),
    };
  });
}

/** The rows whose name, tag or id holds what is looked for; all of them for nothing. */
export function matching(rows: ResultRow[], query: string): ResultRow[] {
  const wanted = query.trim().toLocaleLowerCase('en');
  return wanted === '' ? rows : rows.filter((row) => row.text.includes(wanted));
}

export interface Stats {
  count: number;
  /** Powers, greatest first. */
  powers: number[];
  top100: number;
  top350: number;
  power: number;
  /** Null, as the two below, where no row's profile was read. */
  score: number | null;
  deads: number | null;
  /** Kills of T4 and T5 together: what a war is measured by. */
  highTierKills: number | null;
  /** Rows of which only the ranking list was read; they add power alone. */
  listedOnly: number;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** The sum of what is known, or null where nothing is. */
function sumOfKnown(values: readonly (number | undefined)[]): number | null {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? null : sum(known);
}

/** The sums of the stats panel. */
export function statsOf(rows: readonly ResultRow[]): Stats {
  const powers = rows.map((row) => row.power).sort((a, b) => b - a);
  return {
    count: rows.length,
    powers,
    top100: sum(powers.slice(0, 100)),
    top350: sum(powers.slice(0, 350)),
    power: sum(powers),
    score: sumOfKnown(rows.map((row) => row.score)),
    deads: sumOfKnown(rows.map((row) => row.deads)),
    highTierKills: sumOfKnown(rows.flatMap((row) => row.tiers.slice(3))),
    listedOnly: rows.filter((row) => row.score === undefined).length,
  };
}
