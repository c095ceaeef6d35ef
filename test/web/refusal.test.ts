import './page.ts';
import { expect, test } from 'vitest';
import { ApiError } from '../../web/api/client.ts';
import { refusedField } from '../../web/components/refusal.tsx';

test('a refusal names its field, also for an entry of a list', () => {
  const of = (message: string, status = 400) => refusedField(new ApiError(message, status));
  expect(of('email: must be an e-mail address.')).toEqual({ name: 'email', text: 'must be an e-mail address.' });
  expect(of('rows[3]: must be ids of governors.')).toEqual({ name: 'rows', text: 'must be ids of governors.' });
  expect(of('The password is common.')).toBeNull();
  expect(of('Something went wrong: try again.')).toBeNull();
  expect(of('email: is taken.', 409)).toBeNull();
  expect(refusedField(new Error('email: must be one.'))).toBeNull();
});
