/** Ems that letters take at most, bold, in Inter or whatever stands in for it; of other signs nobody knows. */
const WIDEST = /^[MW@%mw\u00a1-\u00bfÆæŒœŴŵĦŉ]$/;
const NARROWER = /^[a-z .,;:!|'()[\]-]$/;
const LATIN = /^[\x20-\x7e\u00c0-\u017f]$/;
/** Kana, Chinese characters, Hangul: squares. */
const SQUARE = /^[\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3\uff01-\uff60]$/;

function emsOf(sign: string): number {
  if (SQUARE.test(sign) || WIDEST.test(sign)) return 1.2;
  if (NARROWER.test(sign)) return 0.75;
  return LATIN.test(sign) ? 0.9 : Number.POSITIVE_INFINITY;
}

const known = new Map<string, number>();

/** True where a text of one line surely has room in so many ems. */
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

/** Of a cell (virtual-table.module.css): text and the space at its sides, in the root's ems. */
const TEXT = 0.875;
const SIDES = 1.5;

let root: number | undefined;

/** The ems of text that a cell of so many pixels has room for, whatever size the reader has chosen. */
export function roomIn(pixels: number): number {
  root ??= Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  return (pixels / root - SIDES) / TEXT;
}
