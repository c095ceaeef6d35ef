import { createHash } from 'node:crypto';
import type * as z from 'zod';
import type { loadedSnapshot } from '../../../domain/events/answers.ts';
import { kingdomsIn } from '../../../domain/events/event.ts';
import { GAMES } from '../../../domain/games/games.ts';
import { type Sentence, say, sentence } from '../../../domain/language/text.ts';
import type { FileScan, Problem } from '../../../domain/scans/file-scan.ts';
import { type FileReading, readScanFile } from '../../../scan-files/read.ts';
import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { Refusal, refusalOfFile } from '../../errors.ts';
import type { Body } from '../../gateways/own-files.ts';
import { snapshotKey } from '../../gateways/snapshot-store.ts';
import {
  type DeeperPart,
  deeperParts,
  FILE_SOURCE,
  loadedBefore,
  type NewPart,
  putLoadedFile,
} from '../../models/events/event-snapshots.ts';
import type { Admin, Event } from '../../models/events/events.ts';
import { refuseFuture } from '../library/preview-import.ts';
import { publishSnapshot } from '../scans/publish-snapshot.ts';
import { whenArrived } from '../scans/read-in-turn.ts';
import { forgetEvent } from './find-event.ts';

type LoadedSnapshot = z.infer<typeof loadedSnapshot>;

/** An uploaded file. */
interface SnapshotFile {
  body: Body;
  name: string;
  /** Epoch milliseconds, if the caller names the time. */
  captured_at: number | undefined;
}

/** A scan of one of the event's kingdoms at the file's time. */
type KingdomScan = FileScan & { kingdom_id: number };

/**
 * Stores a file of scans as a snapshot of the event. Each kingdom's rows become a snapshot of their own, as with a
 * bought scan, and the event's snapshot refers to them. Uploading the same file again returns the first answer. A crash
 * leaves the event unchanged; the same file then completes the upload.
 */
export const loadSnapshot = (
  env: Env,
  db: Db,
  event: Event,
  file: SnapshotFile,
  admin: Admin,
  now = Date.now(),
): Promise<LoadedSnapshot> =>
  whenArrived(env.STORE, admin.id, file.body, async (bytes) => {
    const hash = createHash('sha256').update(bytes).digest('hex');
    const before = await loadedBefore<Omit<LoadedSnapshot, 'repeated'>>(db, event.id, hash);
    if (before) return { ...before, repeated: true };
    const reading = await read(event, file, bytes);
    return publish(env, db, event, { reading, hash }, admin, now);
  });

async function publish(
  env: Env,
  db: Db,
  event: Event,
  { reading, hash }: { reading: FileReading; hash: string },
  admin: Admin,
  now: number,
): Promise<LoadedSnapshot> {
  const ts = momentOf(reading, now);
  const { scans, problems } = scansOf(event, reading);
  const id = `event-${event.id}-${hash.slice(0, 16)}`;
  const source = `${FILE_SOURCE}${reading.dialect}`;
  const parts: NewPart[] = [];
  for (const { table, kingdom_id } of scans) {
    const capture = { kingdom_id, captured_at: ts, source, id, item_id: null, version: 1 };
    await publishSnapshot(db, env.STORE, table, capture);
    parts.push({ kingdom_id, key: snapshotKey({ game: event.plan.game, ...capture }) });
  }
  const deeper = await deeperParts(db, event.id, ts, parts);
  const kept = new Set(deeper.map(({ kingdom_id }) => kingdom_id));
  const taken = scans.filter(({ kingdom_id }) => !kept.has(kingdom_id));
  const [first, ...more] = deeper.map((part) => deeperReason(event, part, scans));
  if (taken.length === 0)
    throw new Refusal(
      'conflict',
      first ? sentence('Nothing was changed. {why}', { why: first }) : 'Nothing was changed.',
    );
  const refused = [...(first ? [first] : []), ...more].map((why) => leftOut(event, null, why));
  const answer = {
    ts,
    kingdoms: taken.map(({ kingdom_id }) => kingdom_id).sort((a, b) => a - b),
    rows: taken.reduce((sum, { table }) => sum + table.count, 0),
    problems: [...refused, ...problems],
  };
  await putLoadedFile(
    db,
    event.id,
    { ts, hash, source, kingdoms: kingdomsIn(event.plan.camps), parts, answer },
    admin,
    now,
  );
  await forgetEvent(env, event.id);
  return { ...answer, repeated: false };
}

