import type * as z from 'zod';
import { GAMES } from '../../../domain/games/games.ts';
import { sentence } from '../../../domain/language/text.ts';
import type { scanDownload } from '../../../domain/library/contract.ts';
import type { ScanDialect, ScanFileType } from '../../../domain/scans/files.ts';
import type { Env } from '../../env.ts';
import { Refusal } from '../../errors.ts';
import { CONTENT_TYPE, exportStream } from '../../files/export.ts';
import { foreignStream, jsonLines } from '../../files/foreign-export.ts';
import { exportTag, openStored } from '../../gateways/snapshot-store.ts';
import { attachment } from '../../http/attachment.ts';
import { sendMade } from '../../http/made-file.ts';
import type { Wanted } from '../../http/ranges.ts';
import type { KeptScan } from '../../models/library/scans.ts';
import { withHeaders } from '../service/speak.ts';

/** Media types of scan files. */
const SCAN_CONTENT: Readonly<Record<ScanFileType, string>> = {
  ...CONTENT_TYPE,
  jsonl: 'application/x-ndjson; charset=utf-8',
};
export const SCAN_MEDIA = Object.values(SCAN_CONTENT).map((type) => type.split(';')[0] ?? type);

/**
 * Returns a scan as a file. Its name contains kingdom and time in a form that imports can read:
 * `1599_2024-12-04T163305Z.csv`.
 */
export async function downloadScan(
  env: Env,
  scan: KeptScan,
  { type, dialect, headers }: z.output<typeof scanDownload>,
  wanted: Wanted,
): Promise<Response> {
  const moment = new Date(scan.captured_at).toISOString().slice(0, 19).replaceAll(':', '');
  const file = {
    etag: exportTag(`${scan.key}/${dialect}${headers ? `-${headers}` : ''}.${type}`),
    headers: {
      'content-type': SCAN_CONTENT[type],
      'content-disposition': attachment(`${scan.kingdom_id}_${moment}Z`, type),
      'cache-control': 'private, no-store',
    },
    make: () =>
      withHeaders(env, headers, async (titled) =>
        streamOf(await openStored(env.STORE, scan.key), scan, { type, dialect, titled }),
      ),
  };
  return sendMade(file, wanted);
}

function streamOf(
  snapshot: Awaited<ReturnType<typeof openStored>>,
  { game }: KeptScan,
  { type, dialect, titled }: { type: ScanFileType; dialect: ScanDialect; titled: boolean },
): Promise<ReadableStream<Uint8Array>> {
  if (dialect === 'muster')
    return type === 'jsonl' ? jsonLines(snapshot) : exportStream(type, [{ open: async () => snapshot }], { titled });
  if (game !== 'rok')
    throw new Refusal(
      'invalid',
      sentence('that tool does not know {game}; use muster.', { game: GAMES[game].name }, 'dialect'),
    );
  return foreignStream(snapshot, type, dialect);
}
