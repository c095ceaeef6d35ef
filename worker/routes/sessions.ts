import { Hono } from 'hono';
import { credentials } from '../../domain/contract.ts';
import { dollars } from '../../domain/money.ts';
import { answer } from '../answer.ts';
import { Refusal } from '../errors.ts';
import { type AppEnv, dropSession, setSession, signedIn } from '../middleware/session.ts';
import { validate } from '../middleware/validate.ts';
import { authenticate, CURRENT_EULA, closeSession, openSession, type User } from '../models/accounts.ts';

const identity = (user: User) => ({
  user: user.username,
  full_name: user.full_name,
  role: user.role,
  eula_accepted: user.eula_version >= CURRENT_EULA,
  balance: dollars(user.balance_cents),
});

export const sessions = new Hono<AppEnv>({ strict: false })
  .post('/login', validate('json', credentials), async (context) => {
    const { username, password } = context.req.valid('json');
    const db = context.get('db');
    const user = await authenticate(db, username, password);
    if (!user) throw new Refusal('signed_out', 'The username or password is wrong.');
    const before = context.get('sessionId');
    if (before) await closeSession(db, before);
    await setSession(context, await openSession(db, user.id, context.req.header('user-agent') ?? ''));
    context.set('user', user);
    return answer(context, identity(user));
  })
  .post('/logout', async (context) => {
    const sessionId = context.get('sessionId');
    if (sessionId) await closeSession(context.get('db'), sessionId);
    dropSession(context);
    return answer(context, {});
  })
  .get('/account', signedIn, async (context) => {
    const user = context.get('user');
    // The portal's address arrives with payments; without a customer there is none.
    return answer(context, { ...identity(user), email: user.email, stripe_customer_url: null as string | null });
  });
