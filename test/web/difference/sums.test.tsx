import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { gain, Sums } from '../../../web/components/difference/sums.tsx';
import { type Term, termsOf } from '../../../web/components/difference/term-sum.tsx';
import '../page.ts';
import { ComparedFiles } from '../../../web/components/difference/compared-files.tsx';

const SUM = { common: 4, joined: 1, gone: 2, raw: 900, left_out: 3 };
const drawn = (sums: Parameters<typeof Sums>[0]['sums'], figures: Parameters<typeof Sums>[0]['figures'] = []) =>
  renderToStaticMarkup(<Sums title="Camp" sums={sums} figures={figures} />);

test('sums are listed by DKP, unknown ones last, with raw totals, exclusions and people', () => {
  const html = drawn([
    { ...SUM, name: 'Fire', dkp: 20 },
    { ...SUM, name: 'Wind', dkp: null },
    { ...SUM, name: 'Earth', dkp: 300 },
  ]);
  expect([...html.matchAll(/Earth|Fire|Wind/g)].map(String)).toEqual(['Earth', 'Fire', 'Wind']);
  expect([...html.matchAll(/<button[^>]*>([^<]+)/g)].map(([, title]) => title)).toEqual([
    'Camp',
    'DKP',
    'Raw total',
    'Excluded',
    'In both',
    'Joined',
    'Left',
  ]);
  const [first = ''] = html.split('<tbody>')[1]?.split('</tr>') ?? [];
  expect(
    first
      .replaceAll(/<[^>]+>/g, ' ')
      .trim()
      .split(/\s+/),
  ).toEqual(['Earth', '+300', '+900', '3', '4', '1', '2']);
});

test('further figures stand between exclusions and people', () => {
  const html = drawn([{ ...SUM, name: 'Fire', dkp: 20 }], [gain('now', 'Power gained', 'Since then', () => -7)]);
  const titles = [...html.matchAll(/<button[^>]*>([^<]+)/g)].map(([, title]) => title);
  expect(titles.slice(3, 5)).toEqual(['Excluded', 'Power gained']);
  expect(html).toContain('-7');
});

const governor = {
  gain: (key: string) => ({ killcount_t4: 100, deads: 50 })[key] ?? null,
  doubt: (key: string) => (key === 'killcount_t4' ? ('fell' as const) : null),
  power: 1000,
  deadsOff: 80,
};
const points = (terms: readonly Term[]) => terms.map((term) => [term.key, term.weight, term.points, term.doubt]);

test('a score’s terms are weight times gain, less the deads of zeroed governors and power at the start', () => {
  const weights = { killcount_t4: 10, killcount_t5: 20, deads: 30, power: 0 };
  expect(points(termsOf('rok', { weights, power_off: 0.5 }, governor))).toEqual([
    ['killcount_t4', 10, 1000, 'fell'],
    ['killcount_t5', 20, null, null],
    ['deads', 6, 300, null],
    ['power_off', -0.5, -500, null],
  ]);
  expect(termsOf('rok', { weights: { deads: 1 }, power_off: 0 }, governor)).toHaveLength(1);
  expect(points(termsOf('rok', { weights: {}, power_off: 2 }, { ...governor, power: null }))).toEqual([
    ['power_off', -2, null, null],
  ]);
});

test.each<[boolean, string[]]>([
  [true, ['csv', 'xlsx', 'png', 'text']],
  [false, ['csv', 'xlsx']],
])('files of scores are offered only if the comparison shows scores: %s', (scores, types) => {
  const html = renderToStaticMarkup(<ComparedFiles scores={scores} href={(type) => type} />);
  expect([...html.matchAll(/href="([^"]+)"/g)].map(([, type]) => type)).toEqual(types);
});
