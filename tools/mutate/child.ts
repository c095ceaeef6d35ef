import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';

/** Time allowed per file besides its tests, and how many times slower these may run on a busy machine. */
const START_MS = 40_000;
const SLOWER = 10;

/** A process that answers one message at a time. It starts on demand and is killed if it does not answer. */
export class Child<Asked extends object, Answer> {
  #script: string;
  #patience: number;
  #first: Asked | undefined;
  #process: ChildProcess | undefined;

  /** `patience` is the longest wait in ms. `first` is sent to each new process before anything else. */
  constructor(script: string, patience: number, first?: Asked) {
    this.#script = script;
    this.#patience = patience;
    this.#first = first;
  }

  /** Sends a message and returns the answer. `took` is the expected time without an endless loop, in ms. */
  async ask(asked: Asked, took: number): Promise<Answer | 'for ever'> {
    if (!this.#process?.connected) {
      this.end();
      // A process group of its own, so that its workerd is killed too.
      this.#process = spawn(process.execPath, [this.#script], {
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
        env: { ...process.env, CLOUDFLARE_CF_FETCH_ENABLED: 'false' },
        detached: true,
      });
      if (this.#first) await this.#answer(this.#process, this.#first, this.#patience);
    }
    return this.#answer(this.#process, asked, Math.min(this.#patience, START_MS + SLOWER * took));
  }

  end(): void {
    if (this.#process?.pid && this.#process.exitCode === null) process.kill(-this.#process.pid, 'SIGKILL');
    this.#process = undefined;
  }

  async #answer(child: ChildProcess, asked: Asked, patience: number): Promise<Answer | 'for ever'> {
    const over = new AbortController();
    const { signal } = over;
    child.send(asked);
    const answer = await Promise.race([
      once(child, 'message', { signal }).then(([message]) => message as Answer),
      once(child, 'exit', { signal }).then(() => 'for ever' as const),
      setTimeout(patience, 'for ever' as const, { signal }),
    ]);
    over.abort();
    if (answer === 'for ever') this.end();
    return answer;
  }
}
