import type { Browser, Page, Request, Route } from 'playwright-core';
import { openPage, signIn } from '../support/browser.ts';
import { PASSWORD } from '../support/client.ts';
import type { Who } from '../support/every-screen.ts';
import { type Service, startService } from '../support/service.ts';

/** Returns the running copy that ADDRESS names, or starts one. */
export async function copyToLookAt(): Promise<Pick<Service, 'address' | 'remove'>> {
  const running = process.env.ADDRESS;
  if (running) return { address: running, remove: async () => undefined };
  return startService({ READY_PRODUCTS: 'rok-kingdom-scan,cod-server-scan,rok-history' });
}

/** States of a screen: full, empty for a new user, loading, and failing. */
export type State = 'full' | 'empty' | 'loading' | 'failing';

/** How long a screen may take until it stands still. */
const PATIENCE_MS = 10_000;

/** Pages repeat a failed request after 1 s and 2 s. */
const NEXT_TRY_MS = 2100;

/** Texts of pages while they load. */
const THE_PAGE = /^Loading the page…$/;
const ANYTHING = /^Loading /;

/** Waits until every colour is that of the scheme: they change in steps, each inherited from the one before. */
export async function coloured(page: Page): Promise<void> {
  await page.waitForFunction(() => !document.getAnimations().some((each) => each instanceof CSSTransition));
}

/** A page of somebody, on which one screen is opened after another. */
export class Sitter {
  readonly page: Page;
  private readonly answering = new Set<Request>();
  private state: State = 'full';

  private constructor(page: Page) {
    this.page = page;
    page.on('request', (request) => this.answering.add(request));
    page.on('requestfinished', (request) => this.answering.delete(request));
    page.on('requestfailed', (request) => this.answering.delete(request));
  }

  /** Opens a page for a signed-in user or a visitor, without the cookie banner. */
  static async seated(browser: Browser, address: string, user: readonly [string, string] | null): Promise<Sitter> {
    const { page } = await openPage(browser, address);
    // So that tries which come later can be brought nearer.
    await page.clock.install();
    const sitter = new Sitter(page);
    await page.goto('/login');
    await page.getByRole('button', { name: 'I understand' }).click();
    if (user !== null) {
      await signIn(page, ...user);
      await page.waitForURL(/\/(dashboard|eula)/);
    }
    // The user's account still answers, because a page without it shows no screen of theirs.
    await page.route(/\/v1\/(?!account$)/, (route) => sitter.disturb(route));
    return sitter;
  }

  private async disturb(route: Route): Promise<void> {
    if (this.state === 'loading') {
      // Left without an answer, so that nothing waits for it.
      this.answering.delete(route.request());
      return;
    }
    if (this.state !== 'failing') return route.continue();
    await route.fulfill({
      status: 503,
      json: { success: 0, msg: 'The service is being repaired. Try again in a minute.' },
    });
  }

  /** Opens a screen in that state and waits until nothing moves on it. */
  async open(at: string, state: State): Promise<void> {
    // Requests that the previous screen left open end with its page.
    await this.page.goto('about:blank');
    this.answering.clear();
    this.state = state;
    await this.page.goto(at, { waitUntil: 'domcontentloaded' });
    await this.page.locator('#main').waitFor();
    if (state === 'failing')
      for (let again = 0; again < 2; again++) {
        await this.settled(THE_PAGE);
        await this.page.clock.fastForward(NEXT_TRY_MS);
      }
    // An answer that never comes keeps the page loading.
    await this.settled(state === 'loading' ? THE_PAGE : ANYTHING);
  }

  /** Waits until two checks in a row find nothing pending, because an answer may cause another request. */
  private async settled(loading: RegExp): Promise<void> {
    const until = Date.now() + PATIENCE_MS;
    for (let still = 0; still < 2 && Date.now() < until; ) {
      await this.drawn();
      const waits = await this.page.getByRole('status').filter({ hasText: loading }).first().isVisible();
      still = this.answering.size === 0 && !waits ? still + 1 : 0;
    }
  }

  /** Waits two frames, until a change has been drawn. */
  private readonly drawn = (): Promise<void> =>
    this.page.evaluate(
      () => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))),
    );

  /** Looks at it in another size or scheme. */
  async look(viewport: { width: number; height: number }, colorScheme: 'light' | 'dark'): Promise<void> {
    await this.page.setViewportSize(viewport);
    await this.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await this.drawn();
    await coloured(this.page);
    await this.drawn();
  }
}

/** Returns each user's page, created at first use. */
export class Sitters {
  private readonly seated = new Map<Who | 'newcomer', Promise<Sitter>>();
  private readonly users: Readonly<Record<Who | 'newcomer', readonly [string, string] | null>>;
  private readonly browser: Browser;
  private readonly address: string;

  /** `newcomer` is the name of a user without any data. */
  constructor(browser: Browser, address: string, newcomer: string) {
    this.browser = browser;
    this.address = address;
    this.users = {
      visitor: null,
      user: ['demo', 'demo-muster'],
      admin: ['admin', 'admin-muster'],
      newcomer: [newcomer, PASSWORD],
    };
  }

  of(who: Who | 'newcomer'): Promise<Sitter> {
    const found = this.seated.get(who) ?? Sitter.seated(this.browser, this.address, this.users[who]);
    this.seated.set(who, found);
    return found;
  }
}
