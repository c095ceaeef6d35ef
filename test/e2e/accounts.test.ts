import { Secret, TOTP } from 'otpauth';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { launchBrowser, openPage, PHONE, signIn, signInByCall } from '../support/browser.ts';
import { type Client, newUser, PASSWORD, signedIn } from '../support/client.ts';
import { linkMailed } from '../support/mails.ts';

let browser: Browser;
let admin: Client;
beforeAll(async () => {
  browser = await launchBrowser();
  admin = await signedIn(inject('address'), 'admin', 'admin-muster');
});
afterAll(() => browser.close());

/** Opens a page that also records what the pages' policy blocked. */
async function watchedPage(viewport?: { width: number; height: number }) {
  const opened = await openPage(browser, inject('address'), viewport);
  opened.page.on('console', (message) => {
    if (/Content Security Policy|Refused to/i.test(message.text())) opened.errors.push(message.text());
  });
  return opened;
}

/** Creates a user, signed in. */
async function signedInUser(page: Page): Promise<{ username: string; email: string }> {
  const { username } = await newUser(inject('address'), 1);
  await signInByCall(page, username, PASSWORD);
  return { username, email: `${username}@mail.example` };
}

const logout = async (page: Page): Promise<void> => {
  await page.goto('/logout');
  await page.waitForURL((address) => address.pathname === '/');
};

test('a user resets a forgotten password by mail', async () => {
  const { page, context, errors } = await watchedPage();
  const { username } = await newUser(inject('address'), 1);
  const email = `${username}@mail.example`;
  await page.goto('/login');
  await page.getByRole('link', { name: 'Reset your password' }).click();
  await page.getByLabel('E-mail').fill(email);
  await page.getByRole('button', { name: 'Send the mail' }).click();
  await page.getByText('If an account has this e-mail address, a mail with a link is on its way.').waitFor();
  await page.goto(await linkMailed(admin, email, 'Set a new password'));
  await page.getByLabel('New password').fill('entirely other words now');
  await page.getByLabel('Confirm password').fill('entirely other words now');
  await page.getByRole('button', { name: 'Set the password' }).click();
  await page.waitForURL('**/login?note=reset');
  await signIn(page, username, PASSWORD);
  await page.getByText('The username or password is wrong.').waitFor();
  await signIn(page, username, 'entirely other words now');
  await page.waitForURL((address) => /^\/dashboard\/?$/.test(address.pathname));
  expect(errors).toEqual([]);
  await context.close();
});

test('a user sets up two-factor sign-in, uses it on a phone, creates an API key and deletes the account', async () => {
  const { page, context, errors } = await watchedPage();
  const { username } = await signedInUser(page);
  await page.goto('/account/security');
  const card = page.getByRole('form', { name: 'Two-factor sign-in' });
  await card.getByLabel('Password').fill(PASSWORD);
  await card.getByRole('button', { name: 'Set up' }).click();
  await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
  const secret = ((await page.getByText(/^Key:/).locator('..').textContent()) ?? '').replace(/Key:|\s/g, '');
  const codeAt = (timestamp: number) => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });
  await page.getByLabel('Code', { exact: true }).fill(codeAt(Date.now()));
  await page.getByRole('button', { name: 'Switch on' }).click();
  const codes = page.getByRole('listitem').filter({ hasText: /^[a-z0-9]{5}(-[a-z0-9]{5}){4}$/ });
  await codes.first().waitFor();
  expect(await codes.count()).toBe(10);
  const [recovery = '', spare = ''] = await codes.allTextContents();
  await page.getByRole('button', { name: 'I have kept them' }).click();

  const phone = await watchedPage(PHONE);
  await phone.page.goto('/login?from=/account/keys');
  await signIn(phone.page, username, PASSWORD);
  await phone.page.getByText('Please enter the code from your authenticator app.').waitFor();
  await phone.page.getByLabel('Code').fill(codeAt(Date.now() + 30_000));
  await phone.page.getByRole('button', { name: 'Login' }).click();
  await phone.page.waitForURL(({ pathname }) => pathname === '/account/keys');
  await phone.page.getByLabel('Name', { exact: true }).fill('Alliance bot');
  await phone.page.getByLabel('Password').fill('not the password');
  await phone.page.getByLabel('Code').fill(spare);
  await phone.page.getByRole('button', { name: 'Make the key' }).click();
  await phone.page.getByText('current_password: is wrong.').waitFor();
  await phone.page.getByLabel('Password').fill(PASSWORD);
  await phone.page.getByRole('button', { name: 'Make the key' }).click();
  const key = await phone.page.getByText(/^mk_/).last().textContent();
  const byKey = await fetch(`${inject('address')}/v1/orders/`, { headers: { authorization: `Bearer ${key}` } });
  expect(byKey.status).toBe(200);
  await phone.page.getByRole('button', { name: 'Revoke Alliance bot' }).click();
  await phone.page.getByText('You have no keys.').waitFor();
  const revoked = await fetch(`${inject('address')}/v1/orders/`, { headers: { authorization: `Bearer ${key}` } });
  expect(revoked.status).toBe(401);
  expect(await phone.page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);

  await phone.page.goto('/account');
  const deletion = phone.page.getByRole('form', { name: 'Delete account' });
  await deletion.getByLabel(`Type your username, ${username}`).fill(username);
  await deletion.getByLabel('Password').fill(PASSWORD);
  await deletion.getByLabel('Code').fill(recovery);
  await deletion.getByRole('button', { name: 'Delete my account' }).click();
  await phone.page.waitForURL('**/login?note=deleted');
  await page.reload();
  await page.waitForURL(/\/login/);
  await signIn(page, username, PASSWORD);
  await page.getByText('The username or password is wrong.').waitFor();
  expect([...errors, ...phone.errors]).toEqual([]);
  await phone.context.close();
  await context.close();
});

