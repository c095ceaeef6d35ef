import { afterEach, expect, test } from 'vitest';
import { noteText } from '../../domain/money/notes.ts';
import { speak } from '../support/speak.ts';
import { speakWholly } from '../support/speak-wholly.ts';

afterEach(() => speak('en'));

/** Notes as SQL writes them, and what an admin wrote. */
const NOTES = [
  ...['Kingdom 1042', 'Server 7', 'Kingdom 1042: 240 of 1,300 governors', 'Server 7: 0 of 300 lords', '1,203 items'],
  ...['Paid by Stripe', 'To the team 5 items', 'From the closed team Kingdom 7', 'Because of #7: 2 of 3 items', ''],
];

test.each(NOTES)('the note %j stays as it is in English', (note) => expect(noteText(note)).toBe(note));

test('a note is told in the reader’s language', () => {
  speakWholly('ko');
  expect(noteText('Kingdom 1042')).toBe('왕국 1042');
  expect(noteText('Server 7: 240 of 1,300 lords')).toMatch(/^서버 7: .*영주.*1,300.*240|^서버 7: .*1,300.*영주.*240/);
  expect(noteText('To the team Wolves')).toMatch(/Wolves.*[가-힣]|[가-힣].*Wolves/);
  expect(noteText('Because of #7')).toBe('Because of #7');
});
