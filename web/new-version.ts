/**
 * A part of the app that is not there any more: a release has replaced it since this page was loaded. The page is loaded
 * anew once; where that does not help, the screen of errors says so.
 */

const KEY = 'new-version';
/** Within this time a second failure is no news of a new version. */
const ONCE_MS = 60_000;

/** Loads the page anew, at most once a minute. False where that has been tried just now, or there is no connection. */
export function reloadForNewVersion(now = Date.now()): boolean {
  try {
    if (!navigator.onLine || now - Number(sessionStorage.getItem(KEY)) < ONCE_MS) return false;
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

/** True of what browsers say where a module cannot be fetched. */
export const isMissingPart = (error: unknown): boolean =>
  error instanceof Error &&
  /dynamically imported module|importing a module script|preload CSS|module script failed/i.test(error.message);
