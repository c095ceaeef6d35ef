import type { EXPORT_TYPES } from '../../../domain/compare/contract.ts';
import { dayOf } from '../../../domain/days.ts';
import { FILE_TITLES } from '../../../domain/difference/file-titles.ts';
import { capital, compact, counted, date } from '../../../domain/figures.ts';
import { type Column, GAMES } from '../../../domain/games/games.ts';
import { kingdomTitle } from '../../../domain/games/titles.ts';
import { t, words } from '../../../domain/language/text.ts';
import { MAIL_LIMIT, nameInLine, oneLine } from '../../../domain/mail.ts';
import type { Table } from '../../../domain/scans/rows.ts';
import { Refusal } from '../../errors.ts';
import { CARD_ROWS, type Card, lineOf, MOST_CARD_ROWS } from '../../files/card.ts';
import { CONTENT_TYPE } from '../../files/export.ts';
import { streamOf } from '../../files/stream-of.ts';
import type { FilledSheet } from '../../files/xlsx.ts';
import { type Summary, summaryOf } from '../../files/xlsx-template.ts';
import { attachment } from '../../http/attachment.ts';
import { drawCard, type Studio } from '../boards/draw-card.ts';
import { groupSums } from '../difference/comparison.ts';
import {
  columnTitle,
  type FileTable,
  fileChunks,
  nounsOf,
  peopleFigures,
  sheetOf,
  text,
  whole,
} from '../difference/write-file.ts';
import type { Loaded, MadeRange } from './load-ranges.ts';
import { allColumns, reportTable } from './report-table.ts';
import { listed, type Scored, sumOfAll } from './score.ts';
import { inSlot, untilSent } from './slot.ts';

export type ExportType = (typeof EXPORT_TYPES)[number];

/** Media types of a comparison's files. */
const CONTENT: Readonly<Record<ExportType, string>> = {
  csv: CONTENT_TYPE.csv,
  xlsx: CONTENT_TYPE.xlsx,
  text: 'text/plain; charset=utf-8',
  png: 'image/png',
};
export const EXPORT_MEDIA = Object.values(CONTENT).map((type) => type.split(';')[0] ?? type);

const ENDING: Readonly<Record<ExportType, string>> = { csv: 'csv', xlsx: 'xlsx', text: 'txt', png: 'png' };

/** A file's type, and whether its header rows have titles in the current language. */
export interface ExportedAs {
  type: ExportType;
  titled: boolean;
}

export interface Exported {
  loaded: Loaded;
  scored: Scored;
  /** The title above it; by default the kingdoms and days. */
  name: string | null;
  /** The columns that visitors may see; null in the owner's own file, which has all columns. */
  columns: readonly string[] | null;
}

/** Returns a comparison as a file. */
export async function exportCompared(studio: Studio, exported: Exported, as: ExportedAs): Promise<Response> {
  const { type } = as;
  const { ranges, slot } = exported.loaded;
  const { start, end } = spanOf(ranges);
  const body = await inSlot(slot, async () => bodyOf(studio, exported, as));
  const answer = new Response(body, {
    headers: {
      'content-type': CONTENT[type],
      'content-disposition': attachment(exported.name ?? `compare_${dayOf(start)}_${dayOf(end)}`, ENDING[type]),
      'cache-control': 'private, no-store',
    },
  });
  return untilSent(answer, slot);
}

function bodyOf(studio: Studio, exported: Exported, { type, titled }: ExportedAs): Promise<BodyInit> | BodyInit {
  if (type === 'text') return mailText(exported, topTable(exported));
  if (type === 'png') return drawCard(studio, cardOf(exported, topTable(exported)));
  return streamOf(fileChunks(type, sheetsOf(exported), summarised(exported), titled));
}

const TOP_COLUMNS = ['name', 'alliance_tag', 'dkp'];

