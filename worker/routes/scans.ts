import { Hono } from 'hono';
import { done } from '../../domain/answers.ts';
import { searchAnswer, searchQuery } from '../../domain/kingdoms/contract.ts';
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
import { answer } from '../http/answer.ts';
import { wantedOf } from '../http/ranges.ts';
import { answers, sendsParts } from '../middleware/answers.ts';
import { limitedByUser } from '../middleware/limits.ts';
import { reads, SCAN_BODY, SCAN_BODY_UNSAID } from '../middleware/reads.ts';
import { keyScope, signedIn, type UserEnv } from '../middleware/session.ts';
import { speaking } from '../middleware/speaking.ts';
import { validate } from '../middleware/validate.ts';
import { downloadScan, SCAN_MEDIA } from '../services/library/download-scan.ts';
import { findImport, findScan } from '../services/library/find-scan.ts';
import { previewAgain, takeUpload } from '../services/library/preview-import.ts';
import { removeFromLibrary } from '../services/library/remove-from-library.ts';
import { saveImport } from '../services/library/save-import.ts';
import { searchLibrary } from '../services/library/search-library.ts';
import { relabelScan, showLibrary, showScan } from '../services/library/show-library.ts';

const importsPerUser = limitedByUser('IMPORT_USER');
const comparesPerUser = limitedByUser('COMPARE_USER');
const downloadsPerUser = limitedByUser('DOWNLOAD_USER');

/** A user's own scans: uploads, the library and downloads. Visible to nobody else. */
export const scans = new Hono<UserEnv>()
  .post(
    '/scans/import',
    keyScope('import'),
    signedIn,
    importsPerUser,
    validate('query', importQuery),
    reads(SCAN_BODY, SCAN_BODY_UNSAID),
    speaking,
    answers('Upload a scan file (the body) for a preview; nothing is saved yet', importPreview),
    async (context) => {
      const { name, kingdom, captured_at } = context.req.valid('query');
      const upload = { name, body: context.req.raw.body, kingdom, captured_at };
      return answer(context, await takeUpload(context.env, context.get('db'), context.get('userId'), upload));
    },
  )
  .post(
    '/scans/import/:import_id/preview',
    keyScope('import'),
    signedIn,
    importsPerUser,
    validate('param', importId),
    validate('json', importChoice),
    speaking,
    answers('Preview an upload again with another mapping, kingdom or time', importPreview),
    async (context) => {
      const db = context.get('db');
      const file = await findImport(db, context.get('userId'), context.req.valid('param').import_id);
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
    speaking,
    answers('Save the file as private scans', importSaved),
    async (context) => {
      const db = context.get('db');
      const file = await findImport(db, context.get('userId'), context.req.valid('param').import_id);
      const scan_ids = await saveImport(context.env, db, file, context.req.valid('json'));
      return answer(context, { scan_ids });
    },
  )
  .get(
    '/scans',
    keyScope('compare'),
    signedIn,
    validate('query', scansQuery),
    answers('The library: own and bought scans, newest first', library),
    async (context) => {
      const userId = context.get('userId');
      return answer(context, await showLibrary(context.get('db'), context.env, userId, context.req.valid('query')));
    },
  )
  .get(
    '/scans/search',
    keyScope('compare'),
    signedIn,
    comparesPerUser,
    validate('query', searchQuery),
    answers('Governors, alliances and kingdoms of imported scans by name, tag or number', searchAnswer),
    async (context) => {
      const { STORE } = context.env;
      const [db, userId] = [context.get('db'), context.get('userId')];
      return answer(context, await searchLibrary(STORE, db, userId, context.req.valid('query').q));
    },
  )
  .get(
    '/scans/:scan_id',
    keyScope('compare'),
    signedIn,
    validate('param', scanId),
    answers('A scan, and what was made from it', scanDetails),
    async (context) => {
      const { scan_id } = context.req.valid('param');
      return answer(context, await showScan(context.get('db'), context.get('userId'), scan_id));
    },
  )
  .patch(
    '/scans/:scan_id',
    keyScope('import'),
    signedIn,
    validate('param', scanId),
    validate('json', scanLabels),
    answers('Change a scan’s name, tags or note', libraryScan),
    async (context) => {
      const { scan_id } = context.req.valid('param');
      const labels = context.req.valid('json');
      return answer(context, await relabelScan(context.get('db'), context.get('userId'), scan_id, labels));
    },
  )
  .delete(
    '/scans/:scan_id',
    keyScope('delete'),
    signedIn,
    validate('param', scanId),
    validate('query', scanDelete),
    answers('Remove a scan from the library; an own scan is deleted', done),
    async (context) => {
      const { scan_id } = context.req.valid('param');
      const removed = { scan_id, withReports: context.req.valid('query').with !== undefined };
      await removeFromLibrary(context.get('db'), context.env.STORE, context.get('userId'), removed);
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
    sendsParts('A scan as a file, in our columns or another tool’s', ...SCAN_MEDIA),
    async (context) => {
      const scan = await findScan(context.get('db'), context.get('userId'), context.req.valid('param').scan_id);
      return downloadScan(context.env, scan, context.req.valid('query'), wantedOf(context));
    },
  );
