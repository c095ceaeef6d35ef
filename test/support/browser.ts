import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Locator, type Page, type Request } from 'playwright-core';

// The shell first: without the window around its pages it does the same work in two thirds of the time.
const INSTALLED = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'].map(
  (name) => `/usr/bin/${name}`,
);

const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A headless Chromium: CHROMIUM, the machine's own, or one from an npm package. */
export async function launchBrowser(): Promise<Browser> {
  const installed = [process.env.CHROMIUM ?? '', ...INSTALLED].find((path) => path !== '' && existsSync(path));
  const { executablePath, env } = installed ? { executablePath: installed, env: {} } : packagedChromium();
  return chromium.launch({ executablePath, args: QUIET, env: { ...process.env, LANG: 'en_US.UTF-8', ...env } });
}

export const DESKTOP = { width: 1280, height: 800 };
export const PHONE = { width: 390, height: 844 };

/** React's errors about markup of the Worker that differs from the first render in the browser. */
const NOT_HYDRATED = /React error #(418|419|421|422|423|425)\b|hydrat/i;
/** Such errors of all pages since they were last taken. Every browser test fails by one (told-on-failure.ts). */
export const notHydrated: string[] = [];

/** The pages that are open, and what the server refused or failed to answer them. */
export const openPages = new Map<Page, string[]>();

/** Waits until React handles what is pressed in a page of the app. Before, a link loads its page. */
async function attached(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const root = document.getElementById('root');
    return !root || Object.keys(root).some((key) => key.startsWith('__reactContainer'));
  });
}

/**
 * A page of its own session, whose reader's clock is UTC unless told otherwise. It collects what goes wrong in it:
 * uncaught errors, and refused scripts or styles. `goto` waits for React, unless it waits for 'commit' alone.
 */
export async function openPage(
  browser: Browser,
  address: string,
  viewport = DESKTOP,
  timezoneId = 'UTC',
): Promise<{ page: Page; context: BrowserContext; errors: string[] }> {
  const context = await browser.newContext({
    baseURL: address,
    viewport,
    locale: 'en-US',
    timezoneId,
    acceptDownloads: true,
  });
  const page = await context.newPage();
  const goto = page.goto.bind(page);
  page.goto = async (url, options) => {
    const answer = await goto(url, options);
    if (options?.waitUntil !== 'commit') await attached(page);
    return answer;
  };
  const errors: string[] = [];
  page.on('pageerror', (error) => {
    errors.push(error.message);
    if (NOT_HYDRATED.test(error.message)) notHydrated.push(`${page.url()}: ${error.message}`);
  });
  const refusals: string[] = [];
  openPages.set(page, refusals);
  const refused = (request: Request, why: string | number) =>
    refusals.push(`${request.method()} ${request.url()}: ${why}`);
  page.on('response', (response) => response.ok() || refused(response.request(), response.status()));
  page.on('requestfailed', (request) => refused(request, request.failure()?.errorText ?? 'no answer'));
  page.on('close', () => openPages.delete(page));
  return { page, context, errors };
}

/** Signs in through the form, wherever the guard has led to it; as the seed's demo user unless told otherwise. */
export async function signIn(page: Page, username = 'demo', password = 'demo-muster'): Promise<void> {
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Login' }).click();
}

/** Signs in without the form, for tests of other screens. The next page that is opened is the user's. */
export async function signInByCall(page: Page, username = 'demo', password = 'demo-muster'): Promise<void> {
  const answer = await page.request.post('/v1/login', { data: { username, password } });
  if (!answer.ok()) throw new Error(`${username} could not sign in: ${await answer.text()}`);
  // Public pages ask who is signed in only if the browser remembers a name (web/session.ts).
  await page.goto('/v1/health');
  await page.evaluate((user) => localStorage.setItem('user', user), username);
}

/** The longest wait of a page before it repeats a call. */
const LONGEST_RETRY_MS = 2000;
/** More repeated calls than any page makes. */
const MOST_RETRIES = 20;

/** Sends the page's installed clock ahead until something is shown, so that a test does not wait for repeated calls. */
export async function withoutWaiting(page: Page, shown: Locator): Promise<void> {
  for (let retry = 0; retry < MOST_RETRIES && !(await shown.isVisible()); retry++) {
    await page.clock.fastForward(LONGEST_RETRY_MS);
    await page.waitForTimeout(50);
  }
  await shown.waitFor();
}

/** Holds back the page's requests for these addresses. Returns the function that lets them go. */
export async function hold(page: Page, url: string | RegExp): Promise<() => void> {
  const held = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    await held.promise;
    await route.continue().catch(() => undefined);
  });
  return held.resolve;
}

/**
 * A Chromium out of an npm package (67 MB, Linux x64), for machines without one. It is no dependency of this project,
 * because only tests need it, and only there: it is fetched at the first test run into a cache beside the packages.
 */
const PACKAGE = '@sparticuz/chromium@153.0.0';
const CACHE = resolve(import.meta.dirname, '../../node_modules/.cache/chromium');

// The package unpacks into the folder for temporary files, and adds the NSS libraries only if the environment looks
// like AWS Lambda.
const UNPACK = `import('@sparticuz/chromium').then(({ default: chromium }) => chromium.executablePath())`;

/** Installs and unpacks it once. Returns what to launch, and with which environment. */
function packagedChromium(): { executablePath: string; env: Record<string, string> } {
  const executablePath = join(CACHE, 'chromium');
  const fonts = join(CACHE, 'fonts.conf');
  if (!existsSync(fonts)) {
    mkdirSync(CACHE, { recursive: true });
    execFileSync('npm', ['install', '--no-save', '--loglevel=error', '--prefix', CACHE, PACKAGE], { stdio: 'inherit' });
    execFileSync(process.execPath, ['--input-type=module', '--eval', UNPACK], {
      cwd: CACHE,
      env: { ...process.env, TMPDIR: CACHE, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' },
    });
    // Without a configuration that names its fonts it draws no text at all.
    writeFileSync(
      fonts,
      `<fontconfig><dir>${join(CACHE, 'fonts')}</dir><cachedir>${join(CACHE, 'font-cache')}</cachedir></fontconfig>`,
    );
  }
  return {
    executablePath,
    env: {
      LD_LIBRARY_PATH: join(CACHE, 'al2023', 'lib'),
      FONTCONFIG_FILE: fonts,
      TMPDIR: CACHE,
      // Without a language uPlot throws.
      LANG: 'en_US.UTF-8',
    },
  };
}
