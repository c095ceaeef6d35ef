import type { Context, MiddlewareHandler } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { base64url, jwtVerify, SignJWT } from 'jose';
import { type Db, openDb } from '../db/open.ts';
import type { Env } from '../env.ts';
import { Refusal } from '../errors.ts';
import { SESSION_DAYS, type User, userOfSession } from '../models/accounts.ts';

export interface AppEnv {
  Bindings: Env;
  Variables: { db: Db; user: User | null; sessionId: string | null; twoFactor: boolean; requestId: string };
}

/** What a route behind `signedIn` may rely on. */
export interface UserEnv {
  Bindings: Env;
  Variables: AppEnv['Variables'] & { user: User; sessionId: string };
}

const COOKIE = 'muster_session';
const BOOKMARK = 'muster_bookmark';

interface Keys {
  current: string;
  keys: Record<string, string>;
}

function keysOf(env: Env): Keys {
  if (!env.SESSION_KEYS) throw new Error('The secret SESSION_KEYS is not set.');
  return JSON.parse(env.SESSION_KEYS) as Keys;
}

const isSecure = (context: Context): boolean => new URL(context.req.url).protocol === 'https:';

/** Signs a token that names the session and puts it into the cookie of the answer. */
export async function setSession(context: Context<AppEnv>, sessionId: string): Promise<void> {
  const { current, keys } = keysOf(context.env);
  const token = await new SignJWT({})
    .setProtectedHeader({ alg: 'HS256', kid: current })
    .setJti(sessionId)
    .setIssuedAt()
    .setExpirationTime(`${SESSION_DAYS}d`)
    .sign(base64url.decode(keys[current] ?? ''));
  setCookie(context, COOKIE, token, {
    httpOnly: true,
    sameSite: 'Lax',
    path: '/',
    maxAge: SESSION_DAYS * 86_400,
    secure: isSecure(context),
  });
}

export const dropSession = (context: Context): void => {
  deleteCookie(context, COOKIE, { path: '/', secure: isSecure(context) });
};

/** The session that the cookie's token names, or null where it is forged, stale or signed with a retired key. */
async function sessionIdOf(context: Context<AppEnv>): Promise<string | null> {
  const token = getCookie(context, COOKIE);
  if (!token) return null;
  const { keys } = keysOf(context.env);
  try {
    const { payload } = await jwtVerify(
      token,
      ({ kid }) => {
        const key = Object.hasOwn(keys, kid ?? '') ? keys[kid ?? ''] : undefined;
        if (!key) throw new Error('unknown key');
        return base64url.decode(key);
      },
      { algorithms: ['HS256'] },
    );
    return payload.jti ?? null;
  } catch {
    // Any flaw of a token means the same: nobody is signed in.
    return null;
  }
}

/**
 * Opens the database for the request. A signed-in user's reads follow his own writes by the bookmark of his last
 * answer; everyone else reads from the nearest replica.
 */
export const database: MiddlewareHandler<AppEnv> = async (context, next) => {
  const bookmark = getCookie(context, BOOKMARK);
  const reads = context.req.method === 'GET';
  const session = context.env.DB.withSession(bookmark ?? (reads ? 'first-unconstrained' : 'first-primary'));
  context.set('db', openDb(session));
  await next();
  const latest = session.getBookmark();
  if (!reads && latest && context.get('user'))
    setCookie(context, BOOKMARK, latest, { httpOnly: true, sameSite: 'Lax', path: '/', secure: isSecure(context) });
};

/** Finds out who calls. */
export const session: MiddlewareHandler<AppEnv> = async (context, next) => {
  const sessionId = await sessionIdOf(context);
  const found = sessionId ? await userOfSession(context.get('db'), sessionId) : null;
  context.set('user', found?.user ?? null);
  context.set('sessionId', found ? sessionId : null);
  context.set('twoFactor', found?.two_factor ?? false);
  await next();
};

/** Refuses callers without a session. */
export const signedIn: MiddlewareHandler<UserEnv> = async (context, next) => {
  if (!context.get('user')) throw new Refusal('signed_out', 'Please sign in first.');
  await next();
};
