/** The home page's words, as the page draws them and as the Worker writes them for whoever runs no script. */

export const HOME_TITLE = 'Muster · Scans and statistics of Rise of Kingdoms and Call of Dragons';
export const WELCOME = 'Welcome to Muster!';
export const WELCOME_LINE =
  'Scans and statistics for players, alliance leaders and kingdom managers: any kingdom of Rise of Kingdoms and Call of Dragons, counted to the unit.';

/** Where visitors ask for an access code, a sentence in three pieces: in the chat, or where there is none by mail. */
export const codeWords = (chat: string, support: string): { before: string; href: string; text: string } => {
  const need = 'You need an access code to create an account.';
  return chat
    ? { before: `${need} Ask for one in the `, href: chat, text: 'community chat' }
    : { before: `${need} Ask for one at `, href: `mailto:${support}`, text: support };
};
