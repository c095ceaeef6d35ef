import { locale } from '../../../domain/language/current.ts';
import { addressIn } from '../../../domain/language/public-paths.ts';
import { listed, t } from '../../../domain/language/text.ts';
import type { NewMail } from '../../models/messages/outbox.ts';

/**
 * Texts of account mails, in the current language (`speakTo`). `origin` is the service's public origin. Links carry a
 * signed token.
 */

/** Returns the address of a page in the mail's language. */
const page = (origin: string, path: string): string => origin + addressIn(locale(), path);

const link = (origin: string, path: string, token: string): string =>
  `${page(origin, path)}?token=${encodeURIComponent(token)}`;

interface Addressee {
  username: string;
  email: string;
}

const NOT_YOU_PASSWORD = () => t('If that was not you, set a new password at once:');

/** Returns a mail with these paragraphs. */
const mail = (to: string, reference: string, subject: string, paragraphs: readonly string[]): NewMail => ({
  to,
  reference,
  subject,
  text: [...paragraphs, 'Muster'].join('\n\n'),
  language: locale(),
});

const hello = ({ username }: Addressee): string => t('Hello {username},', { username });

export const verifyMail = (origin: string, to: Addressee, tokenId: string, token: string): NewMail =>
  mail(to.email, `verify:${tokenId}`, t('Verify your e-mail address'), [
    hello(to),
    `${t('Please confirm that this address is yours:')}\n${link(origin, '/verify-email', token)}`,
    t('The link works once, within 24 hours. If you did not register with Muster, ignore this mail.'),
  ]);

/** To the owner of an address that someone tried to register again. */
export const takenMail = (origin: string, email: string, reference: string): NewMail =>
  mail(email, `taken:${reference}`, t('You have an account with Muster already'), [
    t('Hello,'),
    t(
      'Someone, perhaps you, gave this e-mail address for a Muster account, but it has one already. Nothing was changed.',
    ),
    `${t('If you forgot your password, set a new one:')}\n${page(origin, '/password_reset')}`,
    t('If it was not you, there is nothing to do.'),
  ]);

export const resetMail = (origin: string, to: Addressee, tokenId: string, token: string): NewMail =>
  mail(to.email, `reset:${tokenId}`, t('Set a new password'), [
    hello(to),
    `${t('Set a new password here:')}\n${link(origin, '/password_reset', token)}`,
    t(
      'The link works once, within an hour. If you did not ask for it, ignore this mail: your password stays as it is.',
    ),
  ]);

export const passwordChangedMail = (origin: string, to: Addressee, reference: string): NewMail =>
  mail(to.email, `password:${reference}`, t('Your password was changed'), [
    hello(to),
    t('The password of your Muster account was changed just now, and you were signed out everywhere else.'),
    `${NOT_YOU_PASSWORD()}\n${page(origin, '/password_reset')}`,
  ]);

export const changeEmailMail = (
  origin: string,
  to: Addressee,
  newEmail: string,
  tokenId: string,
  token: string,
): NewMail =>
  mail(newEmail, `change_email:${tokenId}`, t('Confirm your new e-mail address'), [
    hello(to),
    `${t('Please confirm that your Muster account should use this address from now on:')}\n${link(origin, '/verify-email', token)}`,
    t('The link works once, within 24 hours. Until then we keep using the old one.'),
  ]);

/** To the current address when a change is requested. */
export const changeAskedMail = (
  origin: string,
  to: Addressee,
  newEmail: string,
  tokenId: string,
  token: string,
): NewMail =>
  mail(to.email, `change_asked:${tokenId}`, t('Your e-mail address is about to change'), [
    hello(to),
    t(
      'Someone who knows your password asked that your Muster account use {email} from now on. Until that address is confirmed, we keep using this one.',
      { email: newEmail },
    ),
    `${t('If that was not you, stop the change:')}\n${link(origin, '/stop-change', token)}`,
    `${t('Then set a new password:')}\n${page(origin, '/password_reset')}`,
  ]);

export const emailChangedMail = (to: Addressee, newEmail: string, reference: string): NewMail =>
  mail(to.email, `email_changed:${reference}`, t('Your e-mail address was changed'), [
    hello(to),
    t('Your Muster account now uses {email}. If that was not you, contact support at once.', { email: newEmail }),
  ]);

export const twoFactorMail = (to: Addressee, on: boolean, reference: string): NewMail =>
  mail(to.email, `two_factor:${reference}`, on ? t('Two-factor sign-in is on') : t('Two-factor sign-in is off'), [
    hello(to),
    `${
      on
        ? t('Two-factor sign-in of your Muster account was switched on just now.')
        : t('Two-factor sign-in of your Muster account was switched off just now.')
    } ${t('If that was not you, change your password at once.')}`,
  ]);

export const keyMadeMail = (
  origin: string,
  to: Addressee,
  { name, scopes }: { name: string; scopes: readonly string[] },
  reference: string,
): NewMail =>
  mail(to.email, `key:${reference}`, t('A new API key was created'), [
    hello(to),
    t("An API key named '{name}' was created for your Muster account just now. It may: {scopes}.", {
      name,
      scopes: listed(scopes),
    }),
    `${t('If that was not you, revoke the key and change your password at once:')}\n${page(origin, '/account/keys')}`,
  ]);

export const deletedMail = (to: Addressee, reference: string): NewMail =>
  mail(to.email, `deleted:${reference}`, t('Your account was deleted'), [
    hello(to),
    t('Your Muster account and everything in it were deleted, as you asked. This is our last mail to you.'),
  ]);
