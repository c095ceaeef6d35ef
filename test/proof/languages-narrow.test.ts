import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, inject, test } from 'vitest';
import { LOCALES, type Locale, localPath, SOURCE_LOCALE } from '../../domain/language/locales.ts';
import { isPublicPath } from '../../domain/language/public-paths.ts';
import { launchBrowser } from '../support/browser.ts';
import { everyScreen, type Placed, type Who } from '../support/every-screen.ts';
import { findPastTheEdge } from './barriers.ts';
import { pageOf, painted, settled } from './pages.ts';

/** Opens every screen in every language on a phone of 360 px, because long words show which labels are too narrow. */

const NARROW = { width: 360, height: 780 };
const LANGUAGES = LOCALES.filter((locale) => locale !== SOURCE_LOCALE);

let browser: Browser;
let screens: Placed[];
beforeAll(async () => {
  screens = await everyScreen(inject('address'));
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

/** Returns labels whose text is wider than they are: cut, or over their edge. Runs in the page. */
const findClipped = (): string[] => {
  /** For readers of the page aloud only, such as the head of a table that is drawn as a list. */
  const isUnseen = (element: Element | null): boolean =>
    element !== null && (getComputedStyle(element).clipPath !== 'none' || isUnseen(element.parentElement));
  return [...document.querySelectorAll('button, label, summary, legend, dt, h1, h2, h3, nav a, [role=tab], th, option')]
    .filter((element) => {
      const { display, textOverflow } = getComputedStyle(element);
      // A line that opens shows the rest.
      const isCutOnPurpose = textOverflow === 'ellipsis' && element.closest('[title], summary');
      const isName = element.querySelector('bdi') !== null || isCutOnPurpose;
      return (
        display !== 'inline' &&
        !isName &&
        !isUnseen(element) &&
        // Arrows of sorted columns stand over the edge by 2 px.
        element.scrollWidth > element.clientWidth + 2 &&
        element.clientWidth > 1 &&
        !/auto|scroll/.test(getComputedStyle(element).overflowX) &&
        element.checkVisibility({ visibilityProperty: true })
      );
    })
    .map(
      (element) =>
        `clipped, ${element.scrollWidth} in ${element.clientWidth}: ${element.outerHTML.slice(0, 160)} '${element.textContent?.slice(0, 60)}'`,
    );
};

/**
 * Shows the page in a language: by the footer's link, without a reload, or by its address or the reader's choice if it
 * has no footer, or not yet.
 */
async function inLanguage(page: Page, { at, who }: Placed, locale: Locale): Promise<void> {
  const link = page.locator(`footer a[hreflang=${locale}]`);
  if ((await link.count()) > 0) await link.evaluate((element: HTMLElement) => element.click());
  else {
    if (who !== 'visitor') await storeLanguage(page, locale);
    await page.context().addCookies([{ name: 'muster_language', value: locale, url: inject('address') }]);
    await page.goto(isPublicPath(at.replace(/\?.*/, '')) ? localPath(locale, at) : at);
    await settled(page);
  }
  await page.waitForFunction((lang) => document.documentElement.lang === lang, locale);
  await painted(page);
  await settled(page);
}

const storeLanguage = (page: Page, language: Locale) =>
  page.request.put('/v1/account/language', { data: { language } });

async function findingsOf(who: Who): Promise<string[]> {
  const found: string[] = [];
  const page = await pageOf(browser, inject('address'), who);
  await page.setViewportSize(NARROW);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const screen of screens.filter((each) => each.who === who)) {
    await page.goto(screen.at);
    await settled(page);
    for (const locale of LANGUAGES) {
      await inLanguage(page, screen, locale);
      for (const finding of [...(await page.evaluate(findPastTheEdge)), ...(await page.evaluate(findClipped))])
        found.push(`${screen.path}, ${locale}: ${finding}`);
    }
  }
  // The account keeps its language, and other proofs use it.
  if (who !== 'visitor') await storeLanguage(page, SOURCE_LOCALE);
  await page.context().close();
  return found;
}

test.concurrent.for<Who>(['visitor', 'user', 'admin'])(
  'every screen of a %s fits 360 px in every language',
  { timeout: 900_000 },
  async (who, { expect }) => {
    expect(await findingsOf(who)).toEqual([]);
  },
);
