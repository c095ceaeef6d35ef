import type * as z from 'zod';
import type { registration } from '../../../domain/accounts/account.ts';
import type { Locale } from '../../../domain/language/locales.ts';
import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { Refusal } from '../../errors.ts';
import { languageOf } from '../../models/accounts/accounts.ts';
import { refuseWeak } from '../../models/accounts/password-strength.ts';
import { register } from '../../models/accounts/registration.ts';
import { takenMail } from '../messages/mail-texts.ts';
import { speakerFor } from '../service/speak.ts';
import { verifyMailFor } from './mail-links.ts';

/** Creates an account with an access code and mails the verification link. */
export async function registerAccount(
  db: Db,
  env: Env,
  { username, password, email, fullname, access_code }: z.output<typeof registration>,
  { address, language }: { address: string; language: Locale },
): Promise<void> {
  await refuseWeak(password, { username, email });
  const outcome = await register(
    db,
    { username, password, email, full_name: fullname, access_code, address, language },
    {
      verify: verifyMailFor(env, { username, email, language }),
      taken: async (reference) =>
        speakerFor(env)(await languageOf(db, { email }), () => takenMail(env.SITE_ORIGIN, email, reference)),
    },
  );
  if (outcome === 'username_taken') throw new Refusal('conflict', 'username: is taken. Please choose another.');
  if (outcome === 'code_refused')
    throw new Refusal('invalid', 'access_code: is not valid, has expired or was used up.');
}
