const BEYOND_ASCII = /[\u0080-\uffff]/g;

/**
 * Returns JSON in ASCII only. A single Chinese name would make the engine hold the whole text at two bytes a character;
 * escaped, megabytes of figures stay at one.
 */
export const asciiJson = (value: unknown): string =>
  JSON.stringify(value).replace(
    BEYOND_ASCII,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
