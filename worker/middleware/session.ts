import type { Context, MiddlewareHandler } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { Scope } from '../../domain/accounts/scopes.ts';
import { DAY_MS } from '../../domain/days.ts';
import { type Db, openDb } from '../db/open.ts';
import type { Env } from '../env.ts';
import { Refusal } from '../errors.ts';
import { CURRENT_EULA } from '../models/accounts/accounts.ts';
import { KEY_PREFIX, type KeyUser, noteKeyUse, userOfKey } from '../models/accounts/api-keys.ts';
import { isStale, SESSION_DAYS, touchSession, userOfSession } from '../models/accounts/sessions.ts';
import type { User } from '../models/accounts/user.ts';
import type { Caller } from '../services/accounts/prove-person.ts';
import { readToken, signToken } from '../signing.ts';
import { addressOf } from './address.ts';

export interface AppEnv {
  Bindings: Env;
  Variables: {
    db: Db;
    user: User | null;
    sessionId: string | null;
    /** Whether this session signed in with the second factor. */
    twoFactor: boolean;
    /** The API key of the call, with its user. */
    key: KeyUser | null;
    /** The key's id if it acts for its user on this route. */
    keyId: string | null;
    requestId: string;
  };
}

/** What a route behind `signedIn` may rely on. `sessionId` is empty for API keys. */
export interface UserEnv {
  Bindings: Env;
  Variables: AppEnv['Variables'] & { user: User; sessionId: string };
}

const COOKIE = 'muster_session';
const BOOKMARK = 'muster_bookmark';
const DEVICE = 'muster_device';
const DEVICE_DAYS = 365;

const isSecure = (context: Context): boolean => new URL(context.req.url).protocol === 'https:';

/** Over TLS, the __Host- prefix makes the browser reject cookies that other hosts or plain HTTP pages set. */
const prefixOf = (context: Context) => (isSecure(context) ? { prefix: 'host' as const } : {});

/** Returns the name of the session cookie for a service at this origin. */
export const sessionCookie = (origin: string): string => (origin.startsWith('https:') ? `__Host-${COOKIE}` : COOKIE);

const cookieOptions = (context: Context) => ({
  httpOnly: true,
  sameSite: 'Lax' as const,
  path: '/',
  secure: isSecure(context),
  ...prefixOf(context),
});

/** Signs a token for the session and sets it as the cookie. */
export async function setSession(context: Context<AppEnv>, sessionId: string, now = Date.now()): Promise<void> {
  const token = await signToken(context.env, 'session', sessionId, now + SESSION_DAYS * DAY_MS);
  setCookie(context, COOKIE, token, { ...cookieOptions(context), maxAge: SESSION_DAYS * 86_400 });
}

/**
 * Returns the device mark from the browser's last sign-in. Sign-in attempts from a marked browser are counted
 * separately from strangers' attempts.
 */
export async function deviceOf(context: Context<AppEnv>): Promise<{ userId: string; id: string } | null> {
  const cookie = cookieOf(context, DEVICE);
  const token = cookie ? await readToken(context.env, 'device', cookie) : null;
  const [userId, id] = token && !token.expired ? token.id.split('.') : [];
  return userId && id ? { userId, id } : null;
}

/** Marks the browser as one that the user has signed in with. The mark grants no access. */
export async function setDevice(context: Context<AppEnv>, userId: string, now = Date.now()): Promise<void> {
  const known = await deviceOf(context);
  const id = known?.userId === userId ? known.id : crypto.randomUUID();
  const token = await signToken(context.env, 'device', `${userId}.${id}`, now + DEVICE_DAYS * DAY_MS);
  setCookie(context, DEVICE, token, { ...cookieOptions(context), maxAge: DEVICE_DAYS * 86_400 });
}

export const dropSession = (context: Context): void => {
  deleteCookie(context, COOKIE, { path: '/', secure: isSecure(context), ...prefixOf(context) });
};

const cookieOf = (context: Context, name: string): string | undefined =>
  isSecure(context) ? getCookie(context, name, 'host') : getCookie(context, name);

/**
 * Opens the database for the request. Signed-in users read their own writes through the bookmark of their last
 * response; everyone else reads from the nearest replica.
 */
