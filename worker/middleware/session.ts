import type { Context, MiddlewareHandler, Next } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { LICENCE_FIRST } from '../../domain/accounts/eula.ts';
import type { Scope } from '../../domain/accounts/scopes.ts';
import { BOOKMARK_HEADER } from '../../domain/bookmark.ts';
import { DAY_MS } from '../../domain/days.ts';
import { sentence } from '../../domain/language/text.ts';
import type { Sale } from '../../domain/orders/sale.ts';
import { readToken, signToken } from '../configuration/signing.ts';
import { type Db, openDb } from '../db/open.ts';
import { withheld } from '../db/withheld.ts';
import type { Env } from '../env.ts';
import { Refusal } from '../errors.ts';
import { KEY_PREFIX, type KeyUser, lastOwnerOf, noteKeyUse, userOfKey } from '../models/accounts/api-keys.ts';
import { currentLicence } from '../models/accounts/licence-versions.ts';
import { isStale, SESSION_DAYS, type Session, touchSession, userOfSession } from '../models/accounts/sessions.ts';
import type { User, Viewer } from '../models/accounts/user.ts';
import type { Caller } from '../services/accounts/prove-person.ts';
import { addressOf } from './address.ts';
import { isRead } from './origin.ts';

/** A signed-in user and how they signed in. */
export interface Person {
  user: User;
  /** Null for API keys. */
  session: Session | null;
}

export interface AppEnv {
  Bindings: Env;
  Variables: {
    db: Db;
    /** Looks up the caller, once; null if nobody is signed in. */
    person: () => Promise<Person | null>;
    /** The id of the signed-in user, on routes behind `signedIn`. */
    userId: string | null;
    /** The session and user that a signed cookie names. The session may have ended. */
    claim: Claim | null;
    sessionId: string | null;
    /** The API key of the call, with its user. Rejects with the refusal if the key is unknown. */
    key: Promise<KeyUser> | null;
    /** The user of the call's API key, if this isolate knows them. The key may have been revoked. */
    keyOwner: string | undefined;
    /** The key's id if it acts for its user on this route. */
    keyId: string | null;
    requestId: string;
    /** The products on sale and the licence that holds, on routes that read them beside the caller. */
    sale?: Promise<Sale>;
    licence?: Promise<number>;
    /** Answers a public read of the API within this request, for the pages that show it. */
    ask: (path: string) => Promise<Response>;
  };
}

