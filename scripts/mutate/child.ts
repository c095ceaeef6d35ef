import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';

/** A process that answers one message after the other, started when it is asked and ended when it stays silent. */
export class Child<Asked extends object, Answer> {
  #script: string;
  #patience: number;
  #first: Asked | undefined;
  #process: ChildProcess | undefined;

  /** `first` is what each new process is told before it is asked anything. */
  constructor(script: string, patience: number, first?: Asked) {
    this.#script = script;
    this.#patience = patience;
    this.#first = first;
  }

  async ask(asked: Asked): Promise<Answer | 'for ever'> {
    if (!this.#process?.connected) {
      this.end();
      // A group of its own: its workerd ends with it.
      this.#process = spawn(process.execPath, [this.#script], {
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
        env: { ...process.env, CLOUDFLARE_CF_FETCH_ENABLED: 'false' },
        detached: true,
      });
      if (this.#first) await this.#answer(this.#process, this.#first);
    }
    return this.#answer(this.#process, asked);
  }

  end(): void {
    if (this.#process?.pid && this.#process.exitCode === null) process.kill(-this.#process.pid, 'SIGKILL');
    this.#process = undefined;
  }

  async #answer(child: ChildProcess, asked: Asked): Promise<Answer | 'for ever'> {
    const over = new AbortController();
    const { signal } = over;
    child.send(asked);
    const answer = await Promise.race([
      once(child, 'message', { signal }).then(([message]) => message as Answer),
      once(child, 'exit', { signal }).then(() => 'for ever' as const),
      setTimeout(this.#patience, 'for ever' as const, { signal }),
    ]);
    over.abort();
    if (answer === 'for ever') this.end();
    return answer;
  }
}
