import { Hono } from 'hono';
import { done } from '../../domain/answers.ts';
import { reportDetails, reportLink, reportList, reportMade, sharedReport } from '../../domain/compare/answers.ts';
import { linkId, linkPayload, reportExport, reportId, reportPayload } from '../../domain/compare/contract.ts';
import { linkParam } from '../../domain/orders/contract.ts';
import { notFound } from '../errors.ts';
import { answer } from '../http/answer.ts';
import { callerNetwork } from '../middleware/address.ts';
import { answers, sends } from '../middleware/answers.ts';
import { limited, limitedByUser } from '../middleware/limits.ts';
import { type AppEnv, anyone, keyScope, mayKey, signedIn, type UserEnv } from '../middleware/session.ts';
import { speakingIn } from '../middleware/speaking.ts';
import { validate } from '../middleware/validate.ts';
import { dropReport, endLink, reportsOf } from '../models/compare/reports.ts';
import { EXPORT_MEDIA } from '../services/compare/export-compare.ts';
import { keepReport, replaceReport } from '../services/compare/keep-ranges.ts';
import { shareReport, showOwnReport } from '../services/compare/share-report.ts';
import { findBehindLink, ownReportFile, reportCard, reportFile, shownReport } from '../services/compare/show-report.ts';
import { inPictureLanguage, linkPicture, pictureLanguage, studioOf } from './cards.ts';

/** Saved comparisons and their public links. */
export const reports = new Hono<UserEnv>()
  .get(
    '/reports',
    keyScope('compare'),
    signedIn,
    answers('Reports: saved comparisons', reportList),
    async (context) => {
      const all = await reportsOf(context.get('db'), context.get('userId'));
      return answer(context, { reports: all.map(({ settings: _, ...rest }) => rest) });
    },
  )
  .post(
    '/reports',
    keyScope('report'),
    signedIn,
    validate('json', reportPayload),
    answers('Save a comparison as a report', reportMade),
    async (context) => {
      const report_id = await keepReport(context.get('db'), context.get('userId'), context.req.valid('json'));
      return answer(context, { report_id });
    },
  )
  .get(
    '/reports/:report_id',
    keyScope('compare'),
    signedIn,
    validate('param', reportId),
    answers('A report’s ranges, settings and links', reportDetails),
    async (context) => {
      const { report_id } = context.req.valid('param');
      const shown = { id: report_id, withLinks: await mayKey(context, 'share') };
      return answer(context, await showOwnReport(context.get('db'), context.env, context.get('userId'), shown));
    },
  )
  .put(
    '/reports/:report_id',
    keyScope('report'),
    signedIn,
    validate('param', reportId),
    validate('json', reportPayload),
    answers('Change a report', done),
    async (context) => {
      const { report_id } = context.req.valid('param');
      await replaceReport(context.get('db'), context.get('userId'), report_id, context.req.valid('json'));
      return answer(context, {});
    },
  )
  .delete(
    '/reports/:report_id',
    keyScope('delete'),
    signedIn,
    validate('param', reportId),
    answers('Delete a report with its links', done),
    async (context) => {
      const { report_id } = context.req.valid('param');
      if (!(await dropReport(context.get('db'), context.get('userId'), report_id))) throw notFound('report');
      return answer(context, {});
    },
  )
  .get(
    '/reports/:report_id/export',
    keyScope('compare'),
    signedIn,
    limitedByUser('COMPARE_USER'),
    validate('param', reportId),
    validate('query', reportExport),
    speakingIn('headers'),
    sends('A report as CSV, xlsx, in-game mail text or image', ...EXPORT_MEDIA),
    async (context) => {
      const { env, req } = context;
      const wanted = { user_id: context.get('userId'), id: req.valid('param').report_id };
      const { type, headers } = req.valid('query');
      const as = { type, titled: headers !== undefined };
      return ownReportFile(studioOf(env, req.raw), context.get('db'), wanted, as);
    },
  )
  .post(
    '/reports/:report_id/links',
    keyScope('share'),
    signedIn,
    limitedByUser('SHARE_USER'),
    validate('param', reportId),
    validate('json', linkPayload),
    answers('Create a public link to a report', reportLink),
    async (context) => {
      const wanted = { ...context.req.valid('param'), ...context.req.valid('json') };
      return answer(context, await shareReport(context.get('db'), context.env, context.get('userId'), wanted));
    },
  )
  .delete(
    '/reports/:report_id/links/:link_id',
    keyScope('share'),
    signedIn,
    validate('param', linkId),
    answers('Revoke a link', done),
    async (context) => {
      if (!(await endLink(context.get('db'), context.get('userId'), context.req.valid('param'))))
        throw notFound('link');
      return answer(context, {});
    },
  );

const perVisitor = limited<AppEnv>('COMPARE_USER', (context) => `shared ${callerNetwork(context)}`);

/** Routes for anyone with a link. */
export const sharedReports = new Hono<AppEnv>()
  .get(
    '/reports/shared/:token',
    anyone,
    perVisitor,
    validate('param', linkParam),
    answers('The report behind a link', sharedReport),
    async (context) => {
      const found = await findBehindLink(context.get('db'), context.env, context.req.valid('param').token);
      return answer(context, await shownReport(context.env.STORE, context.get('db'), found));
    },
  )
  .get(
    '/reports/shared/:token/export',
    anyone,
    perVisitor,
    validate('param', linkParam),
    validate('query', reportExport),
    speakingIn('headers'),
    sends('The report behind a link as CSV, xlsx, in-game mail text or image', ...EXPORT_MEDIA),
    async (context) => {
      const { env, req } = context;
      const db = context.get('db');
      const found = await findBehindLink(db, env, req.valid('param').token);
      const { type, headers } = req.valid('query');
      const as = { type, titled: headers !== undefined };
      return reportFile(studioOf(env, req.raw), db, { ...found, shared: true }, as);
    },
  )
  .get(
    '/reports/shared/:token/card.png',
    anyone,
    perVisitor,
    validate('param', linkParam),
    pictureLanguage,
    inPictureLanguage,
    sends('Preview image of a shared report', 'image/png'),
    async (context) => {
      const { env, req } = context;
      const db = context.get('db');
      const found = await findBehindLink(db, env, req.valid('param').token);
      return linkPicture(await reportCard(studioOf(env, req.raw), db, { ...found, shared: true }));
    },
  );
