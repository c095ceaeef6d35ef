import { Hono } from 'hono';
import { done } from '../../domain/answers.ts';
import { importPreview, importSaved, library, libraryScan, scanDetails } from '../../domain/library/answers.ts';
import {
  importChoice,
  importId,
  importQuery,
  scanDelete,
  scanDownload,
  scanId,
  scanLabels,
  scansQuery,
} from '../../domain/library/contract.ts';
import { answer } from '../answer.ts';
import type { Db } from '../db/open.ts';
import { notFound, Refusal } from '../errors.ts';
import { dropOwnScans } from '../gateways/own-files.ts';
import { answers, sends } from '../middleware/answers.ts';
import { limitedByUser } from '../middleware/limits.ts';
import { keyScope, signedIn, type UserEnv } from '../middleware/session.ts';
import { validate } from '../middleware/validate.ts';
import { type Import, importOf } from '../models/library/imports.ts';
import { hangingOn, removeScan } from '../models/library/removal.ts';
import { type KeptScan, labelScan, libraryOutline, listScans, scansOf } from '../models/library/scans.ts';
import { downloadScan, SCAN_MEDIA } from '../services/library/download-scan.ts';
import { limitsOf } from '../services/library/limits.ts';
import { previewAgain, takeUpload } from '../services/library/preview-import.ts';
import { saveImport } from '../services/library/save-import.ts';

const importsPerUser = limitedByUser('IMPORT_USER');
const downloadsPerUser = limitedByUser('DOWNLOAD_USER');

async function waiting(db: Db, userId: string, id: string): Promise<Import> {
  const file = await importOf(db, userId, id);
  if (!file) throw notFound('import');
  return file;
}

async function kept(db: Db, userId: string, id: string): Promise<KeptScan> {
  const [scan] = await scansOf(db, userId, [id]);
  if (!scan) throw notFound('scan');
  return scan;
}

/** A scan as its owner sees it: where its rows lie is nobody's matter. */
const shown = ({ key: _, ...scan }: KeptScan) => scan;

/** What is made from a scan, as a sentence that asks before it goes with it. */
function hanging({ reports, fights }: Awaited<ReturnType<typeof hangingOn>>): string | null {
  const names = [
    ...reports.map(({ name }) => `the report '${name}'`),
    ...fights.map(({ name }) => `the fight '${name}'`),
  ];
  if (names.length === 0) return null;
  const some = names.length > 5 ? `${names.slice(0, 5).join(', ')} and ${names.length - 5} more` : names.join(', ');
  return `Made from this scan: ${some}. Ask again with 'with=reports' to delete them too.`;
}

/** A user's own scans: files in, the library, files out. Nothing of them is seen by anybody else. */
export const scans = new Hono<UserEnv>({ strict: false })
  .post(
    '/scans/import',
    keyScope('import'),
    signedIn,
    importsPerUser,
    validate('query', importQuery),
    answers(importPreview),
    async (context) => {
      const { name, kingdom, captured_at } = context.req.valid('query');
      const bytes = new Uint8Array(await context.req.arrayBuffer());
      const upload = { name, bytes, kingdom, captured_at };
      return answer(context, await takeUpload(context.env, context.get('db'), context.get('user').id, upload));
    },
  )
  .post(
    '/scans/import/:import_id/preview',
    keyScope('import'),
    signedIn,
    importsPerUser,
    validate('param', importId),
    validate('json', importChoice),
    answers(importPreview),
    async (context) => {
      const db = context.get('db');
      const file = await waiting(db, context.get('user').id, context.req.valid('param').import_id);
      return answer(context, await previewAgain(context.env, db, file, context.req.valid('json')));
    },
  )
  .post(
    '/scans/import/:import_id/save',
    keyScope('import'),
    signedIn,
    importsPerUser,
    validate('param', importId),
    validate('json', importChoice),
    answers(importSaved),
    async (context) => {
      const db = context.get('db');
      const file = await waiting(db, context.get('user').id, context.req.valid('param').import_id);
      const scan_ids = await saveImport(context.env, db, file, context.req.valid('json'));
      return answer(context, { scan_ids });
    },
  )
  .get('/scans', keyScope('compare'), signedIn, validate('query', scansQuery), answers(library), async (context) => {
    const [db, userId] = [context.get('db'), context.get('user').id];
    const [page, outline, limits] = await Promise.all([
      listScans(db, userId, context.req.valid('query')),
      libraryOutline(db, userId),
      limitsOf(context.env, db, userId),
    ]);
    return answer(context, { scans: page.scans.map(shown), next: page.next, ...outline, limits });
  })
  .get(
    '/scans/:scan_id',
    keyScope('compare'),
    signedIn,
    validate('param', scanId),
    answers(scanDetails),
    async (context) => {
      const [db, userId] = [context.get('db'), context.get('user').id];
      const scan = await kept(db, userId, context.req.valid('param').scan_id);
      return answer(context, { scan: shown(scan), hangs: await hangingOn(db, userId, scan.scan_id) });
    },
  )
  .patch(
    '/scans/:scan_id',
    keyScope('import'),
    signedIn,
    validate('param', scanId),
    validate('json', scanLabels),
    answers(libraryScan),
    async (context) => {
      const [db, userId] = [context.get('db'), context.get('user').id];
      const { scan_id } = await kept(db, userId, context.req.valid('param').scan_id);
      await labelScan(db, userId, scan_id, context.req.valid('json'));
      return answer(context, shown(await kept(db, userId, scan_id)));
    },
  )
  .delete(
    '/scans/:scan_id',
    keyScope('import'),
    signedIn,
    validate('param', scanId),
    validate('query', scanDelete),
    answers(done),
    async (context) => {
      const [db, userId] = [context.get('db'), context.get('user').id];
      const { scan_id } = await kept(db, userId, context.req.valid('param').scan_id);
      const asks = context.req.valid('query').with === undefined ? hanging(await hangingOn(db, userId, scan_id)) : null;
      if (asks) throw new Refusal('conflict', asks);
      await dropOwnScans(context.env.STORE, await removeScan(db, userId, scan_id));
      return answer(context, {});
    },
  )
  .get(
    '/scans/:scan_id/download',
    keyScope('compare'),
    signedIn,
    downloadsPerUser,
    validate('param', scanId),
    validate('query', scanDownload),
    sends(...SCAN_MEDIA),
    async (context) => {
      const scan = await kept(context.get('db'), context.get('user').id, context.req.valid('param').scan_id);
      const { type, dialect } = context.req.valid('query');
      return downloadScan(context.env.STORE, scan, type, dialect);
    },
  );
