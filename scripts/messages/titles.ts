import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GAME_IDS } from '../../domain/games/games.ts';
import { layoutOf, SNAPSHOT_KINDS } from '../../domain/scans/layouts.ts';
import { ROOT } from '../settings.ts';
import { readCatalogue, TRANSLATED } from './catalogues.ts';

/** The module of all languages' titles in scan files, by which an import recognises a file with translated headers. */
export const TITLES_FILE = join(ROOT, 'domain', 'games', 'translated-titles.gen.ts');

/** Names of sheets, beside the titles of columns. */
const SHEETS = ['Summary', 'Kingdom', 'Server'];

/** Returns the module's text, from the catalogues. */
export function titlesModule(): string {
  const columns = GAME_IDS.flatMap((game) => SNAPSHOT_KINDS.flatMap((kind) => layoutOf({ game, kind }).columns));
  const titles = new Set([...SHEETS, ...columns.map(({ title }) => title)]);
  const catalogues = TRANSLATED.map(readCatalogue);
  const lines = [...titles].map((title) => {
    const texts = new Set(catalogues.map((catalogue) => catalogue.get(title)?.text ?? title));
    return `  ${JSON.stringify(title)}: ${JSON.stringify([...texts])},\n`;
  });
  return `/** Written by \`npm run messages\`. English titles in scan files → their translations. */
export const TRANSLATED_TITLES: Readonly<Record<string, readonly string[]>> = {
${lines.join('')}};
`;
}

export const writeTitles = (): void => writeFileSync(TITLES_FILE, titlesModule());
