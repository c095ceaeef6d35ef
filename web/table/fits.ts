/** Upper bounds of letter widths in ems, bold, in Inter or a fallback font; other characters are unknown. */
const WIDEST = /^[MW@%mw\u00a1-\u00bfÆæ\u0152\u0153\u0174\u0175\u0126\u0149]$/;
const NARROWER = /^[a-z .,;:!|'()[\]-]$/;
const LATIN = /^[\x20-\x7e\u00c0-\u017f]$/;
const SQUARE = /^[\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3\uff01-\uff60]$/;

/** Returns whether a character has a square glyph: kana, Chinese characters and Hangul have. */
export const isSquare = (sign: string): boolean => SQUARE.test(sign);

function emsOf(sign: string): number {
  if (isSquare(sign) || WIDEST.test(sign)) return 1.2;
  if (NARROWER.test(sign)) return 0.75;
  return LATIN.test(sign) ? 0.9 : Number.POSITIVE_INFINITY;
}

const known = new Map<string, number>();

/** Returns whether a one-line text certainly fits in `room` ems. */
export function surelyFits(text: string, room: number): boolean {
  let ems = 0;
  for (const sign of text) {
    let wide = known.get(sign);
    if (wide === undefined) {
      wide = emsOf(sign);
      known.set(sign, wide);
    }
    ems += wide;
    if (ems > room) return false;
  }
  return true;
}

/** Font size and horizontal padding of a cell (table.module.css), in rem. */
const TEXT = 0.875;
const SIDES = 1.5;

let root: number | undefined;

/** Returns how many ems of text fit in a cell of the given width, at the reader's font size. */
export function roomIn(pixels: number): number {
  root ??= Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  return (pixels / root - SIDES) / TEXT;
}
