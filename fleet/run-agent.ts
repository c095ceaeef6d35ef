import { setTimeout as later } from 'node:timers';
import { runBot } from './bot.ts';
import { type ClientOptions, fleetClient } from './client.ts';
import { sharedScans } from './scans.ts';
import type { Source } from './sources/source.ts';
import { type Trouble, troubleLog } from './trouble.ts';

export interface AgentOptions extends Pick<ClientOptions, 'url' | 'token' | 'fetch'> {
  source: Source;
  /** How many bots work in this process. */
  bots: number;
  /** What the bots' ids start with: letters, digits and . : - _ */
  name?: string;
  /** What a subtask takes, in milliseconds. */
  paceMs?: number;
  /** How long a bot without work waits before it asks again, in milliseconds. */
  pollMs?: number;
  trouble?: Trouble;
}

export const PACE_MS = 400;
export const POLL_MS = 1000;
/** How long a stopping agent tries to hand in what it holds, in milliseconds. */
const FAREWELL_MS = 3000;

/** Runs bots until `signal` says to stop; resolves once each has handed in what it held. */
export async function runAgent(options: AgentOptions, signal: AbortSignal): Promise<void> {
  const { name = 'agent', paceMs = PACE_MS, pollMs = POLL_MS } = options;
  const trouble = options.trouble ?? troubleLog((line) => console.error(`agent: ${line}`));
  // Calls outlive the signal a little, so that the last rows still arrive.
  const end = new AbortController();
  const last = () => {
    later(() => end.abort(), FAREWELL_MS).unref();
  };
  signal.addEventListener('abort', last, { once: true });
  const client = fleetClient({ ...options, signal: end.signal });
  const scans = sharedScans(options.source);
  const bots = Array.from({ length: options.bots }, (_, index) =>
    runBot({ number: index + 1, name, client, scans, paceMs, pollMs, trouble }, signal),
  );
  await Promise.all(bots);
  signal.removeEventListener('abort', last);
}
