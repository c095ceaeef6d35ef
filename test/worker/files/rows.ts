import { GAMES, type GameId } from '../../../domain/games/games.ts';
import type { DownloadType } from '../../../domain/scans/results.ts';
import { emptyTable, type Row, type Table, tableOf } from '../../../domain/scans/rows.ts';
import { exportStream } from '../../../worker/files/export.ts';
import { openSnapshot, type SnapshotMeta, writeSnapshot } from '../../../worker/files/parquet.ts';
import type { ExportOptions } from '../../../worker/files/sorted.ts';

/** Made-up rows and what the tests of files do with them. */

export const MOMENT = Date.UTC(2026, 10, 21, 6, 30);

export const metaFor = (table: Table, kingdom_id = 3584): SnapshotMeta => ({
  game: table.game,
  kind: table.kind ?? 'scan',
  kingdom_id,
  captured_at: MOMENT,
  source: 'made up',
  quality: { ok: table.count },
});

/** Names that break writers: formulas, quotes, line ends, other scripts, marks, escapes that look like escapes. */
export const HOSTILE = [
  '=HYPERLINK("http://example.com","x")',
  '+1',
  '-1+1',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  'a "quoted", name',
  'two\r\nlines\nand\ta tab',
  ' spaces at both ends ',
  '\u202eright to left\u202c مرحبا',
  '👑🇹🇷 König 김치 ᴹᵁˢᵀᴱᴿ',
  '_x000D_ _x0041_x0042_ _x005F_',
  '<b>&amp;</b> ]]>',
  '\u0000\u0001\u001f\u007f\u0085\ufffe\uffff',
  '\ufeffmark',
  'null',
  '0',
  '007',
  '1e5',
  '2026-11-21',
  'TRUE',
  "'already",
  'n'.repeat(200),
  '王'.repeat(200),
];

const LARGEST = Number.MAX_SAFE_INTEGER;

/** A row for each hostile name, one with the largest numbers, one without a profile, one without anything. */
export function hostileTable(): Table {
  const rows: Row[] = HOSTILE.map((name, index) => ({
    governor_id: index + 1,
    alliance_tag: name.slice(0, 4),
    home_kingdom: 3584,
    name,
    power: LARGEST - index,
    killpoints: index,
    deads: 2 ** 31 + index,
    killcount_t1: 2 ** 32 - 1 + index,
    highest_power: LARGEST,
    ark_kills_per_battle: index + 0.125,
  }));
  rows.push({ governor_id: LARGEST, name: 'largest', power: LARGEST, killpoints: LARGEST, highest_power: LARGEST });
  rows.push({ governor_id: 98, name: 'only listed', power: 5, killpoints: 7, deads: 8, killcount_t5: 9 });
  rows.push({ governor_id: 99, name: null });
  return tableOf('rok', rows);
}

/** Rows of believable figures, the same each time; every seventh without a profile. */
export function plainTable(game: GameId, count: number, salt = 0): Table {
  const table = emptyTable(game, count);
  const { roles } = GAMES[game];
  const put = (key: string, row: number, value: number) => {
    (table.numbers[key] as Float64Array)[row] = value;
  };
  for (let row = 0; row < count; row++) {
    put(roles.id, row, 10_000_000 + salt + row * 97);
    put(roles.kingdom, row, 3584 + salt);
    put(roles.power, row, Math.floor(200_000_000 / (1 + row / 500)));
    (table.texts[roles.name] as string[])[row] = `Governor ${salt + row}`;
    (table.texts[roles.tag] as string[])[row] = `T${row % 37}`;
    if (row % 7 === 6) continue;
    put(roles.highestPower, row, Math.floor(220_000_000 / (1 + row / 500)));
    put(roles.score, row, (row * 7919) % 1_000_003);
    put(roles.deads, row, (row * 104_729) % 10_007);
    roles.tiers.forEach((key, tier) => {
      put(key, row, (row * (tier + 3)) % 4_999);
    });
  }
  return table;
}

/** The bytes of an export of these tables, each a part of its own. */
export async function exported(type: DownloadType, tables: readonly Table[], options?: ExportOptions) {
  const parts = tables.map((table, index) => {
    const bytes = writeSnapshot(table, metaFor(table, 3584 + index));
    return { open: () => openSnapshot(bytes) };
  });
  return new Uint8Array(await new Response(await exportStream(type, parts, options)).arrayBuffer());
}

export const textOf = (bytes: Uint8Array): string =>
  new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
