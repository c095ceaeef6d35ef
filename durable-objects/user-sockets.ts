import { DurableObject } from 'cloudflare:workers';
import { MAX_SOCKETS } from '../domain/orders/contract.ts';
import { openDb } from '../worker/db/open.ts';
import type { Env } from '../worker/env.ts';
import { callOrder } from '../worker/gateways/order-objects.ts';
import { openHolders } from '../worker/models/accounts/sessions.ts';
import type { Watch } from './messages.ts';

/** How often sockets of ended sessions are closed, in addition to the check at every message. */
const CHECKED_EVERY_MS = 60_000;

/** Close codes of RFC 6455: the socket's session ended; an order could not be watched. */
const SESSION_ENDED = 1008;
const FAILED = 1011;

/** A socket's attachment, which survives hibernation. */
interface Attached extends Watch {
  socket: string;
}

/** A message from an order to all sockets that watch it, or only to the one that asked. */
interface Told {
  orderId: number;
  text: string;
  only: string | null;
}

const attachedTo = (socket: WebSocket): Attached => socket.deserializeAttachment() as Attached;

/**
 * Holds the sockets of one user's browsers and scripts. Each belongs to the session or API key that opened it, and
 * every message in either direction first checks that this is still active.
 */
export class UserSockets extends DurableObject<Env> {
  private waiting: Told[] = [];
  private passing: Promise<void> | null = null;

  /** The object's name is the user's id. */
  private get userId(): string {
    return this.ctx.id.name as string;
  }

  /** Accepts a WebSocket that the route has authorised. Returns 429 if the user has the maximum number. */
  override async fetch(request: Request): Promise<Response> {
    if (this.ctx.getWebSockets().length >= MAX_SOCKETS) return new Response(null, { status: 429 });
    const watch = JSON.parse(request.headers.get('x-watch') ?? '') as Watch;
    const attached: Attached = { ...watch, socket: crypto.randomUUID() };
    const { 0: client, 1: server } = new WebSocketPair();
    this.ctx.acceptWebSocket(server);
    server.serializeAttachment(attached);
    const watched = Promise.all(
      watch.orders.map((orderId) =>
        callOrder(this.env, orderId, (object) => object.watch(this.userId, attached.socket)),
      ),
    );
    this.ctx.waitUntil(watched.catch(() => server.close(FAILED)));
    if ((await this.ctx.storage.getAlarm()) === null) await this.checkLater();
    return new Response(null, { status: 101, webSocket: client });
  }

  /** True if an open socket watches the order. */
  isWatching(orderId: number): boolean {
    return this.ctx.getWebSockets().some((socket) => attachedTo(socket).orders.includes(orderId));
  }

  /** Forwards an order's message. Returns false if nobody watches the order any more. */
  async tell(orderId: number, text: string, only: string | null): Promise<boolean> {
    if (!this.isWatching(orderId)) return false;
    this.waiting.push({ orderId, text, only });
    this.passing ??= this.passOn();
    await this.passing;
    return true;
  }

  /** Sends queued messages in order. Messages that arrive during a check wait for the next one. */
  private async passOn(): Promise<void> {
    try {
      while (this.waiting.length > 0) {
        const messages = this.waiting.splice(0);
        const open = await this.stillOpen();
        for (const { orderId, text, only } of messages)
          for (const socket of open) {
            const attached = attachedTo(socket);
            if (attached.orders.includes(orderId) && (only === null || only === attached.socket)) send(socket, text);
          }
      }
    } finally {
      this.passing = null;
    }
  }

  /** Closes the sockets whose session or key has ended. */
  async closeEnded(): Promise<void> {
    await this.stillOpen();
  }

  /** Closes the sockets whose session or key has ended and returns the others. Closes all if the check fails. */
  private async stillOpen(): Promise<WebSocket[]> {
    const sockets = this.ctx.getWebSockets();
    if (sockets.length === 0) return [];
    const holders = [...new Set(sockets.map((socket) => attachedTo(socket).holder))];
    const open = await openHolders(openDb(this.env), this.userId, holders).catch((error: unknown) => {
      console.error(JSON.stringify({ sockets: this.userId, error: String(error) }));
      return new Set<string>();
    });
    const [kept, ended] = [true, false].map((isOpen) =>
      sockets.filter((socket) => open.has(attachedTo(socket).holder) === isOpen),
    ) as [WebSocket[], WebSocket[]];
    for (const socket of ended) socket.close(SESSION_ENDED, 'The session has ended.');
    return kept;
  }

  private checkLater(): Promise<void> {
    return this.ctx.storage.setAlarm(Date.now() + CHECKED_EVERY_MS);
  }

  override async alarm(): Promise<void> {
    if ((await this.stillOpen()).length > 0) await this.checkLater();
  }

  override async webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): Promise<void> {
    const open = await this.stillOpen();
    if (message === 'ping' && open.includes(socket)) send(socket, 'pong');
  }

  override webSocketClose(socket: WebSocket, code: number): void {
    // Codes 1005 and 1006 mean that the browser vanished; they must not be sent back.
    socket.close(code === 1005 || code === 1006 ? 1000 : code);
  }
}

function send(socket: WebSocket, text: string): void {
  try {
    socket.send(text);
  } catch {
    // The browser went away between two events; its close event follows.
  }
}
