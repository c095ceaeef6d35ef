import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  FIRST_WAIT,
  HIDDEN_FOR,
  LiveSocket,
  LONGEST_WAIT,
  PING_EVERY,
  PONG_WITHIN,
  waitAfter,
} from '../../web/api/live-socket.ts';

/** A socket that the test opens, feeds and closes. */
class FakeSocket {
  static all: FakeSocket[] = [];
  readonly sent: string[] = [];
  closed = false;
  answers = true;
  readonly url: string;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: (() => void) | null = null;
  constructor(url: string) {
    this.url = url;
    FakeSocket.all.push(this);
  }
  send(text: string) {
    this.sent.push(text);
    if (this.answers) this.tells('pong');
  }
  close() {
    this.closed = true;
    this.onclose?.();
  }
  tells(data: string) {
    this.onopen?.();
    this.onmessage?.({ data });
  }
}

class FakePage extends EventTarget {
  hidden = false;
  turn(hidden: boolean) {
    this.hidden = hidden;
    this.dispatchEvent(new Event('visibilitychange'));
  }
}

const setUp = () => {
  const [page, network, received] = [new FakePage(), new EventTarget(), [] as string[]];
  const connect = (url: string) => new FakeSocket(url) as unknown as WebSocket;
  const line = new LiveSocket((message) => received.push(message), { connect, page, network, chance: () => 0 });
  return { line, page, network, received };
};
const sockets = () => FakeSocket.all;
const newest = () => sockets().at(-1) as FakeSocket;

beforeEach(() => {
  vi.useFakeTimers();
  FakeSocket.all = [];
});
afterEach(() => vi.useRealTimers());

describe('the WebSocket connection of a page', () => {
  it('is single for repeated URLs and passes messages on', () => {
    const { line, received } = setUp();
    const changes: boolean[] = [];
    line.subscribe(() => changes.push(line.connected));
    line.aim('ws://a/');
    line.aim('ws://a/');
    expect(sockets().map(({ url }) => url)).toEqual(['ws://a/']);
    expect(line.connected).toBe(false);
    newest().tells('one');
    newest().tells('pong');
    expect([line.connected, received]).toEqual([true, ['one']]);
    line.aim('ws://b/');
    expect(sockets()[0]?.closed).toBe(true);
    sockets()[0]?.tells('late');
    expect([line.connected, received]).toEqual([false, ['one']]);
    line.aim(null);
    vi.advanceTimersByTime(10 * LONGEST_WAIT);
    expect(sockets()).toHaveLength(2);
    expect(changes).toEqual([true, false]);
  });

  it('reconnects after failures with growing delays, which reset after success', () => {
    const { line } = setUp();
    line.aim('ws://a/');
    for (const wait of [1, 2, 4, 8, 16, 32, 60, 60]) {
      newest().close();
      const before = sockets().length;
      vi.advanceTimersByTime(wait * FIRST_WAIT - 1);
      expect(sockets()).toHaveLength(before);
      vi.advanceTimersByTime(1);
      expect(sockets()).toHaveLength(before + 1);
    }
    newest().tells('hello');
    newest().close();
    expect(line.connected).toBe(false);
    vi.advanceTimersByTime(FIRST_WAIT);
    newest().tells('hello again');
    expect(line.connected).toBe(true);
  });

  it('randomly shortens the delay by up to half, and never exceeds a minute', () => {
    expect([waitAfter(0, 0), waitAfter(0, 1)]).toEqual([FIRST_WAIT, FIRST_WAIT / 2]);
    expect(waitAfter(1000, 0)).toBe(LONGEST_WAIT);
  });

  it('drops a socket that does not answer a ping', () => {
    const { line } = setUp();
    line.aim('ws://a/');
    newest().tells('hello');
    vi.advanceTimersByTime(PING_EVERY);
    expect(newest().sent).toEqual(['ping']);
    newest().answers = false;
    vi.advanceTimersByTime(PING_EVERY + PONG_WITHIN - 1);
    expect(line.connected).toBe(true);
    vi.advanceTimersByTime(1);
    expect([line.connected, newest().closed]).toEqual([false, true]);
  });

  it('keeps its delay growing if the network returns while connecting', () => {
    const { line, network } = setUp();
    line.aim('ws://muster.test');
    newest().close();
    vi.advanceTimersByTime(FIRST_WAIT);
    expect(sockets()).toHaveLength(2);
    network.dispatchEvent(new Event('online'));
    expect(sockets()).toHaveLength(2);
    newest().close();
    vi.advanceTimersByTime(2 * FIRST_WAIT - 1);
    expect(sockets()).toHaveLength(2);
    vi.advanceTimersByTime(1);
    expect(sockets()).toHaveLength(3);
  });

  it('closes while the page is hidden for long, and reconnects when visible or online', () => {
    const { line, page, network } = setUp();
    line.aim('ws://a/');
    newest().tells('hello');
    page.turn(true);
    vi.advanceTimersByTime(HIDDEN_FOR - 1);
    page.turn(false);
    vi.advanceTimersByTime(HIDDEN_FOR);
    expect([sockets().length, line.connected]).toEqual([1, true]);
    page.turn(true);
    vi.advanceTimersByTime(HIDDEN_FOR);
    expect(line.connected).toBe(false);
    vi.advanceTimersByTime(10 * LONGEST_WAIT);
    expect(sockets()).toHaveLength(1);
    page.turn(false);
    expect(sockets()).toHaveLength(2);
    newest().close();
    network.dispatchEvent(new Event('online'));
    expect(sockets()).toHaveLength(3);
    // The pending reconnect must not open a second socket.
    vi.advanceTimersByTime(PING_EVERY - 1);
    expect(sockets()).toHaveLength(3);
  });

  it('closes permanently', () => {
    const { line, page, network } = setUp();
    line.aim('ws://a/');
    line.end();
    page.turn(false);
    network.dispatchEvent(new Event('online'));
    vi.advanceTimersByTime(10 * LONGEST_WAIT);
    expect(sockets()).toHaveLength(1);
    expect(newest().closed).toBe(true);
  });
});
