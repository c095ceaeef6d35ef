/**
 * A part of the app that is not there any more: a release has replaced it since this page was loaded. A screen that needs
 * it loads the page anew once, and says so where that does not help. A link that is only pointed at does nothing: its
 * screen may never be wanted, and what was typed on this one is.
 */

const KEY = 'new-version';
const MISSING = 'A new version is here. Reload the page.';
/** Within this time a second failure is no news of a new version. */
const ONCE_MS = 60_000;

/** A page that was left is gone within this time, unless it was left for what is no page: a download, a mail. */
const LEAVING_MS = 10_000;
let leftAt = 0;

/** Another page is on its way. */
export const noteLeaving = (): void => {
  leftAt = Date.now();
};

/**
 * True while another page may be on its way: browsers end then what this one still fetches, as if it were not there. No
 * event says that a page stays after all; only time does.
 */
export const isLeaving = (): boolean => Date.now() - leftAt < LEAVING_MS;

/**
 * Loads the page anew, at most once a minute. False where that has been tried just now, or there is no connection, or
 * another page is on its way: loading this one would keep its visitor from where he goes.
 */
export function reloadForNewVersion(now = Date.now()): boolean {
  try {
    if (isLeaving() || !navigator.onLine || now - Number(sessionStorage.getItem(KEY)) < ONCE_MS) return false;
    sessionStorage.setItem(KEY, String(now));
  } catch {
    // Without storage nothing keeps the page from loading for ever.
    return false;
  }
  location.reload();
  return true;
}

/** True right after such a load: the page says why it came anew. */
export function cameForNewVersion(now = Date.now()): boolean {
  try {
    return now - Number(sessionStorage.getItem(KEY)) < 10_000;
  } catch {
    return false;
  }
}

/**
 * Names the error of such a part. At the words of browsers the router loads the page anew itself, and does not ask
 * whether there is a connection, or whether the page is being left.
 */
export function nameMissingPart(error: Error): void {
  error.message = MISSING;
}

/** True of an error that was named so. */
export const isMissingPart = (error: unknown): boolean => error instanceof Error && error.message === MISSING;

/** How long a part of the app may take to arrive (specification, section 9). */
export const PART_TIMEOUT_MS = 120_000;
const LATE = 'A part of this page did not arrive in time.';

/** Rejects if a part has not arrived in time. Every dynamic import goes through it (scripts/part-timeout.ts). */
export function inTime<Part>(part: Promise<Part>): Promise<Part> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(LATE)), PART_TIMEOUT_MS);
  return Promise.race([part, late]).finally(() => clearTimeout(timer));
}

/** Returns whether an error says that a part took too long. */
export const isLatePart = (error: unknown): boolean => error instanceof Error && error.message === LATE;

/** How long the server may take to show that it can be reached. */
const PROBE_MS = 10_000;

/** Asks the server for a small file that no cache answers: whether it can be reached. */
export const isReachable = (): Promise<boolean> =>
  fetch('/manifest.webmanifest', { method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout(PROBE_MS) }).then(
    ({ status }) => status < 500,
    () => false,
  );
