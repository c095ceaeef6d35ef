/** Returns a LIKE pattern (`ESCAPE '\'`) for lower-case text that contains this one. */
export const containing = (text: string): string => `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
