import { expect, test } from 'vitest';
import { answerPieces } from '../../../worker/files/json-pieces.ts';

const rows = (count: number) => Array.from({ length: count }, (_, id) => ({ id, name: `„${id}“ 王`, power: null }));

test.each([
  ['no field', {}],
  ['fields alone', { rank: 1, note: undefined, kingdom: null, range: { start: 1, end: 2 } }],
  ['lists of one piece and of several between fields', { gone: rows(1), rank: 2, now: rows(5000), last: [] }],
])('an answer in pieces is the same JSON: %s', async (_, data) => {
  const pieces = [...answerPieces(data)];
  expect(JSON.parse(await new Blob(pieces).text())).toEqual(JSON.parse(JSON.stringify({ success: 1, data })));
});

test('rows are made and sent while later ones are not made yet', () => {
  let made = 0;
  const governors = (function* () {
    for (const row of rows(50_000)) {
      made++;
      yield row;
    }
  })();
  const pieces = answerPieces({ governors });
  expect(pieces.next().value?.length).toBeGreaterThan(60_000);
  expect(made).toBeLessThan(5000);
  expect([...pieces].length).toBeGreaterThan(10);
});
