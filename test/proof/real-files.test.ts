import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import exceljs from 'exceljs';
import { parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, ended, newUser, order, waitFor } from '../support/client.ts';
import { type Service, startService } from '../support/service.ts';

/** A folder of real exports of other tools, with their folders. They are not part of this repository. */
const REAL_SCANS = process.env.REAL_SCANS;

type Value = string | number | null;
type Wanted = Map<string, Record<string, Value>>;
type Game = 'rok' | 'cod';

// --- What the files say, read with none of the product's own code ----------------------------------------------------

const TIERS = [1, 2, 3, 4, 5].map((tier) => [`T${tier} Kills`, `killcount_t${tier}`]);

/** The columns of each tool's files by header, with their keys in results. */
const HERO_SCROLLS: Record<string, string> = Object.fromEntries([
  ...TIERS,
  ...Object.entries({
    'Governor ID': 'governor_id',
    'Governor Name': 'name',
    Kingdom: 'home_kingdom',
    Power: 'power',
    'Domain ID': 'domain',
    'Alliance Tag': 'alliance_tag',
    Deads: 'deads',
    'Kill Points': 'killpoints',
    Acclaim: 'acclaim',
    'Helps Given': 'helps_given',
    'Resources Gathered': 'rss_gathered',
    'Resources Given': 'rss_given',
    'Troop Power': 'troop_power',
    'Tech Power': 'tech_power',
    'Building Power': 'building_power',
    'Commander Power': 'commander_power',
    'Town Hall': 'town_center',
    'Autarch Count': 'autarch_count',
    'Lost Kingdom Count': 'lost_kingdom_count',
    'LK Most Killed': 'lost_kingdom_most_killed',
    'LK Most Lost': 'lost_kingdom_most_lost',
    'LK Most Healed': 'lost_kingdom_most_healed',
    'Current League': 'olympia_current_league',
    'Highest League': 'olympia_highest_league',
    'Olympia Battles': 'olympia_battle_count',
    'Olympia Wins': 'olympia_wins',
    'Olympia Likes': 'olympia_likes',
    'Ark Battles': 'ark_battles_count',
    'Ark Wins': 'ark_wins',
    'Ark Kills/Battle': 'ark_kills_per_battle',
    'Ark Sevs/Battle': 'ark_sevs_per_battle',
    'Ark Healed/Battle': 'ark_healed_per_battle',
    'Ark Osiris Count': 'ark_osiris_count',
    'Ark Championship Count': 'ark_championship_count',
    'UTC Offset': 'utc_offset',
  }),
]);
const ROK_TRACKER: Record<string, string> = {
  'Governor ID': 'governor_id',
  'Governor Name': 'name',
  Power: 'power',
  'Kill Points': 'killpoints',
  Deaths: 'deads',
  ...Object.fromEntries([1, 2, 3, 4, 5].map((tier) => [`T${tier}`, `killcount_t${tier}`])),
  'Ranged Points': 'ranged_points',
  'RSS Gathered': 'rss_gathered',
  'RSS Assistance': 'rss_given',
  Helps: 'helps_given',
};
const TITLED: Record<string, string> = {
  'Lord ID': 'lord_id',
  Name: 'name',
  Division: 'home_server',
  'Alliance Tag': 'alliance_tag',
  'Current Power': 'power',
  Power: 'highest_power',
  Merits: 'merits',
  'City Level': 'town_center',
  Faction: 'faction',
  'Ore Spent': 'stone_spent',
  ...Object.fromEntries([1, 2, 3, 4, 5].map((tier) => [`T${tier} Kill Count`, `killcount_t${tier}`])),
};
const TEXTS = new Set([
  ...['name', 'alliance_tag', 'alliance_name', 'faction'],
  ...['olympia_current_league', 'olympia_highest_league', 'utc_offset'],
]);

/** The key of a header in results; CoD's own keys are those of the results. */
function keyOf(header: string, headers: readonly string[]): string | undefined {
  if (headers.includes('lord_id')) return header;
  if (headers.includes('Lord ID')) return TITLED[header] ?? header.toLowerCase().replaceAll(' ', '_');
  return (headers.includes('Deaths') ? ROK_TRACKER : HERO_SCROLLS)[header];
}

function cellValue(key: string, cell: unknown): Value {
  const text = cell === null || cell === undefined ? '' : String(cell);
  if (TEXTS.has(key)) {
    if (key === 'name') return text;
    return text.trim() === '' || text.trim() === '-' ? null : text.trim();
  }
  if (text === '' || text === '-') return null;
  if (/^true$/i.test(text)) return 1;
  if (/^false$/i.test(text)) return 0;
  return Number(text.replaceAll(',', ''));
}

