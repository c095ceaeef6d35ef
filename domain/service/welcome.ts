import { message } from '../language/text.ts';

/** Texts of the home page, drawn by the page and written by the Worker for clients without scripts. */

export const HOME_TITLE = message('Muster · Scans and statistics of Rise of Kingdoms and Call of Dragons');
export const WELCOME = message('Welcome to Muster!');
export const WELCOME_LINE = message(
  'Scans and statistics for players, alliance leaders and kingdom managers: any kingdom of Rise of Kingdoms and Call of Dragons, counted to the unit.',
);

/** The product in the specification's three columns. */
export const COLUMNS = {
  technology: message(
    'Data is gathered with our own tooling. Bots read the rankings and profiles as any player could, check every row against the game’s own arithmetic, and mark what they could not read instead of guessing.',
  ),
  features: message(
    'Order a scan, watch it fill, and read the result on the page or as csv, xlsx or json. Sort by power or killpoints, search any name, and compare the top of a kingdom with the rest.',
  ),
  scale: message(
    'Any kingdom can be scanned, and many at once. Most scans finish within 10 minutes, and a large network of users, from players to kingdom managers, relies on them.',
  ),
} as const;
