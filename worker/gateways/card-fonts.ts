/** Fonts of cards: files among the assets (scripts/card-fonts.ts), of which a card needs a few. */

type Listed = [file: string, ...ranges: [from: number, to: number][]];

const FOLDER = '/card-fonts';
/** Weight 600 has Latin letters only and is always loaded, because it is selected by weight, not by character. */
const ALWAYS = /^inter-latin-\d+-/;
/** The font of texts with Arabic letters. It has Latin letters too. */
const ARABIC = 'noto-sans-arabic';

export interface Fonts {
  files: Uint8Array[];
  /** True if one of the files has this character. */
  draws(character: string): boolean;
  /** True if the font of texts with Arabic letters has this character. */
  drawsInArabic(character: string): boolean;
}

const has = ([, ...ranges]: Listed, character: string): boolean => {
  const code = character.codePointAt(0) ?? 0;
  return ranges.some(([from, to]) => code >= from && code <= to);
};

async function read(assets: Fetcher, origin: string, file: string): Promise<Response> {
  const answer = await assets.fetch(`${origin}${FOLDER}/${file}`);
  // For a missing file, the assets return the page.
  if (!answer.ok || answer.headers.get('content-type')?.startsWith('text/html'))
    throw new Error(`The built web lacks ${FOLDER}/${file}.`);
  return answer;
}

/** Returns the fonts for a text: for each character, the first file in the index that has it. */
export async function fontsFor(assets: Fetcher, origin: string, text: string): Promise<Fonts> {
  const index = await (await read(assets, origin, 'index.json')).json<Listed[]>();
  const wanted = new Set(index.filter(([file]) => ALWAYS.test(file)));
  const drawn = new Set<string>();
  for (const character of new Set(text)) {
    const found = index.find((listed) => has(listed, character));
    if (!found) continue;
    wanted.add(found);
    drawn.add(character);
  }
  const files = await Promise.all(
    [...wanted].map(async ([file]) => new Uint8Array(await (await read(assets, origin, file)).arrayBuffer())),
  );
  const arabic = index.filter(([file]) => file.startsWith(ARABIC));
  return {
    files,
    draws: (character) => drawn.has(character),
    drawsInArabic: (character) => arabic.some((listed) => has(listed, character)),
  };
}
