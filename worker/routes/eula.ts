import { Hono } from 'hono';
import { eulaAcceptance } from '../../domain/accounts/account.ts';
import {
  adminLicences,
  licence,
  licenceAccepted,
  licenceDiscard,
  licenceEdit,
  licenceParam,
  licenceQuery,
} from '../../domain/accounts/licence-contract.ts';
import { done } from '../../domain/answers.ts';
import { DAY_MS } from '../../domain/days.ts';
import { openDb } from '../db/open.ts';
import { LICENCE_TAG } from '../gateways/workers-cache.ts';
import { answer } from '../http/answer.ts';
import { keep } from '../http/kept.ts';
import { addressOf } from '../middleware/address.ts';
import { admin } from '../middleware/admin.ts';
import { answers } from '../middleware/answers.ts';
import { anyone, callerOf, signedIn, type UserEnv } from '../middleware/session.ts';
import { validate } from '../middleware/validate.ts';
import {
  acceptLicence,
  changeLicence,
  discardDraft,
  showLicence,
  showLicences,
} from '../services/accounts/licence-versions.ts';

/** Versions of the licence. */
export const adminLicenceArea = new Hono<UserEnv>()
  .use(admin)
  .get('/licences', answers('Versions of the licence', adminLicences), async (context) =>
    answer(context, await showLicences(context.get('db'))),
  )
  .put(
    '/licences/:version',
    validate('param', licenceParam),
    validate('json', licenceEdit),
    answers('Write the next version of the licence, as a draft or from a day on', done),
    async (context) => {
      const edit = { ...context.req.valid('param'), ...context.req.valid('json') };
      await changeLicence(context.get('db'), context.env, await callerOf(context), edit);
      return answer(context, {});
    },
  )
  .post(
    '/licences/:version/discard',
    validate('param', licenceParam),
    validate('json', licenceDiscard),
    answers('Discard a draft of the licence', done),
    async (context) => {
      const draft = { ...context.req.valid('param'), ...context.req.valid('json') };
      await discardDraft(context.get('db'), await callerOf(context), draft);
      return answer(context, {});
    },
  );

/** How long the licence is kept at most, in s. A change drops it. */
const KEPT_SECONDS = 3600;

/** The licence, for everybody. */
export const eula = new Hono<UserEnv>()
  .get('/eula', anyone, validate('query', licenceQuery), answers('The licence', licence), async (context) => {
    const now = Date.now();
    // At the primary: a replica may lag behind the change that dropped what caches had.
    const shown = await showLicence(openDb(context.env), context.req.valid('query').version, now);
    const left = Math.ceil((DAY_MS - (now % DAY_MS)) / 1000);
    // Another version may hold from midnight on.
    keep(context, { browser: 0, edge: Math.min(KEPT_SECONDS, left), stale: 0, tags: [LICENCE_TAG] });
    return answer(context, shown);
  })
  .post(
    '/eula/accept',
    signedIn,
    validate('json', eulaAcceptance),
    answers('Accept the licence', licenceAccepted),
    async (context) => {
      const who = { userId: context.get('userId'), address: addressOf(context) };
      const version = await acceptLicence(context.get('db'), who, context.req.valid('json').version);
      return answer(context, { version });
    },
  );
