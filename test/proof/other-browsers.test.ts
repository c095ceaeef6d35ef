import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { DESKTOP, PHONE } from '../support/browser.ts';
import { firefox } from '../support/engines/firefox.ts';
import { click, KEYS, press, until, write } from '../support/engines/hands.ts';
import { webkit } from '../support/engines/webkit.ts';
import type { Engine, Look, Window } from '../support/engines/window.ts';
import { everyScreen, type Placed, type Who } from '../support/every-screen.ts';
import { findMoving, findPastTheEdge } from './barriers.ts';
import { openedAt, settle, signIn } from './visits.ts';

/**
 * Every screen in Firefox and in WebKit, the engine of Safari, and what customers do most in them. All other tests
 * use Chromium, which forgives more.
 */

const LOOKS: readonly Look[] = [
  { ...PHONE, scheme: 'dark', calm: true },
  { ...DESKTOP, scheme: 'light' },
];
const PATIENCE_MS = 600_000;

/** Screens of missing things, whose own refusal is no error. */
const REFUSED: Readonly<Record<string, RegExp>> = {
  '/s/$code': /^404: \S*\/s\/no-such-link$/,
  '/no, such page': /^404: \S*\/no\/such\/page$/,
  '/players, unknown': /^404: \S*(\/players\/1|\/v1\/governors\/1\?\S*)$/,
};

let screens: Placed[];
beforeAll(async () => {
  screens = await everyScreen(inject('address'));
});

/** Runs in the page. */
const isEmpty = (): boolean => (document.querySelector<HTMLElement>('#main')?.textContent.trim().length ?? 0) < 20;

/** The flaws of a screen. */
async function flawsOf(window: Window, { path, at }: Placed, { width, height, calm }: Look): Promise<string[]> {
  await openedAt(window, at);
  const flaws = await window.run(findPastTheEdge);
  if (await window.run(isEmpty)) flaws.push('shows nothing');
  if (calm) flaws.push(...(await window.run(findMoving)));
  await window.resize(320, 500);
  // Charts are redrawn shortly after.
  await sleep(300);
  flaws.push(...(await window.run(findPastTheEdge)).map((flaw) => `320 px wide: ${flaw}`));
  await window.resize(width, height);
  flaws.push(...window.troubles().filter((trouble) => !REFUSED[path]?.test(trouble)));
  return flaws.map((flaw) => `${path}: ${flaw}`);
}

/** Visits every screen of a user in one look; returns the flaws. */
async function walk(engine: Engine, who: Who, look: Look): Promise<string[]> {
  const window = await engine.launch(inject('address'), look);
  try {
    if (who !== 'visitor') await signIn(window, who === 'admin' ? 'admin' : 'demo');
    const found = window.troubles();
    for (const screen of screens.filter((each) => each.who === who))
      found.push(...(await flawsOf(window, screen, look)));
    return found;
  } finally {
    await window.close();
  }
}

const placeOf = (path: string): string => screens.find((screen) => screen.path === path)?.at ?? '';

/** The name in the first row of results, unless it is `other`. Runs in the page. */
const firstNameBut = (other: string): string | undefined => {
  const name = document.querySelector('#main tbody a[href^="/players/"]')?.textContent?.trim();
  return name === other ? undefined : name;
};

/** True once every row's name contains `part`. Runs in the page. */
const onlyNames = (part: string): boolean =>
  [...document.querySelectorAll('#main tbody a[href^="/players/"]')].every((each) => each.textContent.includes(part));

/** Sorts and searches results, and checks that a dialog gives the focus back. */
async function readResults(window: Window): Promise<void> {
  await signIn(window, 'demo');
  await openedAt(window, placeOf('/order/$orderId'));
  const mightiest = await until(window, firstNameBut, '');
  await click(window, '#main th button', 'Power');
  await until(window, firstNameBut, mightiest);
  await write(window, '#main input[type=search]', mightiest);
  await until(window, onlyNames, mightiest);
  await click(window, '#main button', 'Columns');
  await until(window, () => !!document.activeElement?.closest('dialog[open]'));
  await press(window, KEYS.escape);
  await until(window, () => document.activeElement?.textContent?.includes('Columns'));
}

async function changeTheme(window: Window): Promise<void> {
  const ground = () => getComputedStyle(document.body).backgroundColor;
  await openedAt(window, '/account');
  const dark = await window.run(ground);
  await window.run(() => {
    const choice = document.querySelector('select:has([value=light])') as HTMLSelectElement;
    choice.value = 'light';
    choice.dispatchEvent(new Event('change', { bubbles: true }));
  });
  expect(await window.run(ground)).not.toBe(dark);
}

/** Opens the three tabs of an event, and the explanation of a score. */
async function readEvent(window: Window): Promise<void> {
  await openedAt(window, placeOf('/dashboards/$dashboardId'));
  await click(window, 'nav[aria-label=View] a', 'Summarized');
  await until(window, () => [...document.querySelectorAll('#main canvas')].some((lines) => lines.clientHeight > 50));
  await click(window, 'nav[aria-label=View] a', 'Download');
  await until(window, () => document.querySelector('#main a[href*="download"]') !== null);
  await click(window, 'nav[aria-label=View] a', 'Individual');
  await click(window, '#main tbody button[aria-expanded]');
  await until(window, () => document.querySelector('#main tbody button[aria-expanded=true]') !== null);
}

/** A page can be left while it still loads. */
async function leave(window: Window): Promise<void> {
  for (const path of ['/faq', '/leaderboard/governor', '/api-docs', '/maps']) await window.goto(path);
  await settle(window);
  expect(await window.run(() => [location.pathname, document.body.textContent.includes('A new version')])).toEqual([
    '/maps',
    false,
  ]);
  window.troubles();
}

const WALKS = (['visitor', 'user', 'admin'] as const).flatMap((who) => LOOKS.map((look) => ({ who, look, ...look })));

describe.each([firefox, webkit])('$name', (engine) => {
  const missing = engine.missing();

  test.for(WALKS)(
    'shows the screens of a $who whole and without errors, $width px and $scheme',
    { timeout: PATIENCE_MS },
    async ({ who, look }, { skip }) => {
      skip(missing !== null, missing ?? '');
      expect(await walk(engine, who, look)).toEqual([]);
    },
  );

  test('supports what customers do most', { timeout: PATIENCE_MS }, async ({ skip }) => {
    skip(missing !== null, missing ?? '');
    const window = await engine.launch(inject('address'), { ...DESKTOP, scheme: 'dark' });
    try {
      for (const part of [leave, readResults, changeTheme, readEvent]) await part(window);
      expect(window.troubles()).toEqual([]);
    } finally {
      await window.close();
    }
  });
});