/** The rows and columns of lists and pictures of the best. A shared report has only those that its page shows. */
function topTable({ scored, columns }: Exported): Table {
  if (columns && !columns.includes('dkp'))
    throw new Refusal('conflict', 'This report does not show scores, so there is no list and no picture of them.');
  return reportTable(scored, ['rank', ...TOP_COLUMNS.filter((key) => columns?.includes(key) ?? true)]).table;
}

function spanOf(ranges: readonly MadeRange[]): { start: number; end: number } {
  const moments = ranges.flatMap(({ from, to }) => [...from, ...to]).map(({ captured_at }) => captured_at);
  return { start: Math.min(...moments), end: Math.max(...moments) };
}

/** 'Kingdom 4001, 5 January to 19 January 2026', in the current language. */
function headingOf({ loaded, scored, name }: Exported): string {
  const { start, end } = spanOf(loaded.ranges);
  const { kingdoms } = scored;
  const { kingdom } = GAMES[loaded.game];
  const [only] = kingdoms;
  const heading = t('{kingdoms}, {from} to {until}', {
    kingdoms:
      kingdoms.length === 1 && only !== undefined
        ? kingdomTitle(loaded.game, only)
        : counted(kingdoms.length, kingdom.one, kingdom.many),
    from: date(dayOf(start)),
    until: date(dayOf(end)),
  });
  return name === null ? heading : `${name}: ${heading}`;
}

// --- xlsx -----------------------------------------------------------------------------------------------------------

/** Sheets of governors, kingdoms, and governors who joined and left. A shared report has only what its page shows. */
function sheetsOf({ loaded, scored, columns: chosen }: Exported): [FilledSheet, ...FilledSheet[]] {
  const { governor, kingdom } = GAMES[loaded.game];
  const passed: ('joined' | 'gone')[] = chosen === null ? ['joined', 'gone'] : [];
  return [
    sheetOf(words(capital(governor.many)), reportTable(scored, chosen ?? allColumns(scored))),
    sheetOf(words(capital(kingdom.many)), kingdomTable(scored, chosen === null ? scored.gained : [])),
    ...passed.map((who) => sheetOf(words(FILE_TITLES[who]), peopleTable(scored, who))),
  ];
}

function peopleTable({ compared }: Scored, who: 'joined' | 'gone'): FileTable {
  const { game } = compared;
  const { governor, kingdom } = GAMES[game];
  const rows = listed(compared, who);
  return {
    columns: [
      { ...whole('id', `${capital(governor.one)} ID`), ident: true },
      text('name', FILE_TITLES.name),
      text('alliance_tag', FILE_TITLES.alliance),
      text('kingdom', capital(kingdom.one)),
      whole('power', FILE_TITLES.power),
    ],
    table: {
      game,
      count: rows.length,
      numbers: {
        id: Float64Array.from(rows, ({ id }) => id),
        power: Float64Array.from(rows, ({ power }) => power ?? Number.NaN),
      },
      texts: {
        name: rows.map(({ name }) => name),
        alliance_tag: rows.map(({ alliance_tag }) => alliance_tag),
        kingdom: rows.map(({ kingdom: home }) => home),
      },
    },
  };
}

function kingdomTable(scored: Scored, gained: readonly string[]): FileTable {
  const { game } = scored.compared;
  const { kingdoms } = scored;
  const sums = groupSums(scored, gained);
  const numbers: Table['numbers'] = {};
  const column = (key: string, title: string, value: (index: number) => number | null | undefined): Column => {
    numbers[key] = Float64Array.from(kingdoms.keys(), (index) => value(index) ?? Number.NaN);
    const decimal = numbers[key].some((figure) => !Number.isNaN(figure) && !Number.isInteger(figure));
    return { ...whole(key, title), type: decimal ? 'decimal' : 'integer' };
  };
  const columns = [
    text('kingdom', capital(GAMES[game].kingdom.one)),
    column('dkp', FILE_TITLES.dkp, (index) => sums[index]?.dkp),
    column('dkp_raw', FILE_TITLES.dkp_raw, (index) => sums[index]?.dkp_raw),
    column('left_out', FILE_TITLES.left_out, (index) => sums[index]?.left_out),
    column('common', FILE_TITLES.common, (index) => sums[index]?.common),
    column('joined', FILE_TITLES.joined, (index) => sums[index]?.joined),
    column('gone', FILE_TITLES.gone, (index) => sums[index]?.gone),
    ...gained.map((key) =>
      column(`gain:${key}`, `${columnTitle(game, key)} Gained`, (index) => sums[index]?.gains[key]),
    ),
  ];
  return { columns, table: { game, count: kingdoms.length, numbers, texts: { kingdom: [...kingdoms] } } };
}

