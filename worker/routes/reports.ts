import { type Context, Hono } from 'hono';
import { done } from '../../domain/answers.ts';
import { reportDetails, reportLink, reportList, reportMade, sharedReport } from '../../domain/compare/answers.ts';
import {
  linkId,
  linkPayload,
  type ReportPayload,
  reportExport,
  reportId,
  reportPayload,
} from '../../domain/compare/contract.ts';
import { DEAD_LINK } from '../../domain/dead-link.ts';
import { GAMES, type GameId } from '../../domain/games/games.ts';
import { answer } from '../answer.ts';
import { notFound, Refusal } from '../errors.ts';
import { answers, sends } from '../middleware/answers.ts';
import { addressOf, limited } from '../middleware/limits.ts';
import { type AppEnv, anyone, keyScope, signedIn, type UserEnv } from '../middleware/session.ts';
import { validate } from '../middleware/validate.ts';
import {
  addReport,
  changeReport,
  dropReport,
  endLink,
  linksOf,
  MAX_REPORT_LINKS,
  MAX_REPORTS,
  openLink,
  type ReportLink,
  reportOf,
  reportsOf,
} from '../models/compare/reports.ts';
import { EXPORT_MEDIA, exportCompared, previewCard } from '../services/compare/export-compare.ts';
import { scansOfRanges } from '../services/compare/load-ranges.ts';
import { behindLink, exportedReport, reportPath, shownReport } from '../services/compare/show-report.ts';
import { shortPath } from '../short-links.ts';
import { linkPicture, studioOf } from './cards.ts';

/** A link as its owner sees it: the token is signed anew, the row decides whether it works. */
const linkAnswer = async (context: Context<UserEnv>, { id, created_at, expires_at }: ReportLink) => ({
  link_id: id,
  created_at,
  expires_at,
  path: await reportPath(context.env, { id, expires_at }),
  short: shortPath(id),
});

/** The game of a report's scans, which must be its owner's; refuses weights of figures that the game does not have. */
async function gameOf(context: Context<UserEnv>, { ranges, settings }: ReportPayload): Promise<GameId> {
  const [made] = await scansOfRanges(context.get('db'), context.get('user').id, ranges);
  const game = made?.from[0]?.game;
  if (!game) throw notFound('scan');
  const odd = Object.keys(settings.weights).find(
    (key) => !GAMES[game].columns.some((column) => column.key === key && !column.ident && column.type !== 'text'),
  );
  if (odd !== undefined)
    throw new Refusal('invalid', `settings.weights.${odd}: is not a figure of ${GAMES[game].name}.`);
  return game;
}

/** The report that a link's token opens, or a refusal that does not tell why it opens nothing. */
async function openedReport(context: Context<AppEnv>, token: string) {
  const found = await behindLink(context.env, context.get('db'), token);
  if (!found) throw new Refusal('not_found', DEAD_LINK);
  return found;
}

