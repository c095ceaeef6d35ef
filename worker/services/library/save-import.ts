import { message, sentence } from '../../../domain/language/text.ts';
import type { ImportChoice } from '../../../domain/library/contract.ts';
import { release, releaseTable } from '../../../domain/release.ts';
import type { FileScan } from '../../../domain/scans/file-scan.ts';
import { tellingColumns } from '../../../domain/scans/quality.ts';
import { twinsIn } from '../../../domain/scans/twins.ts';
import type { FileReading } from '../../../scan-files/read.ts';
import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { Refusal } from '../../errors.ts';
import { writeSnapshot } from '../../files/parquet.ts';
import {
  dropOwnFiles,
  dropOwnScans,
  dropUnnamed,
  dropUnsaved,
  dropUpload,
  ownScanKey,
} from '../../gateways/own-files.ts';
import { putSnapshot } from '../../gateways/snapshot-store.ts';
import { withMemory } from '../../isolate/memory.ts';
import {
  dropImport,
  type ExpiredImport,
  expiredImports,
  type Import,
  importOf,
  UNSAVED,
} from '../../models/library/imports.ts';
import { type ExpiredScan, expiredScans, OUTLIVED, removeScan } from '../../models/library/removal.ts';
import { addScans, keysOf, type OwnScan, ownScansBefore } from '../../models/library/scans.ts';
import { duePlans, LEFT_FILES } from '../../models/service/job-failures.ts';
import { judge, readToCompare } from '../scans/judge-snapshot.ts';
import { oneByOne } from '../service/one-by-one.ts';
import { allowanceOf, expiryOf } from './limits.ts';
import { type Chosen, fileOf, readChosen, refuseFuture, releaseReading, scanMoment } from './preview-import.ts';

/** A scan of a file with its kingdom and time. */
interface Placed {
  scan: FileScan;
  kingdom_id: number;
  captured_at: number;
}

/**
 * Saves a file as own scans, all or none, and returns their ids. Idempotent. Refuses if a kingdom or time is still
 * missing.
 */
export async function saveImport(
  env: Env,
  db: Db,
  file: Import,
  choice: ImportChoice,
  now = Date.now(),
): Promise<string[]> {
  // The file's tables stay in memory until its last scan is written.
  return withMemory('uploadedFile', async () => {
    // Another call may have saved it while this one waited.
    const saved = (await importOf(db, file.user_id, file.id, now)) ?? file;
    return saved.state === 'saved' ? saved.scan_ids : saveScans(env, db, file, choice, now);
  });
}

async function saveScans(env: Env, db: Db, file: Import, choice: ImportChoice, now: number): Promise<string[]> {
  const { reading, headersHash } = await readChosen(db, file, await fileOf(env.STORE, file), choice);
  try {
    return await saveRead(env, db, file, { reading, headersHash }, choice, now);
  } finally {
    releaseReading(reading);
  }
}

async function saveRead(
  env: Env,
  db: Db,
  file: Import,
  { reading, headersHash }: Pick<Chosen, 'reading' | 'headersHash'>,
  choice: ImportChoice,
  now: number,
): Promise<string[]> {
  const placed = placedScans(reading, choice, now);
  // Sums over days are not compared, because they may fall from file to file.
  const { game, range } = reading;
  const compared = range
    ? []
    : await ownScansBefore(
        db,
        file.user_id,
        placed.map((one) => ({ ...one, game })),
      );
  const scans: OwnScan[] = [];
  // In sequence, because each is a table in addition to the file's.
  for (const [index, one] of placed.entries()) {
    scans.push(await write(env, file, reading, one, compared[index] ?? null));
  }
  const remember = choice.mapping ? { headersHash, mapping: choice.mapping } : null;
  const { rows } = allowanceOf(env);
  const saved = { file, scans, remember, expires_at: expiryOf(env, now), rowsKept: rows };
  const kept = (await addScans(db, saved, now)) ?? (await savedMeanwhile(db, file));
  // The same content was saved before, or there is no room. These files belong to no scan.
  const unused = scans.filter(({ key }) => !kept?.some((one) => one.key === key));
  await dropUnnamed(
    env.STORE,
    unused.map(({ key }) => key),
  );
  if (!kept)
    throw new Refusal(
      'too_large',
      sentence('An account can keep {rows} rows of own scans. Delete some scans before you save this file.', { rows }),
    );
  await dropUpload(env.STORE, file.user_id, file.id);
  return kept.map(({ id }) => id);
}

