/** Text that players chose, made fit for markup that we write ourselves: heads of pages and pictures. */

const CODE = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' } as const;

/** A text without line breaks and without characters that are not drawn but steer how others are. */
export const plain = (text: string): string => text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '');

/** A text as markup shows it, inside an attribute too. */
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (mark) => CODE[mark as keyof typeof CODE]);
