import { setTimeout as later } from 'node:timers';
import { setTimeout as sleep } from 'node:timers/promises';
import { MAX_REPORTED_FILES, MAX_REPORTED_PROBLEMS } from '../domain/scans/file-report.ts';
import { runBot } from './bot.ts';
import { type ClientOptions, type FleetClient, fleetClient } from './client.ts';
import { sharedScans } from './scans.ts';
import type { Source } from './sources/source.ts';
import { type SourceTrouble, troubleLog } from './trouble.ts';

export interface AgentOptions extends Pick<ClientOptions, 'url' | 'token' | 'fetch'> {
  source: Source;
  /** Number of bots in this process. */
  bots: number;
  /** Prefix of the bots' ids: letters, digits and . : - _ */
  name?: string;
  /** Duration of a subtask, in ms. */
  paceMs?: number;
  /** Longest wait of a bot without work before it asks again, in ms. */
  pollMs?: number;
  trouble?: SourceTrouble;
}

export const PACE_MS = 400;
export const POLL_MS = 240_000;
/** How long a stopping agent tries to hand in its results, in ms. */
const FAREWELL_MS = 3000;

/** The service does not know a group with the agent's token, or no longer does. */
export class TokenRefused extends Error {
  constructor(url: string) {
    super(
      `${url} knows no bot group with this token: it is mistyped, was revoked or rotated. Ask an admin of the service for a token and set FLEET_TOKEN.`,
    );
  }
}

/** How often the folder's reports are checked for changes, in ms. */
const FOLDER_MS = 15_000;
/** Maximum size of a report, below the body limit of a call. */
const MOST_CHARACTERS = 500_000;

/** Smaller clock errors are harmless, in ms. */
const CLOCK_MS = 60_000;

/** Tracks the service's time and reports a wrong local clock. */
function serviceClock(trouble: SourceTrouble) {
  let ahead = 0;
  return {
    now: () => Date.now() - ahead,
    onClock(aheadMs: number) {
      ahead = Math.abs(aheadMs) < CLOCK_MS ? 0 : aheadMs;
      if (ahead !== 0) trouble.tell(`This machine's clock is ${minutes(ahead)} the service's. ${SET_CLOCK}`);
    },
  };
}

const minutes = (ms: number): string => {
  const count = Math.round(Math.abs(ms) / 60_000);
  return `${count} ${count === 1 ? 'minute' : 'minutes'} ${ms > 0 ? 'ahead of' : 'behind'}`;
};

const SET_CLOCK = "Set it by the network, for example with 'timedatectl set-ntp true'.";

/** Sends the reports about all files to the service, at the start and whenever they change. */
async function tellFolder(
  source: Source,
  client: FleetClient,
  bot_id: string,
  signal: AbortSignal,
  trouble: SourceTrouble,
): Promise<void> {
  let told = '';
  while (source.reports && !signal.aborted) {
    let files = source.reports().slice(0, MAX_REPORTED_FILES);
    // If there are many bad files, fewer problems of each are sent.
    for (let most = MAX_REPORTED_PROBLEMS; JSON.stringify(files).length > MOST_CHARACTERS && most > 0; most >>= 1)
      files = files.map((file) => ({ ...file, problems: file.problems.slice(0, most) }));
    const said = JSON.stringify(files);
    if (said !== told)
      await client.tellFiles({ bot_id, files }).then(
        () => {
          told = said;
        },
        (error: Error) => {
          if (!signal.aborted) trouble.tell(error.message);
        },
      );
    await sleep(FOLDER_MS, undefined, { signal }).catch(() => undefined);
  }
}

/**
 * Runs bots until `signal` aborts. Resolves once each has handed in its results.
 * @throws TokenRefused as soon as the service refuses the token
 */
export async function runAgent(options: AgentOptions, signal: AbortSignal): Promise<void> {
  const { name = 'agent', paceMs = PACE_MS, pollMs = POLL_MS } = options;
  const trouble = options.trouble ?? troubleLog((line) => console.error(`agent: ${line}`));
  // Calls outlive the signal a little, so that the last rows still arrive.
  const end = new AbortController();
  const last = () => {
    later(() => end.abort(), FAREWELL_MS).unref();
  };
  signal.addEventListener('abort', last, { once: true });
  const { now, onClock } = serviceClock(trouble);
  const client = fleetClient({ ...options, signal: end.signal });
  const refused = new AbortController();
  const stop = AbortSignal.any([signal, refused.signal]);
  const scans = sharedScans(options.source, now);
  const bots = Array.from({ length: options.bots }, async (_, index) => {
    const { canScan } = options.source;
    const about = { number: index + 1, name, client, scans, canScan, onClock, paceMs, pollMs, trouble };
    await runBot({ ...about, refused: () => refused.abort() }, stop);
  });
  const telling = tellFolder(options.source, client, `${name}-1`, stop, trouble);
  await Promise.all([...bots, telling]);
  signal.removeEventListener('abort', last);
  if (refused.signal.aborted) throw new TokenRefused(options.url);
}
