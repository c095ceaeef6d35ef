import type { Page } from 'playwright-core';

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
