import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { runBot } from './bot.ts';
import { type ClientOptions, fleetClient } from './client.ts';
import { sharedScans } from './scans.ts';
import { scanFolder } from './sources/scan-folder.ts';
import type { Source } from './sources/source.ts';
import { simulatedWorld } from './sources/world.ts';
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

const PACE_MS = 400;
const POLL_MS = 1000;
/** How long a stopping agent tries to hand in what it holds, in milliseconds. */
const FAREWELL_MS = 3000;

/** Runs bots until `signal` says to stop; resolves once each has handed in what it held. */
export async function runAgent(options: AgentOptions, signal: AbortSignal): Promise<void> {
  const { name = 'agent', paceMs = PACE_MS, pollMs = POLL_MS } = options;
  const trouble = options.trouble ?? troubleLog((line) => console.error(`agent: ${line}`));
  // Calls outlive the signal a little, so that the last rows still arrive.
  const end = new AbortController();
  const last = () => setTimeout(() => end.abort(), FAREWELL_MS).unref();
  signal.addEventListener('abort', last, { once: true });
  const client = fleetClient({ ...options, signal: end.signal });
  const scans = sharedScans(options.source);
  const bots = Array.from({ length: options.bots }, (_, index) =>
    runBot({ number: index + 1, name, client, scans, paceMs, pollMs, trouble }, signal),
  );
  await Promise.all(bots);
  signal.removeEventListener('abort', last);
}

const USAGE = `Usage: node fleet/agent.ts [--url http://localhost:8787] [--token …] [--scans folder] [--bots 4]

  --url, MUSTER_URL     where the service is
  --token, FLEET_TOKEN  the bearer token of the bots' group
  --scans, SCANS_DIR    a folder of scan files; without one the bots scan a simulated world
  --bots, BOTS          how many bots this process is (4)
  --pace, PACE_MS       what a subtask takes, in milliseconds (${PACE_MS})
  --poll, POLL_MS       how often a bot without work asks for some, in milliseconds (${POLL_MS})
  --name, BOT_NAME      what the bots' ids start with (agent)`;

/** The options of a command line and its environment; throws a sentence where they make no sense. */
export async function optionsOf(args: string[], env: NodeJS.ProcessEnv): Promise<AgentOptions> {
  const text = { type: 'string' } as const;
  const flags = { url: text, token: text, scans: text, bots: text, pace: text, poll: text, name: text };
  const { values } = parseArgs({ args, options: flags, strict: true });
  const token = values.token ?? env.FLEET_TOKEN;
  if (!token) throw new Error('No token: set FLEET_TOKEN or --token.');
  const scans = values.scans ?? env.SCANS_DIR;
  return {
    url: values.url ?? env.MUSTER_URL ?? 'http://localhost:8787',
    token,
    name: values.name ?? env.BOT_NAME ?? 'agent',
    bots: wholeNumber('bots', values.bots ?? env.BOTS ?? '4', 1, 100),
    paceMs: wholeNumber('pace', values.pace ?? env.PACE_MS ?? String(PACE_MS), 0, 60_000),
    pollMs: wholeNumber('poll', values.poll ?? env.POLL_MS ?? String(POLL_MS), 100, 600_000),
    source: scans ? await scanFolder(resolve(scans)) : simulatedWorld(),
  };
}

function wholeNumber(name: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new Error(`--${name} must be a whole number from ${least} to ${most}, not '${text}'.`);
}

async function main(): Promise<void> {
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort());
  const options = await optionsOf(process.argv.slice(2), process.env);
  console.log(`${options.bots} bots scan ${options.source.describe()}`);
  await runAgent(options, stop.signal);
}

if (import.meta.main)
  await main().catch((error: Error) => {
    console.error(`agent: ${error.message}\n\n${USAGE}`);
    process.exitCode = 1;
  });
