/** A WebSocket that reconnects after failures, and when the page becomes visible or the network returns. */

/** Shortest and longest delay before reconnecting, in ms. */
export const FIRST_WAIT = 1_000;
export const LONGEST_WAIT = 60_000;
/** How long a hidden page keeps its connection, in ms. */
export const HIDDEN_FOR = 60_000;
/** Idle time before a ping, and how long to wait for the answer, in ms. */
export const PING_EVERY = 30_000;
export const PONG_WITHIN = 10_000;

/**
 * Returns the delay in ms after `failed` failures in a row. It doubles up to the maximum. `chance` (0 to 1) shortens it
 * by up to half, so that clients cut off by a deployment do not reconnect all at once.
 */
export const waitAfter = (failed: number, chance: number): number =>
  Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** Math.min(failed, 16)) * (1 - chance / 2);

/** Browser features the connection depends on. */
interface Surroundings {
  connect: (url: string) => WebSocket;
  /** The document, for its visibility. */
  page: EventTarget & { readonly hidden: boolean };
  /** The window, for its `online` event. */
  network: EventTarget;
  chance: () => number;
}

const BROWSER = (): Surroundings => ({
  connect: (url) => new WebSocket(url),
  page: document,
  network: window,
  chance: Math.random,
});

export class LiveSocket {
  private readonly around: Surroundings;
  private readonly receive: (message: string) => void;
  private readonly listeners = new Set<() => void>();
  private readonly ends = new AbortController();
  private url: string | null = null;
  private socket: WebSocket | null = null;
  private heard = false;
  private failed = 0;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private rest: ReturnType<typeof setTimeout> | undefined;
  private pulse: ReturnType<typeof setTimeout> | undefined;

  /** `receive` gets every message except pongs. */
  constructor(receive: (message: string) => void, around: Surroundings = BROWSER()) {
    this.receive = receive;
    this.around = around;
    const { signal } = this.ends;
    around.page.addEventListener('visibilitychange', () => this.seen(), { signal });
    around.network.addEventListener('online', () => this.wake(), { signal });
  }

  /** True from the first message of a connection until it ends. */
  get connected(): boolean {
    return this.heard;
  }

  /** Calls `listener` whenever `connected` changes. */
  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Connects to another URL, or to none if null. */
  aim(url: string | null): void {
    if (url === this.url) return;
    this.url = url;
    this.failed = 0;
    this.hangUp();
    this.dial();
  }

  /** Closes the connection permanently. */
  end(): void {
    this.ends.abort();
    this.url = null;
    clearTimeout(this.rest);
    this.hangUp();
  }

  private seen(): void {
    clearTimeout(this.rest);
    if (this.around.page.hidden) this.rest = setTimeout(() => this.hangUp(), HIDDEN_FOR);
    else this.wake();
  }

  /** Reconnects without delay, because the page is visible or the network is back. */
  private wake(): void {
    if (this.socket !== null || this.around.page.hidden) return;
    this.failed = 0;
    this.dial();
  }

  private dial(): void {
    clearTimeout(this.retry);
    if (this.url === null || this.socket !== null) return;
    const socket = this.around.connect(this.url);
    this.socket = socket;
    socket.onopen = () => this.listen(socket, PING_EVERY);
    socket.onmessage = ({ data }) => {
      if (socket !== this.socket) return;
      this.failed = 0;
      this.hear(true);
      this.listen(socket, PING_EVERY);
      if (data !== 'pong') this.receive(String(data));
    };
    socket.onclose = () => this.lost(socket);
  }

  /**
   * Pings a silent connection and drops it without a pong. A connection can die silently, for example if a phone
   * changes networks.
   */
  private listen(socket: WebSocket, patience: number): void {
    clearTimeout(this.pulse);
    this.pulse = setTimeout(() => {
      if (patience === PONG_WITHIN) return this.lost(socket);
      this.listen(socket, PONG_WITHIN);
      socket.send('ping');
    }, patience);
  }

  private lost(socket: WebSocket): void {
    if (socket !== this.socket) return;
    this.hangUp();
    // A hidden page reconnects once it is visible.
    if (this.around.page.hidden) return;
    this.retry = setTimeout(() => this.dial(), waitAfter(this.failed++, this.around.chance()));
  }

  private hangUp(): void {
    clearTimeout(this.retry);
    clearTimeout(this.pulse);
    const { socket } = this;
    this.socket = null;
    this.hear(false);
    socket?.close();
  }

  private hear(heard: boolean): void {
    if (this.heard === heard) return;
    this.heard = heard;
    for (const listener of this.listeners) listener();
  }
}
