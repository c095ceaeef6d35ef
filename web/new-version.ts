/**
 * Handles parts of the app that a new release has replaced since the page was loaded. A page that needs such a part
 * reloads once, and shows a message if that does not help. Preloading on hover never reloads, because it could lose
 * what the user typed.
 */

const KEY = 'new-version';
const MISSING = 'A new version is here. Reload the page.';
/** A second failure within this time is not due to a new version. */
const ONCE_MS = 60_000;

/**
 * A page being left is gone within this time, unless the navigation was to something else, such as a download or a mail
 * address.
 */
const LEAVING_MS = 10_000;
let leftAt = 0;

/** Notes that another page is loading. */
export const noteLeaving = (): void => {
  leftAt = Date.now();
};

/**
 * Returns whether another page may be loading. Browsers then cancel this page's requests as if they had failed. No
 * event tells that a page stays after all, so only time does.
 */
export const isLeaving = (): boolean => Date.now() - leftAt < LEAVING_MS;

/**
 * Reloads the page, at most once a minute. Returns false if that was already tried, the browser is offline, or another
 * page is loading and a reload would stop the navigation.
 */
export function reloadForNewVersion(now = Date.now()): boolean {
  try {
    if (isLeaving() || !navigator.onLine || now - Number(sessionStorage.getItem(KEY)) < ONCE_MS) return false;
    sessionStorage.setItem(KEY, String(now));
  } catch {
    // Without storage nothing would prevent an endless loop of reloads.
    return false;
  }
  location.reload();
  return true;
}

/** Returns whether the page was just reloaded for a new version, so that it can say so. */
export function cameForNewVersion(now = Date.now()): boolean {
  try {
    return now - Number(sessionStorage.getItem(KEY)) < 10_000;
  } catch {
    return false;
  }
}

/**
 * Marks the error of a missing part. On the browsers' own messages the router would reload, without checking the
 * connection or whether the page is being left.
 */
export function nameMissingPart(error: Error): void {
  error.message = MISSING;
}

/** Returns whether an error was marked so. */
export const isMissingPart = (error: unknown): boolean => error instanceof Error && error.message === MISSING;

/** How long a part of the app may take to load, in ms (specification, section 9). */
const PART_TIMEOUT_MS = 120_000;
const LATE = 'A part of this page did not arrive in time.';

/** Rejects if a part has not loaded in time. All dynamic imports use it (scripts/loading.ts). */
export function inTime<Part>(part: Promise<Part>): Promise<Part> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(LATE)), PART_TIMEOUT_MS);
  return Promise.race([part, late]).finally(() => clearTimeout(timer));
}

/** Returns whether an error says that a part took too long. */
export const isLatePart = (error: unknown): boolean => error instanceof Error && error.message === LATE;

/** How long the server may take to answer, in ms. */
const PROBE_MS = 10_000;

/** Returns whether the server can be reached, by requesting a small uncached file. */
export const isReachable = (): Promise<boolean> =>
  fetch('/manifest.webmanifest', { method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout(PROBE_MS) }).then(
    ({ status }) => status < 500,
    () => false,
  );

/** Returns whether the server now sends another release than this page's, by the script that its pages begin with. */
export const isOtherRelease = (): Promise<boolean> =>
  fetch('/login', { cache: 'no-store', signal: AbortSignal.timeout(PROBE_MS) })
    .then(async (page) => page.ok && !(await page.text()).includes(ownScript()))
    .catch(() => false);

const ownScript = (): string => document.querySelector('script[type=module]')?.getAttribute('src') ?? '';
