import { expect, test } from 'vitest';
import { pickedText } from '../../web/ui/picked-text.ts';

const NOTE = '1,main,,Söldner';
const utf8 = (text: string) => new TextEncoder().encode(text);
const codes = (text: string) => Array.from(text, (character) => character.charCodeAt(0));

test.each([
  ['UTF-8', utf8(NOTE)],
  ['UTF-8 with a byte order mark', utf8(`\ufeff${NOTE}`)],
  ['UTF-16', Uint8Array.from([0xfeff, ...codes(NOTE)].flatMap((code) => [code & 0xff, code >> 8]))],
  ['Windows-1252', Uint8Array.from(codes(NOTE))],
])('a picked file in %s keeps its umlauts', async (_, bytes) => {
  expect(await pickedText(new Blob([bytes]))).toBe(NOTE);
});

test('a file in Windows-1252 keeps its last character', async () => {
  expect(await pickedText(new Blob([Uint8Array.from(codes('1;main;;André'))]))).toBe('1;main;;André');
});

test('the first part of a file may end within a character', async () => {
  const bytes = utf8('Söldner 灯');
  expect(await pickedText(new Blob([bytes]), bytes.length - 1)).toBe('Söldner ');
});
