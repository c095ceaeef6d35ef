import { type Column, GAMES } from '../games/games.ts';
import type { ScanDialect } from './files.ts';
import type { Numbers, Table, Texts } from './rows.ts';
import { defused } from './spreadsheet.ts';
import { allianceOf } from './words.ts';

/**
 * Exports scans in the columns of other tools, for use in people's other programs. The tool's own columns come first,
 * in its order. Everything else that the scan knows follows under our titles, so that a round trip loses nothing.
 */

/** Dialects of other tools, all for Rise of Kingdoms. */
export type ForeignDialect = Exclude<ScanDialect, 'muster'>;

/** A tool's headers, each with its column; null if the value combines others. */
const HEADERS: Readonly<Record<ForeignDialect, readonly (readonly [header: string, key: string | null])[]>> = {
  'hero-scrolls': [
    ['Kingdom', 'home_kingdom'],
    ['Governor Name', 'name'],
    ['Governor ID', 'governor_id'],
    ['Power', 'power'],
    ['Domain ID', 'domain'],
    ['Alliance Tag', 'alliance_tag'],
    ['Deads', 'deads'],
    ['Kill Points', 'killpoints'],
    ['Acclaim', 'acclaim'],
    ['T1 Kills', 'killcount_t1'],
    ['T2 Kills', 'killcount_t2'],
    ['T3 Kills', 'killcount_t3'],
    ['T4 Kills', 'killcount_t4'],
    ['T5 Kills', 'killcount_t5'],
    ['Helps Given', 'helps_given'],
    ['Resources Gathered', 'rss_gathered'],
    ['Resources Given', 'rss_given'],
    ['Troop Power', 'troop_power'],
    ['Tech Power', 'tech_power'],
    ['Building Power', 'building_power'],
    ['Commander Power', 'commander_power'],
    ['Town Hall', 'town_center'],
  ],
  'roktracker-v4': [
    ['Governor ID', 'governor_id'],
    ['Governor Name', 'name'],
    ['Power', 'power'],
    ['Kill Points', 'killpoints'],
    ['Deaths', 'deads'],
    ['T1', 'killcount_t1'],
    ['T2', 'killcount_t2'],
    ['T3', 'killcount_t3'],
    ['T4', 'killcount_t4'],
    ['T5', 'killcount_t5'],
    ['Kills', null],
    ['Kills (T4+)', null],
    ['Ranged Points', 'ranged_points'],
    ['RSS Gathered', 'rss_gathered'],
    ['RSS Assistance', 'rss_given'],
    ['Helps', 'helps_given'],
    ['Alliance', null],
  ],
  'roktracker-v6': [
    ['ID', 'governor_id'],
    ['Name', 'name'],
    ['Power', 'power'],
    ['Killpoints', 'killpoints'],
    ['Acclaim', 'acclaim'],
    ['Highest Acclaim', 'highest_acclaim'],
    ['Deads', 'deads'],
    ['T1 Kills', 'killcount_t1'],
    ['T2 Kills', 'killcount_t2'],
    ['T3 Kills', 'killcount_t3'],
    ['T4 Kills', 'killcount_t4'],
    ['T5 Kills', 'killcount_t5'],
    ['Total Kills', null],
    ['T45 Kills', null],
    ['Ranged', 'ranged_points'],
    ['Rss Gathered', 'rss_gathered'],
    ['Rss Assistance', 'rss_given'],
    ['Helps', 'helps_given'],
    ['Alliance', null],
  ],
};

/** How a dialect writes unknown numbers; NaN is an empty cell. */
const UNKNOWN: Readonly<Record<ForeignDialect, number>> = {
  'hero-scrolls': Number.NaN,
  'roktracker-v4': Number.NaN,
  'roktracker-v6': -1,
};

/** Last header of a csv file whose texts were escaped. Our reader removes the escapes again. */
export const WRITTEN_BY_US = 'Written by Muster';

const { columns, roles } = GAMES.rok;
const byKey = new Map(columns.map((column) => [column.key, column]));

/** Returns `[TAG]Full name`, or '' without an alliance. */
const allianceText = (tag: string | null, name: string | null): string =>
  tag === null && name === null ? '' : `[${tag ?? ''}]${name ?? ''}`;