/** Comparisons kept under a name, and the links by which their owners show them. */
export const reports = new Hono<UserEnv>({ strict: false })
  .get('/reports', keyScope('compare'), signedIn, answers(reportList), async (context) => {
    const all = await reportsOf(context.get('db'), context.get('user').id);
    return answer(context, { reports: all.map(({ settings: _, ...rest }) => rest) });
  })
  .post(
    '/reports',
    keyScope('import'),
    signedIn,
    validate('json', reportPayload),
    answers(reportMade),
    async (context) => {
      const payload = context.req.valid('json');
      const game = await gameOf(context, payload);
      const report_id = await addReport(context.get('db'), context.get('user').id, game, payload);
      if (!report_id)
        throw new Refusal('too_large', `An account keeps ${MAX_REPORTS} reports at most: delete some first.`);
      return answer(context, { report_id });
    },
  )
  .get(
    '/reports/:report_id',
    keyScope('compare'),
    signedIn,
    validate('param', reportId),
    answers(reportDetails),
    async (context) => {
      const [db, userId] = [context.get('db'), context.get('user').id];
      const { report_id } = context.req.valid('param');
      const report = await reportOf(db, userId, report_id);
      if (!report) throw notFound('report');
      const links = await linksOf(db, userId, report_id);
      return answer(context, { report, links: await Promise.all(links.map((link) => linkAnswer(context, link))) });
    },
  )
  .put(
    '/reports/:report_id',
    keyScope('import'),
    signedIn,
    validate('param', reportId),
    validate('json', reportPayload),
    answers(done),
    async (context) => {
      const payload = context.req.valid('json');
      const { report_id } = context.req.valid('param');
      const game = await gameOf(context, payload);
      if (!(await changeReport(context.get('db'), context.get('user').id, report_id, game, payload)))
        throw notFound('report');
      return answer(context, {});
    },
  )
  .delete(
    '/reports/:report_id',
    keyScope('import'),
    signedIn,
    validate('param', reportId),
    answers(done),
    async (context) => {
      const { report_id } = context.req.valid('param');
      if (!(await dropReport(context.get('db'), context.get('user').id, report_id))) throw notFound('report');
      return answer(context, {});
    },
  )
  .get(
    '/reports/:report_id/export',
    keyScope('compare'),
    signedIn,
    limited<UserEnv>('COMPARE_USER', (context) => context.get('user').id),
    validate('param', reportId),
    validate('query', reportExport),
    sends(...EXPORT_MEDIA),
    async (context) => {
      const [db, userId] = [context.get('db'), context.get('user').id];
      const report = await reportOf(db, userId, context.req.valid('param').report_id);
      if (!report) throw notFound('report');
      const exported = await exportedReport(context.env.STORE, db, userId, report, false);
      return exportCompared(studioOf(context.env, context.req.raw), exported, context.req.valid('query').type);
    },
  )
  .post(
    '/reports/:report_id/links',
    keyScope('import'),
    signedIn,
    validate('param', reportId),
    validate('json', linkPayload),
    answers(reportLink),
    async (context) => {
      const [db, userId] = [context.get('db'), context.get('user').id];
      const { report_id } = context.req.valid('param');
      if (!(await reportOf(db, userId, report_id))) throw notFound('report');
      const link = await openLink(db, userId, report_id, context.req.valid('json').days);
      if (!link)
        throw new Refusal(
          'too_large',
          `A report has ${MAX_REPORT_LINKS} links at most: end one before you make another.`,
        );
      return answer(context, await linkAnswer(context, link));
    },
  )
  .delete(
    '/reports/:report_id/links/:link_id',
    keyScope('import'),
    signedIn,
    validate('param', linkId),
    answers(done),
    async (context) => {
      if (!(await endLink(context.get('db'), context.get('user').id, context.req.valid('param'))))
        throw notFound('link');
      return answer(context, {});
    },
  );

const perVisitor = limited<AppEnv>('COMPARE_USER', (context) => `shared ${addressOf(context)}`);

/** What anyone with a link may see. */
export const sharedReports = new Hono<AppEnv>({ strict: false })
  .get('/reports/shared/:token', anyone, perVisitor, answers(sharedReport), async (context) => {
    const { report, user_id, expires_at } = await openedReport(context, context.req.param('token'));
    return answer(context, await shownReport(context.env.STORE, context.get('db'), user_id, report, expires_at));
  })
  .get(
    '/reports/shared/:token/export',
    anyone,
    perVisitor,
    validate('query', reportExport),
    sends(...EXPORT_MEDIA),
    async (context) => {
      const { report, user_id } = await openedReport(context, context.req.param('token'));
      const exported = await exportedReport(context.env.STORE, context.get('db'), user_id, report, true);
      return exportCompared(studioOf(context.env, context.req.raw), exported, context.req.valid('query').type);
    },
  )
  .get('/reports/shared/:token/card.png', anyone, perVisitor, sends('image/png'), async (context) => {
    const { report, user_id } = await openedReport(context, context.req.param('token'));
    const exported = await exportedReport(context.env.STORE, context.get('db'), user_id, report, true);
    return linkPicture(await previewCard(studioOf(context.env, context.req.raw), exported));
  });
