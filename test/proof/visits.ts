import { setTimeout as sleep } from 'node:timers/promises';
import { click, fill, KEYS, press, until } from '../support/engines/hands.ts';
import type { Window } from '../support/engines/window.ts';
import { hasSettled } from './pages.ts';

/** Visits the product in Firefox and WebKit for proofs. */

/** Waits until the page has drawn and fetches nothing, because leaving during a fetch would count as a failure. */
export async function settle(window: Window): Promise<void> {
  await until(window, hasSettled);
  for (let asked = -1, before = -2; asked !== before; ) {
    await sleep(200);
    before = asked;
    asked = await window.run(() => performance.getEntriesByType('resource').length);
  }
}

export async function openedAt(window: Window, path: string): Promise<void> {
  await window.goto(path);
  await settle(window);
}

/** Signs in by the form, which leads to the dashboard, and closes the cookie banner. */
export async function signIn(window: Window, name: string, password = `${name}-muster`): Promise<void> {
  await openedAt(window, '/login');
  await click(window, 'button', 'I understand');
  await fill(window, 'Username', name);
  await fill(window, 'Password', password);
  await press(window, KEYS.enter);
  await until(window, () => location.pathname === '/dashboard');
  await settle(window);
}

/** Returns whether the text is visible on the page. Runs in the page. */
export const isShown = (text: string): boolean => {
  const has = (each: Element): boolean => each.textContent.replaceAll(/\s+/g, ' ').includes(text);
  return [...document.querySelectorAll('body *')].some(
    (each) => has(each) && ![...each.children].some(has) && each.checkVisibility({ visibilityProperty: true }),
  );
};

/** Waits until the text is visible on the page. */
export const shows = (window: Window, text: string): Promise<true> => until(window, isShown, text) as Promise<true>;

/** Waits until the page is at that path. */
export const arrives = (window: Window, path: string): Promise<true> =>
  until(window, (wanted) => location.pathname.replace(/(.)\/$/, '$1') === wanted, path) as Promise<true>;
