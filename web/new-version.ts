/**
 * A part of the app that is not there any more: a release has replaced it since this page was loaded. The page is loaded
 * anew once; where that does not help, the screen of errors says so.
 */

const KEY = 'new-version';
/** Within this time a second failure is no news of a new version. */
const ONCE_MS = 60_000;

/** A page that was left is gone within this time, unless what it was left for turned out to be a download. */
const LEAVING_MS = 10_000;
let leftAt = 0;

/** Another page is on its way. */
export const noteLeaving = (): void => {
  leftAt = Date.now();
};

/** True while another page is on its way: browsers end then what this one still fetches, as if it were not there. */
export const isLeaving = (): boolean => Date.now() - leftAt < LEAVING_MS;

/**
 * Loads the page anew, at most once a minute. False where that has been tried just now, or there is no connection. A page
 * that is being left stays as it is: loading it would keep its visitor from where he goes.
 */
export function reloadForNewVersion(now = Date.now()): boolean {
  if (isLeaving()) return true;
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
