import { expect, test } from 'vitest';
import { hashPassword, passwordMatches } from '../../worker/models/accounts/passwords.ts';

test('other calls run between two password hashes', async () => {
  const order: string[] = [];
  const first = hashPassword('four unrelated words here').then(() => order.push('first'));
  const second = passwordMatches('four unrelated words here', null).then(() => order.push('second'));
  setTimeout(() => order.push('another call'), 1);
  await Promise.all([first, second]);
  expect(order).toEqual(['first', 'another call', 'second']);
});
