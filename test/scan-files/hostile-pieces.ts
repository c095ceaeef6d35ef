/** Repeated pieces that hostile files are made of. */

export const MB = 1_000_000;
export const CSV_HEAD = 'Governor ID,Name,Power\n';

/** A string that begins with `start` and goes on with `piece` up to so many characters. */
export const filled = (size: number, piece: string, start = ''): string =>
  (start + piece.repeat(Math.ceil(size / piece.length))).slice(0, size);

/** Numbered lines up to so many bytes. */
export function lines(bytes: number, line: (index: number) => string, start = ''): Buffer {
  const parts = [start];
  for (let index = 0, size = start.length; ; index++) {
    const next = line(index);
    size += next.length;
    if (size > bytes) return Buffer.from(parts.join(''));
    parts.push(next);
  }
}

/** Pieces by their numbers, one after the other. */
export const numbered = (count: number, piece: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => piece(at)).join('');
