import { Hono } from 'hono';
import { followChoice, followedChanges, followingAnswer, ownKingdom } from '../../domain/events/following.ts';
import { answer } from '../http/answer.ts';
import { answers } from '../middleware/answers.ts';
import { signedIn, type UserEnv } from '../middleware/session.ts';
import { validate } from '../middleware/validate.ts';
import {
  chooseFollowed,
  chooseOwnKingdom,
  showFollowedChanges,
  showFollowing,
} from '../services/events/show-following.ts';

/** Events and kingdoms that a user follows, and the kingdoms that are their own. */
export const following = new Hono<UserEnv>()
  .get(
    '/account/following',
    signedIn,
    answers('Events and kingdoms that the user follows, and their own kingdoms', followingAnswer),
    async (context) => answer(context, await showFollowing(context.get('db'), context.get('userId'))),
  )
  .get(
    '/account/following/changes',
    signedIn,
    answers('What changed since the last visit in what the user follows', followedChanges),
    async (context) =>
      answer(context, await showFollowedChanges(context.env, context.get('db'), context.get('userId'))),
  )
  .put(
    '/account/following/event',
    signedIn,
    validate('json', followChoice),
    answers('Follow an event or a kingdom in it, or stop to', followingAnswer),
    async (context) => {
      const choice = context.req.valid('json');
      return answer(context, await chooseFollowed(context.env, context.get('db'), context.get('userId'), choice));
    },
  )
  .put(
    '/account/following/kingdom',
    signedIn,
    validate('json', ownKingdom),
    answers('Set the user’s own kingdom of a game', followingAnswer),
    async (context) =>
      answer(context, await chooseOwnKingdom(context.get('db'), context.get('userId'), context.req.valid('json'))),
  );
