/** Texts of the home page, drawn by the page and written by the Worker for clients without scripts. */

export const HOME_TITLE = 'Muster · Scans and statistics of Rise of Kingdoms and Call of Dragons';
export const WELCOME = 'Welcome to Muster!';
export const WELCOME_LINE =
  'Scans and statistics for players, alliance leaders and kingdom managers: any kingdom of Rise of Kingdoms and Call of Dragons, counted to the unit.';

/** The product in the specification's three columns. */
export const COLUMNS = {
  Technology:
    'Data is gathered with our own tooling. Bots read the rankings and profiles as any player could, check every row against the game’s own arithmetic, and mark what they could not read instead of guessing.',
  Features:
    'Order a scan, watch it fill, and read the result on the page or as csv, xlsx or json. Sort by power or killpoints, search any name, and compare the top of a kingdom with the rest.',
  Scale:
    'Any kingdom can be scanned, and many at once. Most scans finish within 10 minutes, and a large network of users, from players to kingdom managers, relies on them.',
} as const;

/**
 * Tells visitors where to ask for an access code: in the chat, or by mail if there is none. Returns a sentence in three
 * parts.
 */
export const codeWords = (chat: string, support: string): { before: string; href: string; text: string } => {
  const need = 'You need an access code to create an account.';
  return chat
    ? { before: `${need} Ask for one in the `, href: chat, text: 'community chat' }
    : { before: `${need} Ask for one at `, href: `mailto:${support}`, text: support };
};
