import { gunzipSync } from 'node:zlib';
import type { BoardAnswer, BoardRow } from '../../../domain/boards/rows.ts';
import { locale } from '../../../domain/language/current.ts';
import { SOURCE_LOCALE } from '../../../domain/language/locales.ts';
import { type Card, cardOf, cardSvg, isArabic, ownCardOf } from '../../files/card.ts';
import { nearestObject, nearestPart } from '../../gateways/board-cache.ts';
import { type BoardSet, cardKey, picture, putPicture } from '../../gateways/board-store.ts';
import { type Fonts, fontsFor } from '../../gateways/card-fonts.ts';

/** Version of the cards' design. It is part of their keys, because stored images never change. */
export const CARD_LOOK = 5;

/** What drawing needs: the image store and the assets with the fonts. */
export interface Studio {
  store: R2Bucket;
  assets: Fetcher;
  /** Any origin of ours; the assets require one. */
  origin: string;
}

/** Replaces characters without a font by their plain equivalents (𝕳 by H), or removes them. */
function drawable(text: string, fonts: Fonts): string {
  const draws = isArabic(text) ? fonts.drawsInArabic : fonts.draws;
  return [...text]
    .map((character) =>
      character === ' ' || draws(character) ? character : [...character.normalize('NFKC')].filter(draws).join(''),
    )
    .join('')
    .trim();
}

/** Returns all texts of a card. */
function textsOf(card: Card): string {
  const texts: string[] = [];
  cardSvg(card, (text) => {
    texts.push(text);
    return text;
  });
  return texts.join('');
}

/** Returns the card as SVG in the current language, with drawable characters only, and its fonts. */
export async function layOut({ assets, origin }: Studio, card: Card): Promise<{ svg: string; fonts: Uint8Array[] }> {
  const letters = textsOf(card);
  const fonts = await fontsFor(assets, origin, `${letters}${letters.normalize('NFKC')}…`);
  return { svg: cardSvg(card, (text) => drawable(text, fonts)), fonts: fonts.files };
}

/** Draws a card as PNG. */
export async function drawCard(studio: Studio, card: Card): Promise<ArrayBuffer> {
  const { svg, fonts } = await layOut(studio, card);
  // Loaded with the first card, so that other responses do not wait for the drawing library.
  const { drawPng } = await import('../../files/png.ts');
  const png = await drawPng(svg, fonts);
  return png.buffer.slice(png.byteOffset, png.byteOffset + png.byteLength) as ArrayBuffer;
}

/**
 * Returns the image of a card in the current language from memory or R2; draws and stores it if it does not exist.
 * Returns null if `card` returns nothing to draw. `name` must identify the card's content apart from its language.
 */
export function drawnCard(studio: Studio, name: string, card: () => Promise<Card | null>): Promise<ArrayBuffer | null> {
  const key = `${name}${locale() === SOURCE_LOCALE ? '' : `-${locale()}`}.png`;
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

/**
 * Returns the image of a published board's first rows, or null if the board does not exist. `before` is called before
 * it is drawn, and may refuse that.
 */
export const boardCard = (studio: Studio, set: BoardSet, before: () => Promise<void>): Promise<ArrayBuffer | null> =>
  drawnCard(studio, cardKey(set, CARD_LOOK), async () => {
    await before();
    const page = await nearestPart(studio.store, set, 'page-0');
    if (!page) return null;
    const { data } = JSON.parse(gunzipSync(page).toString()) as { data: BoardAnswer<BoardRow> };
    return cardOf(set.game, set.board, data.rankings, data.info);
  });

/** Returns the image for pages without a board. */
export const ownCard = (studio: Studio): Promise<ArrayBuffer | null> =>
  drawnCard(studio, `cards/muster-${CARD_LOOK}`, async () => ownCardOf());
