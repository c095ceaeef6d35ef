import { expect, test } from 'vitest';
import { Gate } from '../../../worker/files/gate.ts';

const soon = (ms: number) => new Promise<'waits'>((resolve) => setTimeout(resolve, ms, 'waits'));

test('so many work at once, the next one waits until a place is left', async () => {
  const gate = new Gate(2, 60_000);
  const first = await gate.enter();
  await gate.enter();
  const third = gate.enter();
  expect(await Promise.race([third, soon(60)])).toBe('waits');
  first.leave();
  expect(await Promise.race([third, soon(2000)])).toHaveProperty('leave');
});

test('a place that nobody touches is given away, one in use is not', async () => {
  const gate = new Gate(1, 100);
  const first = await gate.enter();
  const second = gate.enter();
  for (let time = 0; time < 6; time++) {
    first.touch();
    expect(await Promise.race([second, soon(40)])).toBe('waits');
  }
  expect(await Promise.race([second, soon(2000)])).toHaveProperty('leave');
});
