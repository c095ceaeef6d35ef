/** Escapes texts chosen by players for markup that we generate: page heads and images. */

const CODE = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' } as const;

/** Removes line breaks and invisible control characters. */
export const plain = (text: string): string => text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '');

/** Escapes a text for markup, attributes included. */
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (mark) => CODE[mark as keyof typeof CODE]);
