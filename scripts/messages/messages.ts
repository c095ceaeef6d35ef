import { parseMessage } from '../../domain/language/message.ts';
import { collision, readCatalogue, TRANSLATED, writeCatalogue } from './catalogues.ts';
import { extractMessages } from './extract.ts';
import { writeTitles } from './titles.ts';

/**
 * `npm run messages` writes the messages of the source into the catalogues (web/locales). Fails if a language lacks a
 * translation, had one that nothing uses any more, or has one marked fuzzy. Their content is checked by
 * test/messages.test.ts. Also writes the titles by which imports recognise translated files.
 */

const found = extractMessages();
for (const message of found.keys()) parseMessage(message);
const same = collision(found.keys());
if (same) throw new Error(`Two messages have one key: '${same.join("' and '")}'. Change a word of one.`);

let isWhole = true;
for (const locale of TRANSLATED) {
  const known = readCatalogue(locale);
  const missing = [...found.keys()].filter((message) => !known.get(message)?.text);
  const unused = [...known.keys()].filter((message) => !found.has(message));
  const fuzzy = [...known].filter(([message, entry]) => found.has(message) && entry.fuzzy);
  writeCatalogue(locale, found, known);
  if (missing.length + unused.length + fuzzy.length === 0) continue;
  isWhole = false;
  console.error(`${locale}: ${missing.length} missing, ${unused.length} unused (removed), ${fuzzy.length} fuzzy`);
}
writeTitles();
console.log(`${found.size} messages in ${TRANSLATED.length} languages besides English.`);
process.exitCode = isWhole ? 0 : 1;
