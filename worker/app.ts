import { type Context, Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { RefusalReason } from '../domain/accounts/account.ts';
import { message, type Sentence, saidValues, say, sentence } from '../domain/language/text.ts';
import { codeOf } from '../domain/service/refusals.ts';
import { openDb } from './db/open.ts';
import {
  isStorageFailure,
  logError,
  NOTHING_HERE,
  pathInLog,
  type Refusal,
  refusalIn,
  STORAGE_FAILED,
  UNEXPECTED,
} from './errors.ts';
import { keepNothing } from './http/kept.ts';
import { sendMailsAfter } from './middleware/after.ts';
import { limitBodies } from './middleware/body.ts';
import { configured } from './middleware/configured.ts';
import { HEADERS, secureHeaders } from './middleware/headers.ts';
import { crossOrigin, publicCrossOrigin, sameOrigin } from './middleware/origin.ts';
import { type AppEnv, database, session } from './middleware/session.ts';
import { traced } from './middleware/trace.ts';
import { noteFailedAnswer } from './models/service/troubles.ts';
import { account } from './routes/account.ts';
import { adminArea } from './routes/admin.ts';
import { adminAccounts } from './routes/admin-accounts.ts';
import { adminFleet } from './routes/admin-fleet.ts';
import { adminNewsDesk } from './routes/admin-news.ts';
import { adminOrdersArea } from './routes/admin-orders.ts';
import { adminPayments } from './routes/admin-payments.ts';
import { adminProductsArea } from './routes/admin-products.ts';
import { adminMetrics, adminWatch } from './routes/admin-watch.ts';
import { balance } from './routes/balance.ts';
import { cards } from './routes/cards.ts';
import { comparing } from './routes/compare.ts';
import { contract } from './routes/contract.ts';
import { crawlers } from './routes/crawlers.ts';
import { dashboards } from './routes/dashboards.ts';
import { downloads } from './routes/downloads.ts';
import { adminLicenceArea, eula } from './routes/eula.ts';
import { adminEvents } from './routes/events.ts';
import { fleet } from './routes/fleet.ts';
import { following } from './routes/following.ts';
import { health } from './routes/health.ts';
import { keys } from './routes/keys.ts';
import { kingdoms } from './routes/kingdoms.ts';
import { leaderboards } from './routes/leaderboards.ts';
import { licenses } from './routes/licenses.ts';
import { local } from './routes/local.ts';
import { monitored } from './routes/monitored.ts';
import { notifying } from './routes/notifications.ts';
import { orderActions } from './routes/order-actions.ts';
import { orderList } from './routes/order-list.ts';
import { ownGovernors } from './routes/own-governors.ts';
import { otherPages, pages } from './routes/pages.ts';
import { payments } from './routes/payments.ts';
import { products } from './routes/products.ts';
import { profiles } from './routes/profiles.ts';
import { registration } from './routes/registration.ts';
import { adminRemovals, removals } from './routes/removals.ts';
import { reports, sharedReports } from './routes/reports.ts';
import { rosters } from './routes/rosters.ts';
import { scans } from './routes/scans.ts';
import { schedules } from './routes/schedules.ts';
import { searching } from './routes/search.ts';
import { sessions } from './routes/sessions.ts';
import { shared, shares } from './routes/shares.ts';
import { stats } from './routes/stats.ts';
import { teams } from './routes/teams.ts';
import { texts } from './routes/texts.ts';
import { twoFactor } from './routes/two-factor.ts';
import { warRooms } from './routes/war-rooms.ts';
import { speakAsAsked } from './services/service/speak.ts';

// Public boards are answered from memory, before the session lookup.
const base = new Hono<AppEnv>({ strict: false })
  .use(traced)
  .use('/v1/*', secureHeaders, publicCrossOrigin)
  .use(configured)
  .route('/v1', leaderboards)
  .route('/v1', profiles)
  .route('/v1', warRooms)
  .route('/v1', dashboards)
  .route('/v1', stats)
  .route('/v1', cards);

base.use('/v1/*', crossOrigin, sameOrigin, limitBodies, sendMailsAfter, database, session);

base.route('/', crawlers);
base.get('*', (context, next) => {
  const { req, env, executionCtx } = context;
  // Limits per network apply to what a page reads too.
  const headers = { 'cf-connecting-ip': req.header('cf-connecting-ip') ?? '' };
  context.set('ask', async (path) => {
    const answer = Promise.resolve(app.fetch(new Request(new URL(path, req.url), { headers }), env, executionCtx));
    // A page that stops waiting still lets the answer be made, so that the next page finds it cached.
    executionCtx.waitUntil(answer.catch(() => undefined));
    return answer;
  });
  return next();
});
base.route('/', pages);
base.route('/', local);

const NOT_VALID = message('The request is not valid.');
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/**
 * Returns a refusal: the JSON envelope for API calls, in the language that the caller asks for, and plain text for
 * pages, in their own.
 */
async function refused(
  context: Context<AppEnv>,
  sentence: Sentence,
  status: Refusal['status'],
  reason?: RefusalReason,
): Promise<Response> {
  const { req, env } = context;
  const request_id = context.get('requestId');
  keepNothing(context);
  if (!req.path.startsWith('/v1/')) return context.text(`${say(sentence)}\n\nRequest ${request_id}`, status, HEADERS);
  const said = () => ({ msg: say(sentence), params: saidValues(sentence) });
  const { msg, params } = await speakAsAsked(env, req.raw, said).catch(said);
  return context.json({ success: 0 as const, msg, code: codeOf(status), params, reason, request_id }, status);
}

/** Returns the methods that the API accepts at this path. */
const methodsAt = (path: string): string[] =>
  METHODS.filter((method) =>
    base.router.match(method, path)[0].some(([[, route]]) => route.method === method && route.path.startsWith('/v1/')),
  );

base.notFound((context) => {
  const allowed = context.req.path.startsWith('/v1/') ? methodsAt(context.req.path) : [];
  if (allowed.length === 0) return refused(context, { message: NOTHING_HERE }, 404);
  context.header('allow', allowed.flatMap((method) => (method === 'GET' ? [method, 'HEAD'] : [method])).join(', '));
  return refused(
    context,
    sentence('This address takes {methods}, not {method}.', {
      methods: allowed.join(', '),
      method: context.req.method,
    }),
    405,
  );
});

base.onError((error, context) => {
  const refuse = (message: string, status: Refusal['status']) => refused(context, { message }, status);
  const refusal = refusalIn(error);
  if (refusal) {
    const { code, headers, sentence, status, reason } = refusal;
    if (code === 'too_many' || code === 'unavailable') context.header('retry-after', '60');
    for (const [name, value] of Object.entries(headers)) context.header(name, value);
    return refused(context, sentence, status, reason);
  }
  // Hono's own errors, such as malformed JSON, carry a sentence and a 4xx status.
  if (error instanceof HTTPException && error.status < 500)
    return refuse(error.message || NOT_VALID, error.status as Refusal['status']);
  // Recording is best effort: if the database itself fails, the log still has the error.
  context.executionCtx.waitUntil(noteFailedAnswer(openDb(context.env), Date.now()).catch(() => undefined));
  logError({ request: context.get('requestId'), path: pathInLog(context.req.path) }, error);
  if (!isStorageFailure(error)) return refuse(UNEXPECTED, 500);
  context.header('retry-after', '60');
  return refuse(STORAGE_FAILED, 503);
});

export const app = base
  .route('/v1', health)
  .route('/v1', sessions)
  .route('/v1', registration)
  .route('/v1', eula)
  .route('/v1', account)
  .route('/v1', ownGovernors)
  .route('/v1', following)
  .route('/v1', licenses)
  .route('/v1', twoFactor)
  .route('/v1', keys)
  .route('/v1', notifying)
  .route('/v1/admin', adminMetrics)
  .route('/v1/admin', adminArea)
  .route('/v1/admin', adminEvents)
  .route('/v1/admin', adminOrdersArea)
  .route('/v1/admin', adminAccounts)
  .route('/v1/admin', adminFleet)
  .route('/v1/admin', adminPayments)
  .route('/v1/admin', adminProductsArea)
  .route('/v1/admin', adminNewsDesk)
  .route('/v1/admin', adminLicenceArea)
  .route('/v1/admin', adminWatch)
  .route('/v1/admin', adminRemovals)
  .route('/v1', removals)
  .route('/v1', texts)
  .route('/v1', products)
  .route('/v1', orderList)
  .route('/v1', orderActions)
  .route('/v1', schedules)
  .route('/v1', downloads)
  .route('/v1', scans)
  .route('/v1', comparing)
  .route('/v1', rosters)
  .route('/v1', sharedReports)
  .route('/v1', reports)
  .route('/v1', shares)
  .route('/v1', teams)
  .route('/v1', shared)
  .route('/v1', kingdoms)
  .route('/v1', searching)
  .route('/v1', monitored)
  .route('/v1', payments)
  .route('/v1', balance)
  .route('/v1/fleet', fleet)
  .route('/v1', contract)
  .route('/', otherPages);

/** The type from which the web's typed client is built. */
export type AppType = typeof app;