/** Reports a part of the file that was left out. */
const leftOut = ({ plan }: Event, sheet: string | null, why: Sentence): Problem => ({
  line: null,
  sheet,
  column: GAMES[plan.game].roles.kingdom,
  reason: say(why),
  dropped: true,
});

/** Why a kingdom of the file was left out: the event has a deeper reading of it at that time. */
function deeperReason({ plan }: Event, { kingdom_id, rows }: DeeperPart, scans: readonly KingdomScan[]): Sentence {
  const own = scans.find((scan) => scan.kingdom_id === kingdom_id)?.table.count ?? 0;
  return sentence(
    '{game, select, cod {Server {id}: the snapshot of this moment has {rows, plural, one {# lord} other {# lords}}, this file {own}.} other {Kingdom {id}: the snapshot of this moment has {rows, plural, one {# governor} other {# governors}}, this file {own}.}} The deeper reading stays.',
    { game: plan.game, id: String(kingdom_id), rows, own },
  );
}

/** Why rows of a kingdom that is unknown, or not part of the event, were left out. */
const strangerReason = ({ plan }: Event, { kingdom_id, table }: FileReading['scans'][number]): Sentence =>
  kingdom_id === null
    ? sentence(
        '{game, select, cod {Lords without a server were left out: {rows}.} other {Governors without a kingdom were left out: {rows}.}}',
        { game: plan.game, rows: table.count },
      )
    : sentence(
        '{game, select, cod {Server {id} is not part of this event. Lords left out: {rows}.} other {Kingdom {id} is not part of this event. Governors left out: {rows}.}}',
        { game: plan.game, id: String(kingdom_id), rows: table.count },
      );

async function read({ plan }: Event, { name, captured_at }: SnapshotFile, bytes: Uint8Array): Promise<FileReading> {
  const reading = await readScanFile(name, bytes, { captured_at }).catch((error: unknown) => {
    throw refusalOfFile(error);
  });
  if (reading.game !== plan.game)
    throw new Refusal(
      'invalid',
      sentence('This is a file of {game}; the event is of {other}.', {
        game: GAMES[reading.game].name,
        other: GAMES[plan.game].name,
      }),
    );
  if (reading.range)
    throw new Refusal('invalid', 'The figures of this file are sums over days: a snapshot holds those of one moment.');
  return reading;
}

/** Returns the time of a file's scans, which must be the same. */
function momentOf({ scans }: FileReading, now: number): number {
  const moments = [...new Set(scans.map(({ captured_at }) => captured_at))];
  if (moments.length > 1)
    throw new Refusal(
      'invalid',
      sentence('This file holds {count} moments: load each as a file of its own.', { count: moments.length }),
    );
  const ts = moments[0] ?? null;
  if (ts === null) throw new Refusal('invalid', 'captured_at: neither the file nor its name says when it was made.');
  refuseFuture(ts, now);
  return ts;
}

function scansOf(event: Event, reading: FileReading): { scans: KingdomScan[]; problems: Problem[] } {
  const { plan } = event;
  const wanted = new Set(kingdomsIn(plan.camps));
  const scans = reading.scans.filter(
    (scan): scan is KingdomScan => scan.kingdom_id !== null && wanted.has(scan.kingdom_id) && scan.table.count > 0,
  );
  const strangers = reading.scans.filter(({ kingdom_id }) => kingdom_id === null || !wanted.has(kingdom_id));
  const problems = strangers.map((scan) => leftOut(event, scan.sheet, strangerReason(event, scan)));
  const [stranger] = strangers;
  if (scans.length === 0)
    throw new Refusal(
      'invalid',
      sentence('None of this event’s {game, select, cod {servers} other {kingdoms}} is in the file. {why}', {
        game: plan.game,
        why: stranger ? strangerReason(event, stranger) : '',
      }),
    );
  const twice = scans.find(
    (scan, index) => scans.findIndex(({ kingdom_id }) => kingdom_id === scan.kingdom_id) < index,
  );
  if (twice)
    throw new Refusal(
      'invalid',
      sentence(
        '{game, select, cod {Server {id}} other {Kingdom {id}}} is in more than one sheet. Load a file with one of them.',
        { game: plan.game, id: String(twice.kingdom_id) },
      ),
    );
  return { scans, problems: [...problems, ...reading.problems] };
}
