import { GAMES } from '../../../domain/games/games.ts';
import type { ScanDialect, ScanFileType } from '../../../domain/scans/files.ts';
import { Refusal } from '../../errors.ts';
import { CONTENT_TYPE, exportStream } from '../../files/export.ts';
import { foreignStream, jsonLines } from '../../files/foreign-export.ts';
import { exportTag, openStored } from '../../gateways/snapshot-store.ts';
import { attachment } from '../../http/attachment.ts';
import { sendMade } from '../../http/made-file.ts';
import type { Wanted } from '../../http/ranges.ts';
import type { KeptScan } from '../../models/library/scans.ts';

/** Media types of scan files. */
export const SCAN_CONTENT: Readonly<Record<ScanFileType, string>> = {
  ...CONTENT_TYPE,
  jsonl: 'application/x-ndjson; charset=utf-8',
};
export const SCAN_MEDIA = Object.values(SCAN_CONTENT).map((type) => type.split(';')[0] ?? type);

/**
 * Returns a scan as a file. Its name contains kingdom and time in a form that imports can read:
 * `1599_2024-12-04T163305Z.csv`.
 */
export async function downloadScan(
  store: R2Bucket,
  scan: KeptScan,
  type: ScanFileType,
  dialect: ScanDialect,
  wanted: Wanted,
): Promise<Response> {
  const moment = new Date(scan.captured_at).toISOString().slice(0, 19).replaceAll(':', '');
  const file = {
    etag: exportTag(`${scan.key}/${dialect}.${type}`),
    headers: {
      'content-type': SCAN_CONTENT[type],
      'content-disposition': attachment(`${scan.kingdom_id}_${moment}Z`, type),
      'cache-control': 'private, no-store',
    },
    make: async () => streamOf(await openStored(store, scan.key), scan, type, dialect),
  };
  return sendMade(file, wanted);
}

function streamOf(
  snapshot: Awaited<ReturnType<typeof openStored>>,
  { game }: KeptScan,
  type: ScanFileType,
  dialect: ScanDialect,
): Promise<ReadableStream<Uint8Array>> {
  if (dialect === 'muster')
    return type === 'jsonl' ? jsonLines(snapshot) : exportStream(type, [{ open: async () => snapshot }]);
  if (game !== 'rok') throw new Refusal('invalid', `dialect: that tool does not know ${GAMES[game].name}; use muster.`);
  return foreignStream(snapshot, type, dialect);
}
