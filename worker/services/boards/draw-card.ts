import { gunzipSync } from 'node:zlib';
import type { BoardAnswer, BoardRow } from '../../../domain/boards/rows.ts';
import { nameOr } from '../../../domain/figures.ts';
import { type Card, cardOf, cardSvg, OWN_CARD } from '../../files/card.ts';
import { nearestObject, nearestPart } from '../../gateways/board-cache.ts';
import { type BoardSet, cardKey, picture, putPicture } from '../../gateways/board-store.ts';
import { fontsFor } from '../../gateways/card-fonts.ts';

/** How cards look; another look has other addresses, because what stands at one never changes. */
export const CARD_LOOK = 3;

/** What drawing needs: where pictures are kept, and the assets with the fonts. */
export interface Studio {
  store: R2Bucket;
  assets: Fetcher;
  /** Any address of ours, which the assets want to see. */
  origin: string;
}

/** Characters that no font has give way to plainer ones that mean the same (𝕳 to H), or to nothing. */
const drawable = (text: string, draws: (character: string) => boolean): string =>
  [...text]
    .map((character) =>
      character === ' ' || draws(character) ? character : [...character.normalize('NFKC')].filter(draws).join(''),
    )
    .join('')
    .trim();

/** The card with what can be drawn of it, as SVG, and the fonts that this takes. */
export async function layOut({ assets, origin }: Studio, card: Card): Promise<{ svg: string; fonts: Uint8Array[] }> {
  const names = card.rows.flatMap(({ name, otherwise, about }) => [name, otherwise, about]);
  const letters = [card.title, card.line, ...names].join('');
  const { files, draws } = await fontsFor(assets, origin, `${letters}${letters.normalize('NFKC')}…`);
  const rows = card.rows.map((row) => ({
    ...row,
    name: nameOr(drawable(row.name, draws), row.otherwise),
    about: drawable(row.about, draws),
  }));
  return { svg: cardSvg({ ...card, rows }), fonts: files };
}

/** A card as a PNG, drawn now. */
export async function drawCard(studio: Studio, card: Card): Promise<ArrayBuffer> {
  const { svg, fonts } = await layOut(studio, card);
  // Loaded with the first card: nobody else's answer waits for the drawing library.
  const { drawPng } = await import('../../files/png.ts');
  const png = await drawPng(svg, fonts);
  return png.buffer.slice(png.byteOffset, png.byteOffset + png.byteLength) as ArrayBuffer;
}

/** A picture from memory, the edge or R2; drawn and kept where it was never asked for before. */
function kept(studio: Studio, key: string, card: () => Promise<Card | null>): Promise<ArrayBuffer | null> {
  return nearestObject(key, async () => {
    const drawn = await picture(studio.store, key);
    if (drawn) return drawn;
    const wanted = await card();
    if (!wanted) return null;
    const png = await drawCard(studio, wanted);
    await putPicture(studio.store, key, png);
    return png;
  });
}

/** The picture of a published board's first rows; null where the board is not there. */
export const boardCard = (studio: Studio, set: BoardSet): Promise<ArrayBuffer | null> =>
  kept(studio, cardKey(set, CARD_LOOK), async () => {
    const page = await nearestPart(studio.store, set, 'page-0');
    if (!page) return null;
    const { data } = JSON.parse(gunzipSync(page).toString()) as { data: BoardAnswer<BoardRow> };
    return cardOf(set.game, set.board, data.rankings, data.info);
  });

/** The picture of pages that have no board. */
export const ownCard = (studio: Studio): Promise<ArrayBuffer | null> =>
  kept(studio, `cards/muster-${CARD_LOOK}.png`, async () => OWN_CARD);

/** The picture of a card that `make` lays out, under a key that names all it says; null where there is nothing to draw. */
export const drawnCard = (studio: Studio, key: string, make: () => Promise<Card | null>): Promise<ArrayBuffer | null> =>
  kept(studio, key, make);
