import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { RECIPE_TEXTS, recipesIn } from '../../domain/service/recipes.ts';

const PAGE = readFileSync(resolve(import.meta.dirname, '../../docs/recipes.md'), 'utf8');

/** A paragraph of the page as the site writes it: on one line, without marks. */
const asText = (paragraph: string): string => paragraph.replaceAll('`', '').replaceAll('\n', ' ').replaceAll("'", '’');

test('the site’s recipes have the titles and introductions of docs/recipes.md, in its order', () => {
  const titles = [...new Set(recipesIn(PAGE).map(({ title }) => title))];
  const introOf = (title: string) => PAGE.split(`## ${title}\n\n`)[1]?.split('\n\n')[0] ?? '';
  const written = titles.map((title) => ({ title, about: asText(introOf(title)) }));
  expect(RECIPE_TEXTS).toEqual(written);
});

test('each recipe comes in shell, Python and JavaScript', () => {
  for (const { title } of RECIPE_TEXTS) {
    const languages = recipesIn(PAGE).flatMap((recipe) => (recipe.title === title ? [recipe.language] : []));
    expect([title, languages]).toEqual([title, ['sh', 'python', 'js']]);
  }
});
