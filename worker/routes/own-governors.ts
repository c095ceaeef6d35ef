import { Hono } from 'hono';
import { ownGovernorList } from '../../domain/events/answers.ts';
import { ownGovernors as ownPayload } from '../../domain/events/contract.ts';
import { answer } from '../http/answer.ts';
import { answers } from '../middleware/answers.ts';
import { signedIn, type UserEnv } from '../middleware/session.ts';
import { validate } from '../middleware/validate.ts';
import { ownGovernorsWithNames, setOwnGovernors } from '../models/accounts/own-governors.ts';

/** The governors that a user claims as their own, pinned in dashboards. */
export const ownGovernors = new Hono<UserEnv>()
  .get('/account/governors', signedIn, answers('The user’s own governors', ownGovernorList), async (context) =>
    answer(context, await ownGovernorsWithNames(context.get('db'), context.get('userId'))),
  )
  .put(
    '/account/governors',
    signedIn,
    validate('json', ownPayload),
    answers('Set the user’s own governors', ownGovernorList),
    async (context) =>
      answer(context, await setOwnGovernors(context.get('db'), context.get('userId'), context.req.valid('json'))),
  );