function summarised(exported: Exported): Summary {
  const { loaded, scored } = exported;
  const { start, end } = spanOf(loaded.ranges);
  const all = sumOfAll(scored);
  const scans = loaded.ranges.flatMap(({ from, to }) => [...from, ...to]);
  return summaryOf({
    figures: [
      [t('Comparison'), headingOf(exported)],
      [t('From'), new Date(start)],
      [t('To'), new Date(end)],
      ...Object.entries(scored.scoring.weights).map(
        ([key, points]) =>
          [t('Points for {figure}', { figure: words(columnTitle(loaded.game, key)) }), points] as [string, number],
      ),
      [words(FILE_TITLES.dkp), all.dkp ?? '?'],
      [words(FILE_TITLES.dkp_raw), all.dkp_raw ?? '?'],
      [words(FILE_TITLES.left_out), all.left_out],
      ...peopleFigures(scored.compared),
    ],
    quality: {},
    nouns: nounsOf(loaded.game),
    kingdoms: scans.map(({ kingdom_id, captured_at, rows, source }) => ({ kingdom_id, captured_at, rows, source })),
  });
}

// --- Text and picture -----------------------------------------------------------------------------------------------

/** Writes the highest scores as lines for an in-game mail, as many as fit. */
function mailText(exported: Exported, table: Table): string {
  const lines = [oneLine(headingOf(exported)), 'DKP'];
  let length = lines.join('\n').length;
  for (const { rank, name, value } of topRows(table, table.count)) {
    const line = `${rank}. ${nameInLine(name)} ${compact(value)}`;
    if (length + line.length + 1 > MAIL_LIMIT) break;
    lines.push(line);
    length += line.length + 1;
  }
  return `${lines.join('\n')}\n`;
}

/** Returns the first governors who have a rank. Others are excluded or have an unknown score. */
function topRows(table: Table, most: number): { rank: number; name: string; tag: string | null; value: number }[] {
  const rows = [];
  for (let row = 0; row < table.count && rows.length < most; row++) {
    const [rank, value] = [table.numbers.rank?.[row], table.numbers.dkp?.[row]];
    if (rank === undefined || value === undefined || Number.isNaN(rank)) continue;
    rows.push({ rank, value, name: table.texts.name?.[row] ?? '', tag: table.texts.alliance_tag?.[row] ?? null });
  }
  return rows;
}

/** Draws the picture that a shared report's link shows. */
export async function previewCard(studio: Studio, exported: Exported): Promise<ArrayBuffer> {
  try {
    return await drawCard(studio, cardOf(exported, topTable(exported), CARD_ROWS));
  } finally {
    exported.loaded.slot.release();
  }
}

/** Draws the picture of the top ten for chats. */
function cardOf(exported: Exported, table: Table, most = MOST_CARD_ROWS): Card {
  const top = topRows(table, most);
  if (top.length === 0) throw new Refusal('conflict', 'Nobody has a score here, so there is no picture.');
  return {
    title: exported.name ?? 'DKP',
    line: lineOf(headingOf({ ...exported, name: null }), exported.name !== null && 'DKP'),
    rows: top.map(({ rank, name, tag, value }) => ({
      rank,
      name,
      otherwise: '?',
      about: tag ? `[${tag}]` : '',
      value,
    })),
  };
}