/** What has to be known about a scan before its first row is written. */
interface ForeignPlan {
  dialect: ForeignDialect;
  columns: readonly Column[];
  /** Header → key of the scan's column. */
  sources: ReadonlyMap<string, string>;
}

/**
 * Returns the columns of a scan's file: the tool's own, then every other with a value in some row (`filled`). `texts`
 * holds the scan's texts, some of which may need extra columns to survive a round trip.
 */
export function foreignPlan(
  dialect: ForeignDialect,
  filled: ReadonlySet<string>,
  texts: Table,
  safe: boolean,
): ForeignPlan {
  const own = HEADERS[dialect];
  const shown = new Set(own.flatMap(([, key]) => key ?? []));
  const tells = own.some(([header]) => header === 'Alliance');
  if (tells && isTold(texts)) for (const key of [roles.tag, 'alliance_name']) shown.add(key);
  // The kingdom is in the file's name too, but not every reader sees the name.
  const more = columns.filter(({ key, ours }) => !ours && !shown.has(key) && filled.has(key));
  const headers = [
    ...own.map(([header, key]) => [header, key] as const),
    ...more.map(({ key, title }) => [title, key] as const),
    ...(safe && isChanged(texts) ? [[WRITTEN_BY_US, null] as const] : []),
  ];
  return {
    dialect,
    columns: headers.map(([header, key]) => ({
      ...(key ? byKey.get(key) : undefined),
      key: header,
      title: header,
      type:
        (key ? byKey.get(key)?.type : undefined) ??
        (header === 'Alliance' || header === WRITTEN_BY_US ? 'text' : 'integer'),
      aliases: [],
    })),
    sources: new Map(headers.flatMap(([header, key]) => (key ? [[header, key]] : []))),
  };
}

/** Returns whether tag and name of every row can be restored from `[TAG]Full name`. */
function isTold({ texts, count }: Table): boolean {
  const [tags, names] = [texts[roles.tag] ?? [], texts.alliance_name ?? []];
  for (let row = 0; row < count; row++) {
    const [tag, name] = [tags[row] ?? null, names[row] ?? null];
    const back = allianceOf(allianceText(tag, name));
    if (back.tag !== tag || back.name !== name) return false;
  }
  return true;
}

/** Returns whether csv has to escape any text. */
const isChanged = ({ texts }: Table): boolean =>
  Object.values(texts).some((column) => column.some((text) => text !== null && defused(text) !== text));

/** Returns a scan's table with the dialect's headers as keys. */
export function foreignTable({ dialect, columns: headers, sources }: ForeignPlan, table: Table): Table {
  const shown: Table = { ...table, numbers: {}, texts: {} };
  for (const { key: header, type } of headers) {
    const source = sources.get(header);
    if (type !== 'text')
      shown.numbers[header] = known(dialect, source ? table.numbers[source] : killsOf(table, header), table.count);
    else if (source) shown.texts[header] = table.texts[source] ?? [];
    else if (header === 'Alliance') shown.texts[header] = alliancesOf(table);
  }
  return shown;
}

function known(dialect: ForeignDialect, numbers: Numbers | undefined, count: number): Numbers {
  const unknown = UNKNOWN[dialect];
  const source = numbers ?? new Float64Array(count).fill(Number.NaN);
  return Number.isNaN(unknown) ? source : source.map((value) => (Number.isNaN(value) ? unknown : value));
}

/** Adds up the kills of all tiers, or of T4 and T5 if the header says so; NaN if one is unknown. */
function killsOf(table: Table, header: string): Numbers {
  const tiers = roles.tiers.slice(/4/.test(header) ? 3 : 0).map((key) => table.numbers[key]);
  return Float64Array.from({ length: table.count }, (_, row) =>
    tiers.reduce((sum, kills) => sum + (kills?.[row] ?? Number.NaN), 0),
  );
}

const alliancesOf = ({ texts, count }: Table): Texts =>
  Array.from({ length: count }, (_, row) =>
    allianceText(texts[roles.tag]?.[row] ?? null, texts.alliance_name?.[row] ?? null),
  );