/** Returns the scans saved by a concurrent call, or null if the file is still waiting. */
async function savedMeanwhile(db: Db, { user_id, id }: Import) {
  const file = await importOf(db, user_id, id);
  return file?.state === 'saved' ? keysOf(db, user_id, file.scan_ids) : null;
}

/** Returns the scans of a file with kingdom and time. Throws a Refusal if one lacks either. */
function placedScans(reading: FileReading, choice: ImportChoice, now: number): Placed[] {
  if (reading.scans.length === 0) throw new Refusal('invalid', 'None of the lines in the file could be read.');
  const unnamed = reading.scans.find(({ kingdom_id }) => kingdom_id === null);
  if (unnamed) {
    const { game } = reading;
    throw new Refusal('invalid', {
      at: 'kingdom',
      ...(unnamed.sheet !== null && reading.scans.length > 1
        ? sentence("the sheet '{sheet}' does not say which {game, select, cod {server} other {kingdom}} it is from.", {
            sheet: unnamed.sheet,
            game,
          })
        : sentence('the file does not say which {game, select, cod {server} other {kingdom}} it is from.', { game })),
    });
  }
  const momentOfScan = (scan: FileScan) => scanMoment(reading, scan, choice.captured_at);
  const twins = twinsIn(reading.game, reading.scans, momentOfScan);
  if (twins) throw new Refusal('invalid', { ...twins.sentence, at: 'captured_at' });
  return reading.scans.map((scan) => {
    const captured_at = momentOfScan(scan);
    if (captured_at === null)
      throw new Refusal('invalid', {
        at: 'captured_at',
        ...(scan.stage === null
          ? { message: message('enter when the file was read.') }
          : sentence("enter when '{stage}' was read.", { stage: scan.stage })),
      });
    refuseFuture(captured_at, now);
    return { scan, captured_at, kingdom_id: scan.kingdom_id as number };
  });
}

async function write(
  env: Env,
  file: Import,
  { game, dialect, range }: FileReading,
  { scan, kingdom_id, captured_at }: Placed,
  compared: string | null,
): Promise<OwnScan> {
  const { table, stage } = scan;
  const { judged, quality } = judge(table, await readToCompare(env.STORE, compared, tellingColumns(game)));
  const source = file.name;
  const bytes = writeSnapshot(judged, { game, kingdom_id, captured_at, source, quality });
  const { byteLength } = bytes;
  const key = ownScanKey(file.user_id, file.id, { game, kingdom_id, captured_at }, bytes);
  await putSnapshot(env.STORE, key, bytes);
  releaseTable(table);
  release([bytes.buffer]);
  return {
    id: `own-${crypto.randomUUID()}`,
    game,
    kingdom_id,
    captured_at,
    range_from: range?.from ?? null,
    stage,
    key,
    source,
    dialect,
    rows: table.count,
    bytes: byteLength,
    quality,
  };
}

/** Maximum number of accounts per run; each takes a listing of R2 and some deletions. The next hour continues. */
const MOST_ACCOUNTS = 100;

/** Deletes unsaved uploads, expired scans and remaining files of deleted accounts. */
export async function tidyLibrary(env: Env, db: Db, now: number): Promise<void> {
  const subjectOf = ({ id }: { id: string }) => id;
  const imports = { job: UNSAVED, rows: await expiredImports(db, now), subjectOf };
  const clear = async ({ id, user_id, state }: ExpiredImport) => {
    await dropUpload(env.STORE, user_id, id);
    if (state !== 'saved') await dropUnsaved(env.STORE, user_id, id);
    await dropImport(db, id, now);
  };
  await oneByOne(db, imports, clear, now);
  const scans = { job: OUTLIVED, rows: await expiredScans(db, now), subjectOf };
  // The file first: a row without a file is retried, but a file without a row would never be found.
  const remove = async ({ id, user_id, key }: ExpiredScan) => {
    await dropOwnScans(env.STORE, [key]);
    await removeScan(db, user_id, id);
  };
  await oneByOne(db, scans, remove, now);
  const rows = await duePlans(db, LEFT_FILES, now, MOST_ACCOUNTS);
  const left = { job: LEFT_FILES, rows, subjectOf: (userId: string) => userId };
  await oneByOne(db, left, (userId) => dropOwnFiles(env.STORE, userId), now);
}