async function recordsOf(file: string): Promise<Record<string, unknown>[]> {
  if (extname(file) === '.csv') {
    const bytes = readFileSync(file);
    const utf8 = !file.includes('cp1252');
    return parse(utf8 ? bytes : new TextDecoder('windows-1252').decode(bytes), {
      columns: true,
      bom: true,
      relax_column_count: true,
      relax_quotes: true,
    });
  }
  const book = new exceljs.Workbook();
  await book.xlsx.readFile(file);
  const sheet = book.worksheets.find(({ name }) => /^\d{1,5}$|^20\d\d-/.test(name));
  if (!sheet) throw new Error(`${file} has no sheet of a scan`);
  const headers = Array.from(sheet.getRow(1).values as unknown[], String);
  const records: Record<string, unknown>[] = [];
  sheet.eachRow((row, number) => {
    if (number === 1) return;
    const cells = headers.flatMap((header, at) => (at === 0 ? [] : [[header, row.getCell(at).value] as const]));
    records.push(Object.fromEntries(cells));
  });
  return records;
}

/** The rows of a file by governor and kingdom; of a repeated id, the first one. */
async function wantedOf(file: string): Promise<{ game: Game; kingdoms: number[]; rows: Wanted }> {
  const records = await recordsOf(file);
  const headers = Object.keys(records[0] ?? {});
  const game = headers.some((header) => /^lord.id$/i.test(header)) ? 'cod' : 'rok';
  const [id, home] = game === 'rok' ? ['governor_id', 'home_kingdom'] : ['lord_id', 'home_server'];
  const named = Number(/(?:^|_)(\d{4})_/.exec(file.split('/').at(-1) ?? '')?.[1]);
  const rows: Wanted = new Map();
  const kingdoms = new Set<number>();
  for (const record of records) {
    const row: Record<string, Value> = {};
    for (const header of headers) {
      const key = keyOf(header, headers);
      if (key) row[key] = cellValue(key, record[header]);
    }
    if (typeof record.Alliance === 'string') {
      const [, tag = null, name = null] = /^\s*\[([^\]]*)\](.*)$/su.exec(record.Alliance) ?? [];
      row.alliance_tag = tag?.trim() || null;
      row.alliance_name = name?.trim() || null;
    }
    row[home as string] ??= named;
    // Call of Dragons exports 0 as a dash in these columns, unless the row's kills by tier were not read either.
    const isRead = [1, 2, 3, 4, 5].some((tier) => typeof row[`killcount_t${tier}`] === 'number');
    for (const key of game === 'cod' && isRead ? ['merits', 'units_killed'] : [])
      if (row[key] === null && Object.values(record).includes('-')) row[key] = 0;
    const who = `${row[id as string]} ${row[home as string]}`;
    // A line without power is no row, and a kingdom without a number cannot be ordered.
    if (row.power === null || !row[home as string] || rows.has(who)) continue;
    kingdoms.add(Number(row[home as string]));
    rows.set(who, row);
  }
  return { game, kingdoms: [...kingdoms], rows };
}

// --- What the service gives back -------------------------------------------------------------------------------------

const bytesOf = async (client: Client, orderId: number, type: string): Promise<Uint8Array> => {
  const path = `/v1/order/${orderId}/download?type=${type}&all=true`;
  const answer = await client.send('GET', path, undefined, { accept: '*/*' });
  expect(answer.status).toBe(200);
  return new Uint8Array(await answer.arrayBuffer());
};

type Rows = Record<string, unknown>[];

