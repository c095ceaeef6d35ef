import { createHmac, timingSafeEqual } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerCall, StripeError } from './api.ts';
import {
  type Books,
  deleteCustomer,
  dispute,
  type Event,
  emptyBooks,
  expire,
  failRefund,
  pay,
  payLater,
  refund,
  settleLater,
  winDispute,
} from './books.ts';
import { checkoutPage, dashboardPage, portalPage, receiptPage } from './pages.ts';

export interface StandInOptions {
  /** The secret key that callers must send. */
  key: string;
  /** Secret for signing events. */
  webhookSecret: string;
  /** Where events are sent; if omitted, only calls under /test return them. */
  webhookUrl?: string | undefined;
  books?: Books | undefined;
  /** Called after every change, to store the books. */
  onChange?: (books: Books) => void;
}

export interface SignedEvent {
  type: string;
  body: string;
  signature: string;
}

/** Returns Stripe's signature of a body: `t=<seconds>,v1=<HMAC-SHA-256 of "t.body">`. */
export const signatureOf = (body: string, secret: string, seconds: number): string =>
  `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;

const html = (text: string): Response =>
  new Response(text, { headers: { 'content-type': 'text/html; charset=utf-8' } });
const seconds = (): number => Math.floor(Date.now() / 1000);

const DELIVERY_ATTEMPTS = 6;

/**
 * A stand-in for Stripe: the API under /v1, the payer's pages under /checkout, /portal and /receipts, and under /test
 * (with a page at /) what happens in Stripe's dashboard and at banks. It handles web requests, so it can serve a port
 * or a test's outgoing calls.
 */
export class StripeStandIn {
  readonly #options: StandInOptions;
  readonly #books: Books;
  /** Calls that contain one of these texts end in a 500. */
  #down: string[] = [];

  constructor(options: StandInOptions) {
    this.#options = options;
    this.#books = options.books ?? emptyBooks();
  }

  async fetch(request: Request): Promise<Response> {
    const { pathname, origin } = new URL(request.url);
    try {
      if (pathname.startsWith('/v1/')) return await this.#api(request);
      if (pathname.startsWith('/test/')) return await this.#test(request);
      return this.#page(request) ?? new Response('Not found', { status: 404 });
    } catch (error) {
      if (error instanceof StripeError) return Response.json(error.body, { status: error.status });
      throw error;
    } finally {
      if (request.method === 'POST' && origin) this.#options.onChange?.(this.#books);
    }
  }

  async #api(request: Request): Promise<Response> {
    const form = await request.text();
    const shown = Buffer.from(request.headers.get('authorization') ?? '');
    const wanted = Buffer.from(`Bearer ${this.#options.key}`);
    if (shown.length !== wanted.length || !timingSafeEqual(shown, wanted))
      throw new StripeError(401, 'Invalid API Key provided.');
    const url = new URL(request.url);
    const call = {
      method: request.method,
      path: url.pathname,
      query: url.searchParams,
      form: new URLSearchParams(form),
      idempotencyKey: request.headers.get('idempotency-key'),
      base: url.origin,
      now: seconds(),
    };
    const isDown = this.#down.some((text) => `${request.url}?${form}`.includes(text));
    return Response.json(answerCall(this.#books, call, isDown));
  }

  #page(request: Request): Response | null {
    const url = new URL(request.url);
    const [, noun = '', id = '', verb] = url.pathname.split('/');
    if (noun === '') return html(dashboardPage(this.#books));
    if (noun === 'portal') return html(portalPage(this.#books, id, url.searchParams.get('return') ?? ''));
    const intent = this.#books.intents[id];
    if (noun === 'receipts' && intent) return html(receiptPage(intent));
    const session = this.#books.sessions[id];
    if (noun !== 'checkout' || !session) return null;
    if (verb !== 'pay' && verb !== 'pay-later') return html(checkoutPage(session));
    if (request.method !== 'POST') return null;
    const doPay = verb === 'pay' ? pay : payLater;
    this.#deliver(doPay(this.#books, session, url.origin, seconds()));
    const back = session.success_url.replace('{CHECKOUT_SESSION_ID}', session.id);
    return new Response(null, { status: 303, headers: { location: back } });
  }

  /**
   * Handles POST /test/<things>/<id>/<action>, which returns the signed events, POST /test/down[?for=text] and
   * /test/up, which start and end an outage, and GET /test/sessions, which lists all sessions.
   */
  async #test(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const [, , noun = '', id = '', verb = ''] = url.pathname.split('/');
    if (request.method === 'GET' && noun === 'sessions') return Response.json(Object.values(this.#books.sessions));
    if (request.method !== 'POST') return new Response('Not found', { status: 404 });
    if (noun === 'down') this.#down.push(url.searchParams.get('for') ?? '');
    if (noun === 'up') this.#down = [];
    if (noun === 'down' || noun === 'up') return Response.json({});
    const events = this.#happen(noun, id, verb, url);
    if (!events) return new Response('Not found', { status: 404 });
    if (url.searchParams.get('deliver') !== 'no') this.#deliver(events);
    const fromPage = request.headers.get('accept')?.includes('text/html');
    return fromPage
      ? new Response(null, { status: 303, headers: { location: '/' } })
      : Response.json(events.map((event) => this.#sign(event)));
  }

  #happen(noun: string, id: string, verb: string, url: URL): Event[] | null {
    const books = this.#books;
    const now = seconds();
    const [session, intent] = [books.sessions[id], books.intents[id]];
    const [made, opened] = [books.refunds[id], books.disputes[id]];
    if (noun === 'sessions' && session && verb === 'pay') return pay(books, session, url.origin, now);
    if (noun === 'sessions' && session && verb === 'pay-later') return payLater(books, session, url.origin, now);
    if (noun === 'sessions' && session && (verb === 'arrive' || verb === 'bounce'))
      return settleLater(books, session, verb === 'arrive', now);
    if (noun === 'sessions' && session && verb === 'expire') return expire(session, now);
    if (noun === 'customers' && verb === 'delete') return deleteCustomer(books, id);
    if (noun === 'intents' && intent && verb === 'refund')
      return refund(books, intent, Number(url.searchParams.get('amount') ?? intent.amount), now);
    if (noun === 'intents' && intent && verb === 'dispute') return dispute(books, intent, now);
    if (noun === 'refunds' && made && verb === 'fail') return failRefund(books, made, now);
    if (noun === 'disputes' && opened && verb === 'win') return winDispute(books, opened, now);
    return null;
  }

  #sign(event: Event): SignedEvent {
    const body = JSON.stringify(event);
    return { type: event.type, body, signature: signatureOf(body, this.#options.webhookSecret, seconds()) };
  }

  /** Sends events to the service, with retries. As at Stripe, the payer does not wait for it. */
  #deliver(events: readonly Event[]): void {
    const { webhookUrl } = this.#options;
    if (!webhookUrl) return;
    for (const event of events) void this.#tell(webhookUrl, event);
  }

  async #tell(url: string, event: Event): Promise<void> {
    for (let attempt = 0; attempt < DELIVERY_ATTEMPTS; attempt++) {
      const { body, signature } = this.#sign(event);
      const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
      const answer = await fetch(url, { method: 'POST', headers, body }).catch(() => null);
      if (answer?.ok) return;
      await sleep(500 * 2 ** attempt, undefined, { ref: false });
    }
  }
}
