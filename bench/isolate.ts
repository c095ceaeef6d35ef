/**
 * Measures an isolate's memory through its inspector while it works: the heap that V8 has taken, including garbage, and
 * the buffers outside it. The simulators of D1 and R2 are isolates of their own and not included.
 */

const EVERY_MS = 10;

interface Usage {
  usedSize: number;
  totalSize: number;
  embedderHeapUsedSize: number;
  backingStorageSize: number;
}

const heldIn = ({ totalSize, embedderHeapUsedSize, backingStorageSize }: Usage): number =>
  totalSize + embedderHeapUsedSize + backingStorageSize;

const opened = (address: string): Promise<WebSocket> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(address);
    socket.addEventListener('open', () => resolve(socket), { once: true });
    socket.addEventListener('error', () => reject(new Error(`no isolate at ${address}`)), { once: true });
  });

const ASK = 'Runtime.getHeapUsage';

export interface Isolate {
  /** Returns the peak in bytes since the last call, or since the start. */
  most(): number;
  /**
   * Returns the longest time that an answer took since the last call, in ms. The inspector has a thread of its own and
   * waits for the isolate alone, so this is the isolate's longest turn, without those of the simulators in its process.
   */
  longestTurn(): number;
  close(): void;
}

/** Observes the isolate of the Worker `name`, in a workerd with inspectors at that port. */
export async function watchIsolate(inspectorPort: number, name: string): Promise<Isolate> {
  const socket = await opened(`ws://127.0.0.1:${inspectorPort}/core:user:${name}`);
  let [most, last, longest] = [0, 0, 0];
  const asked = new Map<number, number>();
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id?: number; result?: Usage };
    if (id === undefined || !result) return;
    longest = Math.max(longest, performance.now() - (asked.get(id) ?? Infinity));
    asked.delete(id);
    last = heldIn(result);
    most = Math.max(most, last);
  });
  let id = 0;
  const timer = setInterval(() => {
    asked.set(++id, performance.now());
    socket.send(JSON.stringify({ id, method: ASK }));
  }, EVERY_MS);
  return {
    most: () => {
      const now = most;
      // The next peak starts at the current usage.
      most = last;
      return now;
    },
    longestTurn: () => {
      const now = longest;
      longest = 0;
      return now;
    },
    close: () => {
      clearInterval(timer);
      socket.close();
    },
  };
}

/**
 * Returns the current use of each isolate in a workerd, in bytes by name, including the simulators. Memory that V8 has
 * reserved but does not use is not counted.
 */
export async function isolatesOf(inspectorPort: number): Promise<Map<string, number>> {
  const list = (await (await fetch(`http://127.0.0.1:${inspectorPort}/json`)).json()) as {
    id: string;
    webSocketDebuggerUrl: string;
  }[];
  const used = new Map<string, number>();
  for (const { id, webSocketDebuggerUrl } of list) {
    const socket = await opened(webSocketDebuggerUrl);
    const answer = new Promise<Usage>((resolve) => {
      socket.addEventListener(
        'message',
        ({ data }) => resolve((JSON.parse(String(data)) as { result: Usage }).result),
        {
          once: true,
        },
      );
    });
    socket.send(JSON.stringify({ id: 1, method: ASK }));
    const { usedSize, embedderHeapUsedSize, backingStorageSize } = await answer;
    used.set(id, usedSize + embedderHeapUsedSize + backingStorageSize);
    socket.close();
  }
  return used;
}
