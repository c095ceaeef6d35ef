import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { coloured } from '../screens/sitter.ts';
import { launchBrowser, PHONE } from '../support/browser.ts';
import { everyScreen, type Placed, type Who } from '../support/every-screen.ts';
import { barriersOf, bySecondEngine, pastTheEdge } from './barriers.ts';
import { pageOf, painted, settled } from './pages.ts';

/**
 * Finds what disappears in forced colours. They give every background one colour, so anything that only its background
 * shows is lost.
 */

/** Marks in the page what only its background shows. */
const noteDrawn = (): void => {
  const alpha = (colour: string): number => {
    const [, after] =
      /\/\s*([\d.]+)\)$|^rgba\(.*,\s*([\d.]+)\)$/.exec(colour)?.filter((part) => part !== undefined) ?? [];
    return after === undefined ? 1 : Number(after);
  };
  const behind = (element: Element | null): string => {
    if (!element) return '';
    const { backgroundColor } = getComputedStyle(element);
    return alpha(backgroundColor) > 0 ? backgroundColor : behind(element.parentElement);
  };
  const paints = (element: Element): boolean => {
    const { backgroundColor } = getComputedStyle(element);
    return alpha(backgroundColor) > 0 && backgroundColor !== behind(element.parentElement);
  };
  const framed = (element: Element): boolean => {
    const style = getComputedStyle(element);
    return ['top', 'right', 'bottom', 'left'].some(
      (side) =>
        style.getPropertyValue(`border-${side}-style`) !== 'none' &&
        Number.parseFloat(style.getPropertyValue(`border-${side}-width`)) > 0 &&
        alpha(style.getPropertyValue(`border-${side}-color`)) > 0,
    );
  };
  /** Styles of a selected part among others. */
  const look = (element: Element): string => {
    const one = (pseudo?: string) => {
      const style = getComputedStyle(element, pseudo);
      return [style.content, style.backgroundColor, style.color, style.fontWeight, style.textDecorationLine].concat(
        ['border', 'outline'].flatMap((line) =>
          ['width', 'style', 'color'].map((part) =>
            style.getPropertyValue(`${line === 'border' ? 'border-bottom' : line}-${part}`),
          ),
        ),
      );
    };
    return [one(), one('::before'), one('::after')].join('|');
  };
  const page = window as unknown as { lost: () => string[] };
  const drawn = [...document.querySelectorAll('body *')].filter((element) => {
    const { width, height } = element.getBoundingClientRect();
    return (
      width >= 2 &&
      height >= 2 &&
      !element.textContent.trim() &&
      !element.matches('svg *, input, select, textarea, canvas, img, svg') &&
      !element.querySelector('svg, input, select, textarea, canvas, img') &&
      element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
      paints(element)
    );
  });
  const chosen = [
    ...document.querySelectorAll('[aria-current=page], [aria-pressed=true], [aria-selected=true], [data-on]'),
  ].flatMap((element) => {
    const among = element.parentElement?.tagName === 'LI' ? element.parentElement.parentElement : element.parentElement;
    const other = [...(among?.querySelectorAll(element.tagName) ?? [])].find(
      (each) =>
        each.classList[0] === element.classList[0] &&
        !each.matches('[aria-current=page], [aria-pressed=true], [aria-selected=true], [data-on]'),
    );
    return other && element.checkVisibility() ? [{ element, other }] : [];
  });
  /** Text of the page's ground: behind text that has not its own say in colours, browsers paint the ground. */
  const unreadable = (element: Element): boolean => {
    const { color, forcedColorAdjust } = getComputedStyle(element);
    const own = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim());
    return own && forcedColorAdjust === 'auto' && color === getComputedStyle(document.body).backgroundColor;
  };
  page.lost = () => [
    ...[...document.querySelectorAll('body *')]
      .filter((element) => !element.matches('script, style, noscript, svg *') && unreadable(element))
      .map((element) => `cannot be read: ${element.outerHTML.slice(0, 200)}`),
    ...drawn
      // Containers of other drawn parts are only their background.
      .filter((element) => element.isConnected && !drawn.some((each) => each !== element && element.contains(each)))
      .filter((element) => !paints(element) && !framed(element))
      .map((element) => `gone: ${element.outerHTML.slice(0, 200)}`),
    ...chosen
      .filter(({ element, other }) => look(element) === look(other))
      .map(({ element }) => `looks as if it were not chosen: ${element.outerHTML.slice(0, 200)}`),
  ];
};

/** Returns what the page loses in forced colours, one line each, and restores its colours. */
export async function lostInForcedColours(page: Page): Promise<string[]> {
  await page.evaluate(noteDrawn);
  await page.emulateMedia({ forcedColors: 'active' });
  const lost = await page.evaluate(() => (window as unknown as { lost: () => string[] }).lost());
  await page.emulateMedia({ forcedColors: 'none' });
  return [...new Set(lost)];
}