export const database: MiddlewareHandler<AppEnv> = async (context, next) => {
  const kept = cookieOf(context, BOOKMARK);
  // Callers control the cookie, so only well-formed bookmarks reach the database.
  const bookmark = kept && /^[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32}$/.test(kept) ? kept : null;
  const reads = context.req.method === 'GET';
  const session = context.env.DB.withSession(bookmark ?? (reads ? 'first-unconstrained' : 'first-primary'));
  context.set('db', openDb(session));
  await next();
  const latest = session.getBookmark();
  if (!reads && latest && context.get('user') && !context.get('keyId'))
    setCookie(context, BOOKMARK, latest, cookieOptions(context));
};

const keyOf = (context: Context): string | null => {
  const token = /^Bearer (\S+)$/i.exec(context.req.header('authorization') ?? '')?.[1];
  return token?.startsWith(KEY_PREFIX) ? token : null;
};

/** Looks up an API key. Each route declares by `keyScope` what keys may do. */
async function byKey(context: Context<AppEnv>, key: string): Promise<void> {
  const found = await userOfKey(context.get('db'), key);
  if (!found) throw new Refusal('signed_out', 'This API key is unknown or was revoked.');
  context.set('key', found);
}

/** Looks up the session in the cookie and extends it from time to time. */
async function bySession(context: Context<AppEnv>): Promise<void> {
  const cookie = cookieOf(context, COOKIE);
  const token = cookie ? await readToken(context.env, 'session', cookie) : null;
  const found = token && !token.expired ? await userOfSession(context.get('db'), token.id) : null;
  if (!found) return;
  const { user, session } = found;
  context.set('user', user);
  context.set('sessionId', session.id);
  context.set('twoFactor', session.two_factor);
  if (!isStale(session)) return;
  context.executionCtx.waitUntil(touchSession(openDb(context.env.DB), session.id));
  await setSession(context, session.id);
}

/** Identifies the caller: by the API key if there is one, otherwise by the session cookie. */
export const session: MiddlewareHandler<AppEnv> = async (context, next) => {
  context.set('user', null);
  context.set('sessionId', null);
  context.set('twoFactor', false);
  context.set('key', null);
  context.set('keyId', null);
  const key = keyOf(context);
  await (key ? byKey(context, key) : bySession(context));
  await next();
};

const scopes = new WeakMap<object, Scope>();

/** Returns the scope that opens a handler's route to API keys, if it is one of those below. */
export const scopeOf = (handler: object): Scope | undefined => scopes.get(handler);

/** Opens a route to API keys with this scope. Must come before `signedIn`. */
export function keyScope(scope: Scope): MiddlewareHandler<AppEnv> {
  const open: MiddlewareHandler<AppEnv> = async (context, next) => {
    const found = context.get('key');
    if (found) {
      if (!found.scopes.includes(scope)) throw new Refusal('forbidden', `This API key lacks the scope '${scope}'.`);
      context.set('user', found.user);
      context.set('keyId', found.key.id);
      context.executionCtx.waitUntil(noteKeyUse(openDb(context.env.DB), found.key, addressOf(context)));
    }
    await next();
  };
  scopes.set(open, scope);
  return open;
}

/** Returns false for an API key without this scope, true for a session. */
export const mayKey = (context: Context<UserEnv>, scope: Scope): boolean =>
  context.get('key')?.scopes.includes(scope) ?? true;

/** Declares that everybody may call the route. */
export const anyone: MiddlewareHandler = (_context, next) => next();

/** Refuses callers without a session, and API keys unless `keyScope` opens the route. */
export const signedIn: MiddlewareHandler<UserEnv> = async (context, next) => {
  if (!context.get('user'))
    throw context.get('key')
      ? new Refusal('forbidden', 'API keys cannot make this call. Sign in on the website.')
      : new Refusal('signed_out', 'Please sign in first.');
  await next();
};

/** Returns the caller of a route behind `signedIn`. */
export const callerOf = (context: Context<UserEnv>): Caller => ({
  user: context.get('user'),
  sessionId: context.get('sessionId'),
  address: addressOf(context),
});

/** Refuses users who have not accepted the current licence. Placed after `signedIn` on routes that sell. */
export const licensed: MiddlewareHandler<UserEnv> = async (context, next) => {
  if (context.get('user').eula_version < CURRENT_EULA)
    throw new Refusal('forbidden', 'Please accept the licence before you order.', 'eula');
  await next();
};