test('the mail to the old address can stop a change of address', async () => {
  const { page, context, errors } = await watchedPage(PHONE);
  const { email } = await signedInUser(page);
  await page.goto('/account');
  const form = page.getByRole('form', { name: 'Change e-mail' });
  await form.getByLabel('New e-mail').fill(`thief-${email}`);
  await form.getByLabel('Password').fill(PASSWORD);
  await form.getByRole('button', { name: 'Send the link' }).click();
  await page.getByText(`Please open the link in the mail that we sent to thief-${email}.`).waitFor();
  const confirm = await linkMailed(admin, `thief-${email}`, 'Confirm your new e-mail address');
  await page.goto(await linkMailed(admin, email, 'Your e-mail address is about to change'));
  await page.getByRole('button', { name: 'Stop this change' }).click();
  await page.getByText('The change was stopped, and your e-mail address stays as it is.').waitFor();
  await page.goto(confirm);
  await page.getByText('There was a failure trying to verify your email').waitFor();
  await page.goto('/account');
  await page.getByText(email, { exact: true }).waitFor();
  expect(errors).toEqual([]);
  await context.close();
});

test('users cannot open the admin area, and admins see the fleet there', async () => {
  const { page, context, errors } = await watchedPage();
  await signInByCall(page);
  await page.goto('/admin/');
  await page.getByText("This page doesn't exist - seems you're in the wrong place!").waitFor();
  await logout(page);
  await page.goto('/login?from=/admin/bots');
  await signIn(page, 'admin', 'admin-muster');
  await page.getByRole('navigation', { name: 'Groups of bots' }).getByRole('link').first().waitFor();
  await page
    .getByText(/\d+ s ago/)
    .first()
    .waitFor();
  expect(errors).toEqual([]);
  await context.close();
});

test('the cookie banner asks once a year', async () => {
  const { page, context } = await watchedPage();
  await page.goto('/faq');
  await page.getByText('This website uses cookies to enhance the user experience.').waitFor();
  await page.getByRole('button', { name: 'I understand' }).click();
  // A press before the page's script is repeated by it.
  await page.getByRole('button', { name: 'I understand' }).waitFor({ state: 'hidden' });
  const consent = (await context.cookies()).find(({ name }) => name === 'muster_consent');
  const days = ((consent?.expires ?? 0) - Date.now() / 1000) / 86_400;
  expect(days).toBeGreaterThan(364.9);
  expect(days).toBeLessThan(365.1);
  await page.reload();
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(await page.getByRole('button', { name: 'I understand' }).count()).toBe(0);
  await context.close();
});

test.each(['/', '/login', '/leaderboard', '/assets', '/no-such-page'])(
  'the page %s runs scripts and loads files from its own origin only',
  async (path) => {
    const { headers } = await fetch(inject('address') + path);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|\*/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  },
);
