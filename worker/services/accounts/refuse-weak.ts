import { Refusal } from '../../errors.ts';
import { weaknessOf } from '../../models/accounts/password-strength.ts';

/** Refuses a password that is common or built from the user's own names. */
export async function refuseWeak(password: string, user: { username: string; email: string }): Promise<void> {
  const [mailbox = ''] = user.email.split('@');
  const flaw = await weaknessOf(password, [user.username, user.email, mailbox]);
  if (flaw) throw new Refusal('invalid', flaw);
}
