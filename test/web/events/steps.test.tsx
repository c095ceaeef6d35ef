import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Steps } from '../../../web/components/events/why-this-score.tsx';
import '../page.ts';

const step = {
  from: 0,
  to: 3_600_000,
  gains: { killcount_t4: 100, deads: 1000 },
  doubts: {},
  points: {},
  dkp: null,
  dkp_raw: null,
};

test('the points of a step leave out the deads of zeroed governors', () => {
  const weights = { killcount_t4: 10, deads: 80 };
  const drawn = (deads_off: number, doubts = {}) =>
    renderToStaticMarkup(<Steps data={{ steps: [{ ...step, doubts }], deads_off }} game="rok" weights={weights} />);
  expect(drawn(80)).toContain('title="17,000"');
  expect(drawn(0)).toContain('title="81,000"');
  expect(drawn(80, { deads: 'fell' })).not.toContain('17,000');
});