/** What a route behind `signedIn` may rely on. */
export interface UserEnv {
  Bindings: Env;
  Variables: AppEnv['Variables'] & { userId: string };
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

/** Signs a token for the session and its user, and sets it as the cookie. */
export async function setSession<E extends AppEnv>(
  context: Context<E>,
  sessionId: string,
  userId: string,
  now = Date.now(),
): Promise<void> {
  const token = await signToken(context.env, 'session', `${sessionId}.${userId}`, now + SESSION_DAYS * DAY_MS);
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
 * response, a cookie in browsers and a header for API keys. API keys without one read the primary, everyone else the
 * nearest replica.
 */
export const database: MiddlewareHandler<AppEnv> = async (context, next) => {
  // Callers control both, so only well-formed bookmarks reach the database. Of two, the later one sorts last.
  const bookmark = [cookieOf(context, BOOKMARK), context.req.header(BOOKMARK_HEADER)]
    .filter((kept) => kept && /^[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32}$/.test(kept))
    .sort()
    .at(-1);
  const reads = isRead(context);
  // Programs rarely send the bookmark back, and read right after they wrote.
  const mayLag = reads && !keyOf(context);
  const session = context.env.DB.withSession(bookmark ?? (mayLag ? 'first-unconstrained' : 'first-primary'));
  context.set('db', openDb(context.env, session));
  await next();
  const latest = session.getBookmark();
  if (reads || !latest || !context.get('userId')) return;
  if (context.get('keyId')) context.header(BOOKMARK_HEADER, latest);
  else setCookie(context, BOOKMARK, latest, cookieOptions(context));
};

const keyOf = (context: Context): string | null => {
  const token = /^Bearer (\S+)$/i.exec(context.req.header('authorization') ?? '')?.[1];
  return token?.startsWith(KEY_PREFIX) ? token : null;
};

/** Looks up an API key. Each route declares by `keyScope` what keys may do. */
async function byKey(db: Db, key: string): Promise<KeyUser> {
  const found = await userOfKey(db, key);
  if (!found) throw new Refusal('signed_out', 'This API key is unknown or was revoked.');
  return found;
}

/** Drops the answer with its headers. The error handler adds those of the refusal to the empty one in its place. */
function dropAnswer(context: Context): void {
  context.res = undefined;
  context.res = new Response(null);
}

/** Answers a call with an API key. A read starts while the key of a known user is looked up. */
async function answerKey(context: Context<AppEnv>, key: string, next: Next): Promise<void> {
  const owner = isRead(context) ? await lastOwnerOf(key) : undefined;
  const found = byKey(context.get('db'), key);
  found.catch(() => undefined);
  context.set('key', found);
  context.set('keyOwner', owner);
  if (!owner) await found;
  await next();
  await found.catch((refusal: unknown) => {
    dropAnswer(context);
    throw refusal;
  });
}

interface Claim {
  sessionId: string;
  /** Null in cookies of versions that did not write it. */
  userId: string | null;
}

async function claimOf(context: Context<AppEnv>): Promise<Claim | null> {
  const cookie = cookieOf(context, COOKIE);
  const token = cookie ? await readToken(context.env, 'session', cookie) : null;
  const [sessionId, userId = null] = token && !token.expired ? token.id.split('.') : [];
  return sessionId ? { sessionId, userId } : null;
}

/** Returns a function that looks up a session at its first call. */
function lookUp(db: Db, { sessionId }: Claim): () => Promise<Person | null> {
  let found: Promise<Person | null> | undefined;
  return () => {
    found ??= userOfSession(db, sessionId);
    return found;
  };
}

/** Reads who calls, from the API key if there is one, otherwise from the session cookie. Guards look up the session. */
export const session: MiddlewareHandler<AppEnv> = async (context, next) => {
  const key = keyOf(context);
  const claim = key ? null : await claimOf(context);
  context.set('userId', null);
  context.set('claim', claim);
  context.set('person', claim ? lookUp(context.get('db'), claim) : () => Promise.resolve(null));
  context.set('key', null);
  context.set('keyOwner', undefined);
  context.set('keyId', null);
  await (key ? answerKey(context, key, next) : next());
};

const scopes = new WeakMap<object, Scope>();

/** Returns the scope that opens a handler's route to API keys, if it is one of those below. */
export const scopeOf = (handler: object): Scope | undefined => scopes.get(handler);

/** Returns who acts by the call's API key. Refuses if the key lacks the scope. */
async function actor(context: Context<AppEnv>, key: Promise<KeyUser>, scope: Scope): Promise<Person> {
  const found = await key;
  if (!found.scopes.includes(scope))
    throw new Refusal('forbidden', sentence("This API key lacks the scope '{scope}'.", { scope }));
  context.set('keyId', found.key.id);
  context.executionCtx.waitUntil(noteKeyUse(openDb(context.env), found.key, addressOf(context)));
  return { user: found.user, session: null };
}

/** Opens a route to API keys with this scope. Must come before `signedIn`. */
export const keyScope = (scope: Scope): MiddlewareHandler<AppEnv> => opening(scope, false);

/** The same for a route that keys without the scope must not know about. The guard behind it refuses them. */
export const hiddenKeyScope = (scope: Scope): MiddlewareHandler<AppEnv> => opening(scope, true);

function opening(scope: Scope, hidden: boolean): MiddlewareHandler<AppEnv> {
  const open: MiddlewareHandler<AppEnv> = async (context, next) => {
    const key = context.get('key');
    if (key && (!hidden || (await key).scopes.includes(scope))) {
      const person = actor(context, key, scope);
      person.catch(() => undefined);
      context.set('person', () => person);
      if (!context.get('keyOwner')) await person;
    }
    await next();
  };
  scopes.set(open, scope);
  return open;
}

/** Returns false for an API key without this scope, true for a session. */
export const mayKey = async (context: Context<UserEnv>, scope: Scope): Promise<boolean> =>
  (await context.get('key'))?.scopes.includes(scope) ?? true;

/** Declares that everybody may call the route. */
export const anyone: MiddlewareHandler = (_context, next) => next();

const signedOut = (context: Context<UserEnv>): Refusal =>
  context.get('key')
    ? new Refusal('forbidden', 'API keys cannot make this call. Sign in on the website.')
    : new Refusal('signed_out', 'Please sign in first.');

async function personOf(context: Context<UserEnv>): Promise<Person> {
  const found = await context.get('person')();
  if (!found) throw signedOut(context);
  return found;
}

/** Extends a session that is used, from time to time. */
async function extend(context: Context<UserEnv>, { user, session: open }: Person): Promise<void> {
  if (!open || !isStale(open)) return;
  context.executionCtx.waitUntil(touchSession(openDb(context.env), open.id));
  await setSession(context, open.id, user.id);
}

/** Returns the caller, with the session extended before a write, because signing out ends it. */
async function extended(context: Context<UserEnv>): Promise<Person> {
  const found = await personOf(context);
  await extend(context, found);
  return found;
}

/** True for responses that a cookie can be added to. Copying a compressed body would compress it again. */
const takesCookie = ({ res }: Context): boolean => res.status !== 101 && !res.headers.has('content-encoding');

/** Returns who seems to call, before the session or key has been looked up. */
const claimedBy = (context: Context<UserEnv>): string | undefined =>
  context.get('claim')?.userId ?? context.get('keyOwner');

/**
 * Lets callers pass whom `permit` admits. Answers a read while it decides: two trips to the database in the time of
 * one. The user's id comes from the signed cookie, the database withholds its results, and an answer made without it is
 * dropped if `permit` refuses.
 */
export async function passing(
  context: Context<UserEnv>,
  permit: (context: Context<UserEnv>) => Promise<Person>,
  next: Next,
): Promise<Person> {
  const userId = isRead(context) && claimedBy(context);
  if (!userId) {
    const found = await permit(context);
    context.set('userId', found.user.id);
    await next();
    return found;
  }
  const permission = permit(context);
  permission.catch(() => undefined);
  const { db, settle } = withheld(context.get('db'), permission);
  context.set('userId', userId);
  context.set('db', db);
  await next();
  return permission.catch(async (refusal: unknown) => {
    await settle();
    dropAnswer(context);
    throw refusal;
  });
}

/**
 * Refuses callers without a session, and API keys unless `keyScope` opens the route. A read starts before the session
 * has been looked up, so until its first result from the database it must not change anything.
 */
export const signedIn: MiddlewareHandler<UserEnv> = async (context, next) => {
  const reads = isRead(context);
  const found = await passing(context, reads ? personOf : extended, next);
  if (reads && takesCookie(context)) await extend(context, found);
};

/** Returns the user of a route behind `signedIn`. */
export const userOf = async (context: Context<UserEnv>): Promise<User> => (await personOf(context)).user;

/** Returns the user of a route behind `signedIn`, of whom at first only the id is known. */
export const viewerOf = (context: Context<UserEnv>): Viewer => ({
  userId: context.get('userId'),
  user: () => userOf(context),
});

/** Returns the caller of a route behind `signedIn` that API keys cannot call. */
export const callerOf = async (context: Context<UserEnv>): Promise<Caller> => ({
  user: await userOf(context),
  sessionId: context.get('claim')?.sessionId ?? '',
  address: addressOf(context),
});

/** Refuses users who have not accepted the current licence. Placed after `signedIn` on routes that sell. */
export const licensed: MiddlewareHandler<UserEnv> = async (context, next) => {
  const current = context.get('licence') ?? currentLicence(context.get('db'));
  if ((await userOf(context)).eula_version < (await current)) throw new Refusal('forbidden', LICENCE_FIRST, 'eula');
  await next();
};
