import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { CAMPS, campColour } from '../domain/games/camps.ts';

/**
 * Pages link their style sheets in an order that depends on what they show. So a rule that composes another sheet's
 * must not set what that one sets: whichever came last would win.
 */

const ROOT = join(import.meta.dirname, '..');
const SHORTHANDS = ['padding', 'margin', 'border', 'font', 'gap', 'grid', 'background', 'flex'];

/** Returns the declarations of a sheet by selector. */
function rulesOf(file: string): Map<string, string> {
  const rules = new Map<string, string>();
  const text = readFileSync(join(ROOT, file), 'utf8').replaceAll(/\/\*.*?\*\//gs, '');
  for (const [, selectors = '', body = ''] of text.matchAll(/([^{}]+)\{([^{}]*)\}/g))
    for (const selector of selectors.split(','))
      rules.set(selector.trim(), `${rules.get(selector.trim()) ?? ''}${body}`);
  return rules;
}

/** Returns the properties that declarations set, parts of a shorthand as the shorthand. */
const setBy = (declarations = ''): Set<string> =>
  new Set(
    [...declarations.matchAll(/([a-z-]+)\s*:/g)].map(([, property = '']) => {
      const [family = ''] = property.split('-');
      return SHORTHANDS.includes(family) ? family : property;
    }),
  );

test('no rule sets a property again that it composes from another sheet', () => {
  const clashes: string[] = [];
  let composed = 0;
  for (const file of globSync('web/**/*.module.css', { cwd: ROOT }))
    for (const [selector, body] of rulesOf(file))
      for (const [, names = '', from = ''] of body.matchAll(/composes:\s*([\w\s-]+?)\s+from\s+"([^"]+)"/g))
        for (const name of names.split(/\s+/)) {
          composed++;
          const theirs = setBy(rulesOf(normalize(join(dirname(file), from))).get(`.${name}`));
          theirs.delete('composes');
          for (const property of setBy(body))
            if (theirs.has(property)) clashes.push(`${file} ${selector}: ${property}`);
        }
  expect(clashes).toEqual([]);
  expect(composed).toBeGreaterThan(5);
});

/**
 * Properties and values of one side of the screen, which is the other one in Arabic. `inset-inline-start` is of the
 * text.
 */
const SIDED =
  /(?:^|[\s;{])(?:(?:margin|padding|border|scroll-margin|scroll-padding)-(?:left|right)|border-(?:top|bottom)-(?:left|right)-radius|left|right)\s*:|(?:text-align|float|clear|justify-content|justify-items|justify-self)\s*:\s*(?:left|right)\b/;
const sidedIn = (text: string): string | null => SIDED.exec(text.replaceAll(/\/\*.*?\*\//gs, ''))?.[0].trim() ?? null;

test('no sheet names the left or right side of the screen', () => {
  const sheets = globSync('web/**/*.css', { cwd: ROOT });
  const found = sheets.map((file) => [file, sidedIn(readFileSync(join(ROOT, file), 'utf8'))]);
  expect(found.filter(([, sided]) => sided !== null)).toEqual([]);
  expect(found.length).toBeGreaterThan(50);
  expect(
    [
      '.a { margin-left: 1px }',
      '.a{left:0}',
      '.a { text-align: right; }',
      '.a { inset-inline-start: 0; float: none }',
    ].map(sidedIn),
  ).toEqual(['margin-left:', '{left:', 'text-align: right', null]);
});

test('styles have each camp’s colours', () => {
  const text = readFileSync(join(import.meta.dirname, '..', 'web', 'components', 'camps.css'), 'utf8');
  const rules = [...text.matchAll(/\[data-camp="([^"]+)"\] \{\s*--camp: ([^;]+);/g)].map(([, name, colour]) => [
    name,
    colour,
  ]);
  expect(rules).toEqual(CAMPS.map(({ name }) => [name, campColour(name)]));
});
