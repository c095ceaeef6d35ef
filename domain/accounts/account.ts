import * as z from 'zod';
import { LOCALES } from '../language/locales.ts';
import { MAX_PASSWORD, MIN_PASSWORD } from './password.ts';
import { SCOPES } from './scopes.ts';

/** Payloads of account and security calls. Routes validate with these schemas, and forms take their types from them. */

const username = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9][\w.-]{2,31}$/, 'must be 3 to 32 letters, digits or . - _ and begin with a letter or digit');
const email = z.string().trim().max(254).pipe(z.email('must be an e-mail address'));
const fullName = z
  .string()
  .trim()
  .max(100)
  .regex(/^[^\p{Cc}]*$/u, 'must not hold control characters');
const newPassword = z
  .string()
  .min(MIN_PASSWORD, `must be at least ${MIN_PASSWORD} characters`)
  .max(MAX_PASSWORD, `must be at most ${MAX_PASSWORD} characters`);
/** An existing password, which may predate the current rules. */
const password = z.string().min(1).max(MAX_PASSWORD);
/** Normalises a code to its stored form. Users may type it with spaces, in capitals or without dashes. */
function writtenCode(typed: string): string {
  const plain = typed.replace(/[\s-]/g, '').toLowerCase();
  return /^\d+$/.test(plain) ? plain : (plain.match(/.{1,5}/g) ?? []).join('-');
}

/** Six digits from an authenticator app, or a recovery code. */
const code = z.string().max(80).transform(writtenCode).pipe(z.string().min(6).max(40));
const token = z.string().min(1).max(1000);

export const login = z.object({
  username: z.string().trim().min(1).max(100),
  password,
  code: code
    .optional()
    .describe('Required if two-factor sign-in is set up. Without it, the answer says that it is needed.'),
});

export const registration = z.object({
  username,
  password: newPassword,
  email,
  fullname: fullName,
  access_code: z.string().trim().min(1, 'is needed to register').max(64),
});

export const verification = z.object({ token });
export const resetRequest = z.object({ email });
export const passwordReset = z.object({ token, password: newPassword });
export const passwordChange = z.object({
  current_password: password,
  password: newPassword,
  end_keys: z.boolean().default(false).describe("Whether to revoke the account's API keys too."),
});
export const emailChange = z.object({ current_password: password, email });
export const languageChoice = z.object({
  language: z.enum(LOCALES).describe('BCP 47 tag of the language of pages, mails and messages.'),
});
export const eulaAcceptance = z.object({
  accepted: z.literal(true, 'please agree first: the service needs it.'),
  version: z
    .int()
    .positive()
    .optional()
    .describe('The version that was read. If another one holds now, nothing happens.'),
});
export const twoFactorStart = z.object({ current_password: password });
export const twoFactorConfirm = z.object({ code });
export const twoFactorEnd = z.object({ current_password: password, code });
export const accountDeletion = z.object({
  current_password: password,
  code: code.optional(),
  username: z
    .string()
    .max(100)
    .describe("The account's own user name, as confirmation, because deletion cannot be undone."),
});

// --- API keys -------------------------------------------------------------------------------------------------------

export const MAX_KEYS = 20;

export const newKey = z.object({
  name: z.string().trim().min(1, 'give the key a name').max(60),
  scopes: z
    .array(z.enum(SCOPES))
    .min(1, 'choose at least one')
    .max(SCOPES.length)
    .refine((scopes) => new Set(scopes).size === scopes.length, 'names one twice'),
  current_password: password,
  code: code.optional().describe('Required if two-factor sign-in is on.'),
});

// --- Admins ---------------------------------------------------------------------------------------------------------

export const newAccessCode = z.object({
  code: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9-]{6,64}$/, 'must be 6 to 64 letters, digits or hyphens')
    .toUpperCase()
    .optional()
    .describe('A random code is made if omitted.'),
  max_uses: z.number().int().min(1).max(100_000),
  expires_at: z
    .number()
    .int()
    .min(0)
    .max(8.64e15)
    .nullish()
    .describe('Epoch milliseconds. Never expires if omitted or null.'),
  note: z.string().trim().max(200).default(''),
});

/** The user whose sessions an admin ends; null for everybody. */
export const signOut = z.object({ username: z.string().trim().min(1).max(100).nullable() });

/** Why a call was refused, if a page does more than show the sentence. */
export type RefusalReason = 'eula' | 'two_factor' | 'unverified';
