import { gunzipSync } from 'node:zlib';
import type { BoardAnswer, BoardRow } from '../../../domain/boards/rows.ts';
import { nameOr } from '../../../domain/figures.ts';
import { type Card, cardOf, cardSvg, OWN_CARD } from '../../files/card.ts';
import { nearestObject, nearestPart } from '../../gateways/board-cache.ts';
import { type BoardSet, cardKey, picture, putPicture } from '../../gateways/board-store.ts';
import { fontsFor } from '../../gateways/card-fonts.ts';

/** Version of the cards' design. It is part of their keys, because stored images never change. */
export const CARD_LOOK = 4;

/** What drawing needs: the image store and the assets with the fonts. */
export interface Studio {
  store: R2Bucket;
  assets: Fetcher;
  /** Any origin of ours; the assets require one. */
  origin: string;
}

/** Replaces characters without a font by their plain equivalents (𝕳 by H), or removes them. */
const drawable = (text: string, draws: (character: string) => boolean): string =>
  [...text]
    .map((character) =>
      character === ' ' || draws(character) ? character : [...character.normalize('NFKC')].filter(draws).join(''),
    )
    .join('')
    .trim();

/** Returns the card as SVG with drawable characters only, and its fonts. */
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

/** Draws a card as PNG. */
export async function drawCard(studio: Studio, card: Card): Promise<ArrayBuffer> {
  const { svg, fonts } = await layOut(studio, card);
  // Loaded with the first card, so that other responses do not wait for the drawing library.
  const { drawPng } = await import('../../files/png.ts');
  const png = await drawPng(svg, fonts);
  return png.buffer.slice(png.byteOffset, png.byteOffset + png.byteLength) as ArrayBuffer;
}

/** Returns an image from memory, the edge or R2; draws and stores it if it does not exist. */
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

/** Returns the image of a published board's first rows, or null if the board does not exist. */
export const boardCard = (studio: Studio, set: BoardSet): Promise<ArrayBuffer | null> =>
  kept(studio, cardKey(set, CARD_LOOK), async () => {
    const page = await nearestPart(studio.store, set, 'page-0');
    if (!page) return null;
    const { data } = JSON.parse(gunzipSync(page).toString()) as { data: BoardAnswer<BoardRow> };
    return cardOf(set.game, set.board, data.rankings, data.info);
  });

/** Returns the image for pages without a board. */
export const ownCard = (studio: Studio): Promise<ArrayBuffer | null> =>
  kept(studio, `cards/muster-${CARD_LOOK}.png`, async () => OWN_CARD);

/**
 * Returns the image of a card laid out by `make`, or null if there is nothing to draw. `key` must identify the card's
 * content.
 */
export const drawnCard = (studio: Studio, key: string, make: () => Promise<Card | null>): Promise<ArrayBuffer | null> =>
  kept(studio, key, make);