/** exceljs leaves Excel's escapes in inline strings as they are; Excel resolves them. */
const resolved = (value: unknown): unknown =>
  typeof value === 'string'
    ? value.replace(/_x([0-9A-F]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : value;

async function sheetOf(bytes: Uint8Array, keys: readonly string[]): Promise<Rows> {
  const book = new exceljs.Workbook();
  await book.xlsx.load(bytes.slice().buffer as never);
  const sheet = book.worksheets[0] as exceljs.Worksheet;
  const rows: Rows = [];
  sheet.eachRow((row, number) => {
    if (number > 1)
      rows.push(Object.fromEntries(keys.map((key, at) => [key, resolved(row.getCell(at + 1).value ?? null)])));
  });
  return rows;
}

/** The rows of an order in every format, each read with a library independent of the writer. */
async function delivered(client: Client, orderId: number): Promise<Record<string, Rows>> {
  const json = JSON.parse(Buffer.from(await bytesOf(client, orderId, 'json')).toString()) as { data: { rows: Rows } };
  const csv = parse(Buffer.from(await bytesOf(client, orderId, 'csv')), { columns: true }) as Rows;
  const keys = Object.keys(csv[0] ?? {});
  const parquet = await bytesOf(client, orderId, 'parquet');
  return {
    json: json.data.rows,
    csv,
    xlsx: await sheetOf(await bytesOf(client, orderId, 'xlsx'), keys),
    parquet: (await parquetReadObjects({
      file: parquet.slice().buffer as ArrayBuffer,
      compressors: Object.fromEntries([['GZIP', (input: Uint8Array) => gunzipSync(input)]]),
    })) as Rows,
  };
}

/** A delivered cell as text, alike for formats with and without types. */
const plain = (value: unknown): string =>
  value === null || value === undefined ? '' : typeof value === 'bigint' ? value.toString() : String(value);

/** Returns how many cells were compared, and the first ones that differ from the file. */
function differences(rows: Rows, wanted: Wanted, game: Game): { compared: number; wrong: string[] } {
  const [id, home] = game === 'rok' ? ['governor_id', 'home_kingdom'] : ['lord_id', 'home_server'];
  const wrong: string[] = [];
  let compared = 0;
  expect(rows.length).toBe(wanted.size);
  for (const row of rows) {
    const file = wanted.get(`${plain(row[id as string])} ${plain(row[home as string])}`);
    if (!file) {
      wrong.push(`a row that the file does not have: ${plain(row[id as string])}`);
      continue;
    }
    // A cell that the file lacks stays empty.
    for (const key of new Set([...Object.keys(file), ...Object.keys(row)])) {
      if (key === 'quality' || key === 'doubted') continue;
      compared++;
      const [has, says] = [plain(row[key]), plain(file[key] ?? null)];
      if (has !== says) wrong.push(`${plain(row[id as string])} ${key}: '${has}' where the file says '${says}'`);
    }
  }
  return { compared, wrong: wrong.slice(0, 10) };
}

const files = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(csv|xlsx)$/.test(path))
    .sort();

interface RealFile {
  path: string;
  game: Game;
  kingdoms: number[];
  rows: Wanted;
}

/** Groups files that fit into one folder: no two of one kingdom, because its newest file wins there. */
function roundsOf(all: readonly RealFile[]): RealFile[][] {
  const rounds: { files: RealFile[]; taken: Set<string> }[] = [];
  for (const file of all) {
    const names = file.kingdoms.map((kingdom) => `${file.game} ${kingdom}`);
    const round = rounds.find(({ taken }) => !names.some((name) => taken.has(name)));
    if (round) {
      round.files.push(file);
      for (const name of names) round.taken.add(name);
    } else rounds.push({ files: [file], taken: new Set(names) });
  }
  return rounds.map(({ files: together }) => together);
}

const ROOT = REAL_SCANS ?? '';
const ROUNDS = roundsOf(
  ROOT === ''
    ? []
    : await Promise.all(files(ROOT).map(async (path) => ({ path, ...(await wantedOf(join(ROOT, path))) }))),
);

describe.skipIf(!REAL_SCANS)('every real file, ordered and delivered (set REAL_SCANS to run)', () => {
  let folder: string;
  let service: Service;
  let client: Client;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'real-files-'));
    service = await startService({ SCANS_DIR: folder, READY_PRODUCTS: 'rok-kingdom-scan,cod-server-scan' });
    ({ client } = await newUser(service.address, 5000));
  }, 120_000);

  afterAll(async () => {
    await service?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  describe.each(ROUNDS.map((together, index) => ({ round: index + 1, together })))('round $round', ({ together }) => {
    beforeAll(async () => {
      for (const old of readdirSync(folder)) rmSync(join(folder, old));
      for (const { path } of together) copyFileSync(join(ROOT, path), join(folder, path.split('/').at(-1) ?? path));
      // The bots look again after five seconds.
      await sleep(6000);
    });

    test.each(together)(
      '$path comes back cell by cell as csv, xlsx, json and Parquet',
      async ({ game, kingdoms, rows }) => {
        const orderId = await order(client, game, kingdoms, 1000);
        const done = await waitFor(client, orderId, ended);
        expect(done.items.map(({ state, error }) => [state, error])).toEqual(kingdoms.map(() => ['done', null]));
        for (const [format, delivery] of Object.entries(await delivered(client, orderId))) {
          const { compared, wrong } = differences(delivery, rows, game);
          expect([format, wrong]).toEqual([format, []]);
          expect(compared).toBeGreaterThan(rows.size * 8);
        }
      },
      180_000,
    );
  });
});