/**
 * Barriers on our screens that machines can find. Each screen is loaded on a desktop in light colours and on a phone
 * in dark ones, read by a second engine, checked in forced colours, and measured at narrow widths.
 */

const LOOKS = [
  { viewport: { width: 1440, height: 900 }, colorScheme: 'light' },
  { viewport: PHONE, colorScheme: 'dark' },
] as const;

/** 1280 px at a zoom of 200 %, and at one of 400 %: all that WCAG 1.4.4 and 1.4.10 ask for. */
const NARROW = [
  { width: 640, height: 400 },
  { width: 320, height: 256 },
];

/** A page of results or of an event occupies the second engine for seconds. */
const PATIENCE_MS = 900_000;

let browser: Browser;
let screens: Placed[];
beforeAll(async () => {
  screens = await everyScreen(inject('address'));
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

/** Waits until a change is painted and its transitions have ended. */
async function repainted(page: Page): Promise<void> {
  await painted(page);
  await coloured(page);
}

/** An address, and what to open there. */
interface Stop {
  path: string;
  at: string;
  open?: (page: Page) => Promise<void>;
}

/** Presses the button of this name and waits for its dialog. */
const dialogOf =
  (button: string) =>
  async (page: Page): Promise<void> => {
    await page.getByRole('button', { name: button }).first().click();
    await page.getByRole('dialog').waitFor();
  };

/** Opens the first row of the table of this name. */
const firstRowOf =
  (table: string) =>
  async (page: Page): Promise<void> => {
    const opener = page.getByRole('region', { name: table }).locator('button[aria-expanded]').first();
    await opener.press('Enter');
    await page.getByRole('region', { name: table }).locator('button[aria-expanded=true]:focus').waitFor();
    await settled(page);
  };

/** The search, with something found. */
async function searching(page: Page): Promise<void> {
  await page.keyboard.press('/');
  const dialog = page.getByRole('dialog', { name: 'Search' });
  await dialog.getByRole('combobox').fill('1001');
  await dialog.getByRole('option').first().waitFor();
}

/** Dialogs and menus that open after a press, on some of the screens. */
const OPENED: readonly { path: string; as: string; open: (page: Page) => Promise<void> }[] = [
  { path: '/leaderboard/kingdom', as: 'the search', open: searching },
  { path: '/leaderboard/governor', as: 'a row', open: firstRowOf('governors, ranked') },
  { path: '/dashboards/$dashboardId', as: 'a row', open: firstRowOf('Governors') },
  { path: '/orders', as: 'Report Issue', open: dialogOf('Report Issue') },
  { path: '/order/$orderId', as: 'Columns', open: dialogOf('Columns') },
  { path: '/order/$orderId', as: 'Filters', open: dialogOf('Filters') },
];

function stopsOf(who: Who): Stop[] {
  const mine = screens.filter((screen) => screen.who === who);
  const opened = OPENED.flatMap(({ path, as, open }) => {
    const screen = mine.find((each) => each.path === path);
    return screen ? [{ path: `${path}, ${as}`, at: screen.at, open }] : [];
  });
  return [...mine, ...opened];
}

/** Visits every screen of a user in one look; returns the findings, each with its screen. */
async function walk(who: Who, { viewport, colorScheme }: (typeof LOOKS)[number]): Promise<string[]> {
  const found: string[] = [];
  const page = await pageOf(browser, inject('address'), who);
  const look = async (where: string, findings: Promise<string[]>) => {
    for (const finding of await findings) found.push(`${where}: ${finding}`);
  };
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  for (const { path, at, open } of stopsOf(who)) {
    const begun = Date.now();
    await page.setViewportSize(viewport);
    // Loaded in its colours: Chromium keeps inherited light-dark() values of a page whose scheme changes under it.
    await page.goto(at);
    await settled(page);
    await open?.(page);
    await repainted(page);
    await look(path, barriersOf(page));
    if (colorScheme === 'light') {
      // Names and roles are the same in both looks.
      await look(path, bySecondEngine(page));
      await look(path, lostInForcedColours(page));
      for (const narrow of NARROW) {
        await page.setViewportSize(narrow);
        await repainted(page);
        await look(`${path}, ${narrow.width} px wide`, pastTheEdge(page));
      }
    }
    console.log(`${path}, ${viewport.width} ${colorScheme}: ${Date.now() - begun} ms`);
  }
  await page.context().close();
  return found;
}

const WALKS = (['visitor', 'user', 'admin'] as const).flatMap((who) => LOOKS.map((look) => ({ who, look, ...look })));

test.each(WALKS)(
  'the screens of a $who, $viewport.width px and $colorScheme, have no barriers that machines find',
  async ({ who, look }) => {
    expect(await walk(who, look)).toEqual([]);
  },
  PATIENCE_MS,
);
