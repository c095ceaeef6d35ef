import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import axe, { type RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

/**
 * Finds the barriers on a page that machines can find, with two engines and by measuring. Returns one line per finding.
 */

const SECOND_ENGINE = readFileSync(
  createRequire(import.meta.url).resolve('accessibility-checker-engine/ace.js'),
  'utf8',
);

const GRAVE = ['serious', 'critical'];

/**
 * Returns axe-core's serious and critical findings, each with its first element and the reason, including targets under
 * 24 px.
 */
async function byAxe(page: Page): Promise<string[]> {
  // A string is evaluated by the debugger's protocol, so the pages' policy on scripts stays as it is.
  await page.evaluate(axe.source);
  return page.evaluate(async (grave) => {
    const options: RunOptions = { resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } };
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document, options);
    return violations
      .filter(({ impact }) => grave.includes(impact ?? ''))
      .map(
        ({ id, impact, nodes }) =>
          `${impact} ${id}: ${nodes.length} × ${nodes[0]?.html.slice(0, 200)} ${nodes[0]?.failureSummary}`,
      );
  }, GRAVE);
}

interface Ace {
  Checker: new () => {
    check(
      document: Document,
      rules: string[],
    ): Promise<{
      results: { ruleId: string; node: Element; value: [string, string]; message: string; snippet: string }[];
    }>;
  };
}

/**
 * Where the second engine errs: what it names, on what, and why it stays.
 * - A frame that scrolls must take the focus, or no key could scroll it (axe asks for it), and a short figure takes it
 *   to show its digits; neither does anything that a widget's role would promise.
 * - A file's field is drawn by its button-like label, and out of sight until it has the focus.
 * - What is found leads away when it is pressed, so that no option is ever the selected one; the list of them is pointed at
 *   from the field, which keeps the focus.
 * - It measures how far a box of a window stands from the links that lie under that window, where nothing can be pressed.
 */
const ERRS: Record<string, string> = {
  element_tabbable_role_valid: 'section[aria-label], data[data-exact]',
  label_ref_valid: 'input[type=file] ~ p > label',
  combobox_active_descendant: 'dialog input',
  combobox_focusable_elements: 'dialog input',
  aria_activedescendant_tabindex_valid: 'dialog [role=listbox]',
  target_spacing_sufficient: 'dialog input[type=checkbox]',
};

/** Returns definite violations by the rules of accessibility-checker-engine. Takes seconds on a page with many rows. */
export async function bySecondEngine(page: Page): Promise<string[]> {
  await page.evaluate(SECOND_ENGINE);
  return page.evaluate(async (errs) => {
    const { Checker } = (window as unknown as { ace: Ace }).ace;
    const { results } = await new Checker().check(document, ['IBM_Accessibility']);
    return (
      results
        .filter(({ value: [level, outcome] }) => level === 'VIOLATION' && outcome === 'FAIL')
        .filter(({ ruleId, node }) => !(ruleId in errs && node.matches(errs[ruleId] ?? '')))
        // The engine treats a closed <details> as visible and finds no text in it.
        .filter(({ node }) => node.checkVisibility())
        .map(({ ruleId, message, snippet }) => `${ruleId}: ${message} ${snippet.slice(0, 200)}`)
    );
  }, ERRS);
}

/**
 * Returns what a narrow window hides: a page that scrolls sideways, and elements past its edge that cannot be scrolled
 * to. Runs in the page.
 */
export const findPastTheEdge = (): string[] => {
  const width = document.documentElement.clientWidth;
  const found =
    document.documentElement.scrollWidth > width ? [`scrolls sideways to ${document.documentElement.scrollWidth}`] : [];
  const scrolls = (element: Element | null): boolean =>
    element !== null && (/auto|scroll/.test(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
  const hidden = [...document.querySelectorAll('#main *')].filter((element) => {
    const { right, left, width: wide } = element.getBoundingClientRect();
    const own = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim());
    return (
      own &&
      wide > 1 &&
      (right > width + 1 || left < -1) &&
      !element.closest('.visually-hidden') &&
      !scrolls(element.parentElement) &&
      element.checkVisibility({ visibilityProperty: true })
    );
  });
  return [...found, ...hidden.slice(0, 3).map((element) => `past the edge: ${element.outerHTML.slice(0, 200)}`)];
};

export const pastTheEdge = (page: Page): Promise<string[]> => page.evaluate(findPastTheEdge);

/** Returns animations that still run although the visitor asked for reduced motion. Runs in the page. */
export const findMoving = (): string[] =>
  document
    .getAnimations()
    .filter(({ effect, playState }) => {
      const { duration, iterations } = effect?.getComputedTiming() ?? {};
      return playState === 'running' && Number(duration) > 1 && iterations === Number.POSITIVE_INFINITY;
    })
    .map(({ effect }) => `moves for ever: ${(effect as KeyframeEffect).target?.outerHTML.slice(0, 200)}`);

const stillMoving = (page: Page): Promise<string[]> => page.evaluate(findMoving);

/** Runs the quick checks on the current page in all of its colours and sizes. */
export async function barriersOf(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const look of [stillMoving, pastTheEdge, byAxe]) found.push(...(await look(page)));
  return found;
}
