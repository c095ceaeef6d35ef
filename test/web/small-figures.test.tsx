import './page.ts';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Sparkline } from '../../web/chart/sparkline.tsx';
import { percent } from '../../web/components/difference/gain.tsx';
import { useToasts } from '../../web/ui/toast.tsx';
import { hooked } from './hook.tsx';

test('a percentage below 100 never rounds up to 100', () => {
  expect([99.94, 99.96, 99.999, 100, 250.04, -0.05].map(percent)).toEqual([
    ...['99.9%', '99.9%', '99.9%', '100.0%', '250.0%', '-0.1%'],
  ]);
  expect(percent(null)).toBe('?');
});

test('a sparkline puts a constant in the middle, places values by time, and needs two', () => {
  const points = (values: readonly number[], at: readonly number[]) =>
    /points="([^"]*)"/.exec(renderToStaticMarkup(<Sparkline label="Power" values={values} at={at} />))?.[1];
  expect(points([5, 5, 5], [0, 1, 2])).toBe('3,12 48,12 93,12');
  expect(points([0, -10, 10], [0, 3, 4])).toBe('3,12 70.5,21 93,3');
  expect(points([5], [0])).toBeUndefined();
});

test('a toast is shown even if none was expected', async () => {
  const toasts = await hooked((expected: boolean) => useToasts(expected), false as boolean);
  expect(toasts.value.toasts).toBe(false);
  await toasts.does(() => toasts.value.show('Order #1 is finished', 'View Results'));
  expect(toasts.value.toasts).not.toBe(false);
  await toasts.end();
});
