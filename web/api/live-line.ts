/** One WebSocket of a page that is kept open: when it breaks, while the page is hidden, when the network comes back. */

/** First wait before another try, and the longest, in milliseconds. */
export const FIRST_WAIT = 1_000;
export const LONGEST_WAIT = 60_000;
/** How long a hidden page keeps its line. */
export const HIDDEN_FOR = 60_000;
/** How often a quiet line is asked whether it lives, and how long the answer may take. */
export const PING_EVERY = 30_000;
export const PONG_WITHIN = 10_000;

/**
 * Milliseconds until the next try after `failed` ones in a row: doubling up to the longest, and by `chance` (0 up to 1)
 * up to half as much, so that browsers that a deployment cut off do not come back in one moment.
 */
export const waitAfter = (failed: number, chance: number): number =>
  Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** Math.min(failed, 16)) * (1 - chance / 2);

/** The parts of a browser that a line needs. */
export interface Surroundings {
  connect: (url: string) => WebSocket;
  /** The document: whether it is looked at, and when that changes. */
  page: EventTarget & { readonly hidden: boolean };
  /** The window: when the network comes back. */
  network: EventTarget;
  chance: () => number;
}

const BROWSER = (): Surroundings => ({
  connect: (url) => new WebSocket(url),
  page: document,
  network: window,
  chance: Math.random,
});

export class LiveLine {
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

  /** `receive` gets every message but answers to pings. */
  constructor(receive: (message: string) => void, around: Surroundings = BROWSER()) {
    this.receive = receive;
    this.around = around;
    const { signal } = this.ends;
    around.page.addEventListener('visibilitychange', () => this.seen(), { signal });
    around.network.addEventListener('online', () => this.wake(), { signal });
  }

  /** True from the first message of a connection to its end: as long as nobody needs to ask for himself. */
  get connected(): boolean {
    return this.heard;
  }

  /** Calls back whenever `connected` changes. */
  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Connects to another address, or with null to none. */
  aim(url: string | null): void {
    if (url === this.url) return;
    this.url = url;
    this.failed = 0;
    this.hangUp();
    this.dial();
  }

  /** Hangs up for good. */
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

  /** Somebody looks, or the network is back: waiting any longer has no sense. */
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

  /** A line can die without a word (a phone that changes its network): one that stays quiet is asked, then given up. */
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
    // A page that nobody looks at tries again when it is looked at.
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
