import { message } from '../language/text.ts';

/** The recipes of docs/recipes.md, which the site shows too. */

/** A recipe in one programming language: `sh`, `python` or `js`. */
export interface Recipe {
  title: string;
  language: string;
  code: string;
}

/** Returns the recipes in the text of docs/recipes.md. */
export const recipesIn = (page: string): Recipe[] =>
  page
    .split(/^## /m)
    .slice(1)
    .flatMap((part) => {
      const [title = ''] = part.split('\n');
      return [...part.matchAll(/```(\w+)\n(.*?)```/gs)].map(([, language = '', code = '']) => ({
        title,
        language,
        code,
      }));
    });

/** Titles and introductions as docs/recipes.md has them, in its order. */
export const RECIPE_TEXTS: readonly { title: string; about: string }[] = [
  {
    title: message('Order a scan, wait for it, save it as csv'),
    about: message(
      'An order is ready once is_done_loading is true; poll this field. The Idempotency-Key makes a repeated call harmless, so an interrupted script can run again.',
    ),
  },
  {
    title: message('The newest scan of my kingdom as a spreadsheet'),
    about: message('Orders are listed newest first; kingdom and state filter the list.'),
  },
  {
    title: message('Compare two scans of my kingdom'),
    about: message(
      'The key needs the scope compare. Scans are listed newest first, ordered and uploaded ones together. t4 and t5 are points per kill; the file contains each governor’s gains.',
    ),
  },
  {
    title: message('Upload the newest scan of RokTracker'),
    about: message(
      'The key needs the scope import. Run it in RokTracker’s output folder after each run. The file’s name contains the kingdom and the day. A file that was uploaded before is recognised, and the answer lists its scans.',
    ),
  },
  {
    title: message('Who is below goal in a war'),
    about: message(
      'Events are public, so no key is needed. The csv of a war room has a row per governor, from the first to the newest scan; goal_dkp is the percentage of the DKP that is expected of their power. The names of the columns do not change.',
    ),
  },
  {
    title: message('Boards to DuckDB'),
    about: message(
      'Boards are public, so no key is needed. count=-1 requests the whole board. The database gets a table governors with a column for each field. The program duckdb must be installed.',
    ),
  },
];
