import { createHash } from 'node:crypto';
import type * as z from 'zod';
import { minuteText } from '../../../domain/days.ts';
import { say, sentence, t } from '../../../domain/language/text.ts';
import type { importPreview } from '../../../domain/library/answers.ts';
import type { ImportChoice } from '../../../domain/library/contract.ts';
import { isFuture } from '../../../domain/moments.ts';
import { release, releaseTable } from '../../../domain/release.ts';
import type { Mapping } from '../../../domain/scans/dialect.ts';
import type { FileScan, Problem } from '../../../domain/scans/file-scan.ts';
import { addCounts, countQualities, type Quality, verdictsOf } from '../../../domain/scans/quality.ts';
import { emptyUnread } from '../../../domain/scans/read.ts';
import { cellOf, presentColumns, type Row } from '../../../domain/scans/rows.ts';
import { twinsIn } from '../../../domain/scans/twins.ts';
import { ScanFileRefused } from '../../../scan-files/limits.ts';
import { type FileReading, readScanFile } from '../../../scan-files/read.ts';
import { nextTurn } from '../../../scan-files/work.ts';
import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { Refusal, refusalOfFile, refusedFor } from '../../errors.ts';
import { type Body, dropUpload, keepArrived, uploadOf } from '../../gateways/own-files.ts';
import { withMemory } from '../../isolate/memory.ts';
import {
  beginImport,
  type Import,
  isStillThere,
  mappingFor,
  nextFileAt,
  refuseImport,
} from '../../models/library/imports.ts';
import { scansFrom } from '../../models/library/scans.ts';
import { whenArrived } from '../scans/read-in-turn.ts';
import { allowanceOf } from './limits.ts';

type Preview = z.infer<typeof importPreview>;

interface Upload {
  name: string;
  body: Body;
  kingdom: number | undefined;
  captured_at: number | undefined;
}

/**
 * Accepts an upload and returns its preview; nothing is saved yet. Refuses files that are not scans, exceed a limit or
 * lie in the future.
 */
export async function takeUpload(
  env: Env,
  db: Db,
  userId: string,
  { name, body, ...told }: Upload,
  now = Date.now(),
): Promise<Preview> {
  const said = { kingdom: told.kingdom ?? null, captured_at: told.captured_at ?? null };
  refuseFuture(said.captured_at, now);
  return whenArrived(env.STORE, userId, body, async (bytes, key) => {
    const file = await begin(env, db, { user_id: userId, name, said }, bytes, now);
    try {
      const preview = await previewOf(db, file, bytes, {}, now);
      const kept = await keepArrived(env.STORE, key, userId, file.id);
      if (kept && (await isStillThere(db, file))) return preview;
      // The account was deleted, and its folder emptied, before this file was stored.
      await dropUpload(env.STORE, userId, file.id);
      throw new Refusal('conflict', 'This account was deleted, so the file was not saved.');
    } catch (error) {
      if (error instanceof Refusal && error.code === 'invalid') await refuseImport(db, userId, file.id);
      throw error;
    }
  });
}

/** Counts a file among those that its user brought today. Throws a Refusal past the limit. */
async function begin(
  env: Env,
  db: Db,
  file: Pick<Import, 'user_id' | 'name' | 'said'>,
  bytes: Uint8Array,
  now: number,
): Promise<Import> {
  const { filesPerDay } = allowanceOf(env);
  const content_hash = createHash('sha256').update(bytes).digest('hex');
  const begun = await beginImport(db, { ...file, content_hash }, filesPerDay, now);
  if (begun) return begun;
  throw refusedFor(
    Math.ceil(((await nextFileAt(db, file.user_id, filesPerDay, now)) - now) / 1000),
    sentence('You have reached today’s limit of {count} files. Try again tomorrow.', { count: filesPerDay }),
  );
}

/** Returns the preview of an upload again, with the owner's choices. */
export async function previewAgain(env: Env, db: Db, file: Import, choice: ImportChoice): Promise<Preview> {
  const now = Date.now();
  const { captured_at: moments = null } = choice;
  for (const moment of typeof moments === 'object' ? Object.values(moments ?? {}) : [moments])
    refuseFuture(moment, now);
  return withMemory('uploadedFile', async () => previewOf(db, file, await fileOf(env.STORE, file), choice, now));
}

/** Returns the bytes of an upload. */
export async function fileOf(store: R2Bucket, { user_id, id, state }: Import): Promise<Uint8Array> {
  if (state === 'saved') throw new Refusal('conflict', 'This file is saved already: its scans are in your library.');
  const bytes = await uploadOf(store, user_id, id);
  if (!bytes) throw new Refusal('conflict', 'The file is no longer there. Please upload it again.');
  return bytes;
}

/** Refuses a time in the future. */
export function refuseFuture(captured_at: number | null, now: number): void {
  if (captured_at !== null && isFuture(captured_at, now))
    throw new Refusal(
      'invalid',
      sentence('{when} is in the future.', { when: minuteText(captured_at) }, 'captured_at'),
    );
}

/** Returns a hash of a file's headers, under which a mapping is saved. */
const hashOfHeaders = ({ game, mapping }: FileReading): string =>
  createHash('sha256')
    .update(JSON.stringify([game, ...mapping.map(({ header }) => header)]))
    .digest('hex');

export interface Chosen {
  reading: FileReading;
  headersHash: string;
  /** True if the mapping was saved earlier for these headers. */
  remembered: boolean;
}

/** Frees the tables of a file that was read. */
export function releaseReading({ scans }: FileReading): void {
  for (const { table } of scans) releaseTable(table);
}

