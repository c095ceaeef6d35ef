import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readCatalogue, TRANSLATED } from '../scripts/messages/catalogues.ts';

/** The words of the games in docs/glossary.md, and their use in the catalogues. */

const [HEAD = [], , ...ROWS] = readFileSync('docs/glossary.md', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
const WORDS = new Map(ROWS.map(([english = '', ...others]) => [english, others]));

/** Words of the games. `T1` to `T5`, DKP and KvK stay as they are in every language. */
const OF_GAMES = [
  ...['governor', 'lord', 'kingdom', 'server', 'alliance', 'power', 'killpoints', 'kills', 'deads', 'merits'],
  ...['Lost Kingdom', 'camp', 'pass', 'altar', 'migration'],
];

test('the glossary has every word in every language', () => {
  expect(HEAD).toEqual(['English', ...TRANSLATED]);
  for (const [word, others] of WORDS) expect([word, others.filter((cell) => cell !== '').length]).toEqual([word, 13]);
  expect(OF_GAMES.filter((word) => !WORDS.has(word))).toEqual([]);
});

test.each(TRANSLATED)('the catalogue of %s has the words of the glossary', (language) => {
  const lower = (text: string) => text.toLocaleLowerCase(language);
  const catalogue = new Map([...readCatalogue(language)].map(([english, { text }]) => [english.toLowerCase(), text]));
  const used = OF_GAMES.flatMap((word) => {
    const text = catalogue.get(word.toLowerCase());
    // Arabic words have their article in the glossary.
    const wanted = WORDS.get(word)?.[TRANSLATED.indexOf(language)]?.replace(/^ال/, '') ?? '';
    return text ? [{ word, text: lower(text), wanted: lower(wanted) }] : [];
  });
  expect(used.length).toBeGreaterThan(8);
  expect(used.filter(({ text, wanted }) => wanted === '' || !text.includes(wanted))).toEqual([]);
});
