const BEYOND_ASCII = /[\u0080-\uffff]/g;

/**
 * JSON without a character beyond ASCII. One Chinese name makes the engine hold and copy all of a text in two bytes a
 * character; escaped, megabytes of figures around it stay at one.
 */
export const asciiJson = (value: unknown): string =>
  JSON.stringify(value).replace(
    BEYOND_ASCII,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