/**
 * Reads a file with the mapping chosen now, otherwise with the one saved for these headers, and frees its bytes. Throws
 * a Refusal if it is not a scan.
 */
export async function readChosen(
  db: Db,
  file: Import,
  bytes: Uint8Array,
  { mapping, kingdom, captured_at }: ImportChoice,
): Promise<Chosen> {
  const options = {
    kingdom: kingdom ?? file.said.kingdom,
    captured_at: typeof captured_at === 'number' ? captured_at : file.said.captured_at,
  };
  const read = (by: Mapping | undefined) => readScanFile(file.name, bytes, { ...options, mapping: by });
  try {
    const first = await read(mapping);
    const headersHash = hashOfHeaders(first);
    refuseUndated(first);
    const kept = mapping ? null : await mappingFor(db, file.user_id, headersHash);
    if (!kept) return { reading: first, headersHash, remembered: false };
    releaseReading(first);
    return { reading: await read(kept), headersHash, remembered: true };
  } catch (error) {
    throw refusalOfFile(error);
  } finally {
    release([bytes.buffer]);
  }
}

/** Refuses sums without the days that they cover, which only the file's name tells. */
function refuseUndated({ range }: FileReading): void {
  if (range && !(range.from !== null && range.to !== null && range.from <= range.to))
    throw new ScanFileRefused(
      t('The file holds sums over days, and its name does not say which: name it like 99_2026-06-01_2026-06-14.xlsx.'),
    );
}

const FIRST_ROWS = 20;

async function previewOf(db: Db, file: Import, bytes: Uint8Array, choice: ImportChoice, now: number): Promise<Preview> {
  const chosen = await readChosen(db, file, bytes, choice);
  try {
    return await shown(db, file, chosen, choice, now);
  } finally {
    releaseReading(chosen.reading);
  }
}

async function shown(
  db: Db,
  file: Import,
  { reading: read, remembered }: Chosen,
  choice: ImportChoice,
  now: number,
): Promise<Preview> {
  const saved = await scansFrom(db, file.user_id, file.content_hash);
  const twins = twinsIn(read.game, read.scans, (scan) => scanMoment(read, scan, choice.captured_at));
  const twinStages = (twins?.scans ?? []).flatMap(({ stage }) => stage ?? []);
  // Sheets cannot be given times of their own, unlike stages.
  if (twins && twinStages.length === 0) throw new Refusal('invalid', twins.sentence);
  const odd: Problem[] = twins
    ? [{ line: null, sheet: twins.scans[1].sheet, column: null, reason: say(twins.sentence), dropped: false }]
    : [];
  const quality: Partial<Record<Quality, number>> = {};
  const scans: Preview['scans'] = [];
  for (const scan of read.scans) {
    // The verdicts on 100,000 rows take some 50 ms.
    await nextTurn();
    const captured_at = scanMoment(read, scan, choice.captured_at);
    if (captured_at !== null && isFuture(captured_at, now)) odd.push(inFuture(scan, captured_at));
    const counts = countQualities(verdictsOf(emptyUnread(scan.table)));
    addCounts(quality, counts);
    const { kingdom_id, stage, table } = scan;
    const same = saved.find((one) => one.kingdom_id === kingdom_id && one.captured_at === captured_at);
    scans.push({
      kingdom_id,
      captured_at: captured_at !== null && isFuture(captured_at, now) ? null : captured_at,
      stage,
      rows: table.count,
      quality: counts,
      scan_id: same?.id ?? null,
    });
  }
  const undated = scans.filter(({ captured_at }) => captured_at === null);
  return {
    import_id: file.id,
    name: file.name,
    dialect: read.dialect,
    game: read.game,
    range: read.range,
    utf8: read.utf8,
    scans,
    mapping: Object.fromEntries(read.mapping.map(({ header, column }) => [header, column])),
    headers: read.mapping,
    unknown_headers: read.unknown_headers,
    remembered,
    lines: read.lines,
    problems: [...odd, ...read.problems],
    problem_count: read.problem_count + odd.length,
    quality,
    first_rows: firstRows(read.scans[0]),
    asks: {
      kingdom: scans.some(({ kingdom_id }) => kingdom_id === null),
      captured_at: undated.some(({ stage }) => stage === null),
      stages: [...new Set([...undated.flatMap(({ stage }) => stage ?? []), ...twinStages])],
    },
    saved: saved.map(({ id }) => id),
    expires_at: file.expires_at,
  };
}

/** Returns the time of a scan in a file: for sums, the last of their days; for a stage, the owner's choice. */
export function scanMoment(
  { range }: FileReading,
  { stage, captured_at }: FileScan,
  chosen: ImportChoice['captured_at'],
): number | null {
  if (range) return range.to;
  if (stage === null) return captured_at;
  // A stage's name may equal a property that every object inherits.
  const named = typeof chosen === 'object' && chosen !== null && Object.hasOwn(chosen, stage) ? chosen[stage] : null;
  return named ?? captured_at;
}

const inFuture = ({ sheet }: FileScan, at: number): Problem => ({
  line: null,
  sheet,
  column: null,
  reason: t('The file says that it was made at {when}, which is in the future. Enter when it was made.', {
    when: minuteText(at),
  }),
  dropped: false,
});

function firstRows(scan: FileScan | undefined): Row[] {
  if (!scan) return [];
  const columns = presentColumns(scan.table);
  const first = [...scan.lines.keys()]
    .sort((a, b) => (scan.lines[a] as number) - (scan.lines[b] as number))
    .slice(0, FIRST_ROWS);
  return first.map((row) => Object.fromEntries(columns.map((column) => [column.key, cellOf(scan.table, column, row)])));
}
