const ARABIC: Readonly<Record<string, string>> = { '\u066b': '.', '\u066c': ',', '\u060c': ',', '\u061b': ';' };

function narrowed(sign: string): string {
  const code = sign.charCodeAt(0);
  if (code >= 0xff01) return String.fromCharCode(code - 0xfee0);
  // Both rows of Arabic digits begin at a multiple of 16.
  return ARABIC[sign] ?? String(code % 16);
}

/** Converts full-width digits, letters and signs, as typed in East Asia, and Arabic digits to the ordinary ones. */
export const narrow = (text: string): string =>
  text.replace(/[\uff01-\uff5e\u0660-\u0669\u06f0-\u06f9\u066b\u066c\u060c\u061b]/g, narrowed);

/** Converts a typed figure, and removes the spaces around it and between its groups of three digits. */
export const ungrouped = (text: string): string =>
  narrow(text)
    .trim()
    .replace(/(?<=\d)\s(?=\d{3}(?!\d))/g, '');

/** Splits a typed or pasted list at commas, semicolons, spaces and line ends. */
export const entriesOf = (text: string): string[] =>
  narrow(text)
    .split(/[\s,;\u3001]+/)
    .filter((entry) => entry !== '');
