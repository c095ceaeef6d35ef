import type { NewMail } from '../../models/messages/outbox.ts';

/** Texts of account mails. `origin` is the service's public origin. Links carry a signed token. */

const CLOSING = '\n\nMuster';
const link = (origin: string, path: string, token: string) => `${origin}${path}?token=${encodeURIComponent(token)}`;

interface Addressee {
  username: string;
  email: string;
}

export const verifyMail = (origin: string, to: Addressee, tokenId: string, token: string): NewMail => ({
  to: to.email,
  reference: `verify:${tokenId}`,
  subject: 'Verify your e-mail address',
  text: `Hello ${to.username},

please confirm that this address is yours:
${link(origin, '/verify-email', token)}

The link works once, within 24 hours. If you did not register with Muster, ignore this mail.${CLOSING}`,
});

/** To the owner of an address that someone tried to register again. */
export const takenMail = (origin: string, email: string, reference: string): NewMail => ({
  to: email,
  reference: `taken:${reference}`,
  subject: 'You have an account with Muster already',
  text: `Hello,

someone, perhaps you, gave this e-mail address for a Muster account, but it has one already. Nothing was changed.

If you forgot your password, set a new one:
${origin}/password_reset

If it was not you, there is nothing to do.${CLOSING}`,
});

export const resetMail = (origin: string, to: Addressee, tokenId: string, token: string): NewMail => ({
  to: to.email,
  reference: `reset:${tokenId}`,
  subject: 'Set a new password',
  text: `Hello ${to.username},

set a new password here:
${link(origin, '/password_reset', token)}

The link works once, within an hour. If you did not ask for it, ignore this mail: your password stays as it is.${CLOSING}`,
});

export const passwordChangedMail = (origin: string, to: Addressee, reference: string): NewMail => ({
  to: to.email,
  reference: `password:${reference}`,
  subject: 'Your password was changed',
  text: `Hello ${to.username},

the password of your Muster account was changed just now, and you were signed out everywhere else.

If that was not you, set a new one at once:
${origin}/password_reset${CLOSING}`,
});

export const changeEmailMail = (
  origin: string,
  to: Addressee,
  newEmail: string,
  tokenId: string,
  token: string,
): NewMail => ({
  to: newEmail,
  reference: `change_email:${tokenId}`,
  subject: 'Confirm your new e-mail address',
  text: `Hello ${to.username},

please confirm that your Muster account should use this address from now on:
${link(origin, '/verify-email', token)}

The link works once, within 24 hours. Until then we keep using the old one.${CLOSING}`,
});

/** To the current address when a change is requested. */
export const changeAskedMail = (
  origin: string,
  to: Addressee,
  newEmail: string,
  tokenId: string,
  token: string,
): NewMail => ({
  to: to.email,
  reference: `change_asked:${tokenId}`,
  subject: 'Your e-mail address is about to change',
  text: `Hello ${to.username},

someone who knows your password asked that your Muster account use ${newEmail} from now on. Until that address is confirmed, we keep using this one.

If that was not you, stop the change:
${link(origin, '/stop-change', token)}

Then set a new password:
${origin}/password_reset${CLOSING}`,
});

export const emailChangedMail = (to: Addressee, newEmail: string, reference: string): NewMail => ({
  to: to.email,
  reference: `email_changed:${reference}`,
  subject: 'Your e-mail address was changed',
  text: `Hello ${to.username},

your Muster account now uses ${newEmail}. If that was not you, contact support at once.${CLOSING}`,
});

export const twoFactorMail = (to: Addressee, on: boolean, reference: string): NewMail => ({
  to: to.email,
  reference: `two_factor:${reference}`,
  subject: on ? 'Two-factor sign-in is on' : 'Two-factor sign-in is off',
  text: `Hello ${to.username},

two-factor sign-in of your Muster account was switched ${on ? 'on' : 'off'} just now. If that was not you, change your password at once.${CLOSING}`,
});

export const keyMadeMail = (
  origin: string,
  to: Addressee,
  key: { name: string; scopes: readonly string[] },
  reference: string,
): NewMail => ({
  to: to.email,
  reference: `key:${reference}`,
  subject: 'A new API key was created',
  text: `Hello ${to.username},

an API key named '${key.name}' was created for your Muster account just now. It may: ${key.scopes.join(', ')}.

If that was not you, revoke the key and change your password at once:
${origin}/account/keys${CLOSING}`,
});

export const deletedMail = (to: Addressee, reference: string): NewMail => ({
  to: to.email,
  reference: `deleted:${reference}`,
  subject: 'Your account was deleted',
  text: `Hello ${to.username},

your Muster account and everything in it were deleted, as you asked. This is our last mail to you.${CLOSING}`,
});
