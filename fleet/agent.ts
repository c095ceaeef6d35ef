import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { reportLines } from '../domain/scans/report-lines.ts';
import { type AgentOptions, PACE_MS, POLL_MS, runAgent, TokenRefused } from './run-agent.ts';
import { SETTLE_MS, scanFolder } from './sources/scan-folder.ts';
import { simulatedWorld } from './sources/world.ts';
import { troubleLog } from './trouble.ts';

const USAGE = `Usage: node muster-agent.mjs [--url http://localhost:8787] [--token …] [--scans folder] [--bots 4]

  --url, MUSTER_URL     address of the service
  --token, FLEET_TOKEN  the bearer token of the bots' group
  --scans, SCANS_DIR    a folder of scan files
  --simulated           scan a simulated world (the default without --scans if the service is on this machine)
  --bots, BOTS          number of bots in this process (4)
  --pace, PACE_MS       duration of a subtask, in milliseconds (${PACE_MS})
  --poll, POLL_MS       longest wait of a bot without work before it asks again, in milliseconds (${POLL_MS})
  --settle, SETTLE_MS   how long a file must stay unchanged before it is read, in milliseconds (${SETTLE_MS})
  --name, BOT_NAME      prefix of the bots' ids (agent)`;

/** EX_CONFIG tells the supervisor that a restart would not help. */
const TOKEN_REFUSED_EXIT = 78;

/** Parses command line and environment. Throws an Error with a sentence if they are invalid. */
export async function optionsOf(args: string[], env: NodeJS.ProcessEnv): Promise<AgentOptions> {
  const text = { type: 'string' } as const;
  const simulated = { type: 'boolean' } as const;
  const flags = {
    url: text,
    token: text,
    scans: text,
    simulated,
    bots: text,
    pace: text,
    poll: text,
    settle: text,
    name: text,
  };
  const { values } = parseArgs({ args, options: flags, strict: true });
  const token = values.token ?? env.FLEET_TOKEN;
  if (!token) throw new Error('No token: set FLEET_TOKEN or --token.');
  const url = values.url ?? env.MUSTER_URL ?? 'http://localhost:8787';
  if (!URL.canParse(url)) throw new Error(`--url must be an address like https://muster.gg, not '${url}'.`);
  const scans = values.scans ?? env.SCANS_DIR;
  const trouble = troubleLog((line) => console.error(`agent: ${line}`));
  if (scans && values.simulated) throw new Error('Choose one: --scans or --simulated.');
  const settleMs = wholeNumber('settle', values.settle ?? env.SETTLE_MS ?? String(SETTLE_MS), 0, 3_600_000);
  if (!scans && !values.simulated && !isOnThisMachine(url))
    throw new Error(`Nothing to scan for ${url}: name a folder with --scans. Its customers pay for real scans.`);
  return {
    url,
    token,
    trouble,
    name: values.name ?? env.BOT_NAME ?? 'agent',
    bots: wholeNumber('bots', values.bots ?? env.BOTS ?? '4', 1, 100),
    paceMs: wholeNumber('pace', values.pace ?? env.PACE_MS ?? String(PACE_MS), 0, 60_000),
    pollMs: wholeNumber('poll', values.poll ?? env.POLL_MS ?? String(POLL_MS), 100, 600_000),
    source: scans
      ? await scanFolder(resolve(scans), {
          settleMs,
          onFile: (report) => console.log(reportLines(report).join('\n')),
          onTrouble: trouble.tell,
        })
      : simulatedWorld(),
  };
}

const isOnThisMachine = (url: string): boolean =>
  /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname);

function wholeNumber(name: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new Error(`--${name} must be a whole number from ${least} to ${most}, not '${text}'.`);
}

async function main(): Promise<void> {
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort());
  const args = process.argv.slice(2);
  if (args.includes('--help')) return console.log(USAGE);
  const options = await optionsOf(args, process.env);
  console.log(
    `${options.bots} ${options.bots === 1 ? 'bot' : 'bots'} for ${options.url}: ${options.source.describe()}`,
  );
  await runAgent(options, stop.signal);
}

if (import.meta.main)
  await main().catch((error: Error) => {
    const refused = error instanceof TokenRefused;
    console.error(refused ? `agent: ${error.message}` : `agent: ${error.message}\n\n${USAGE}`);
    process.exitCode = refused ? TOKEN_REFUSED_EXIT : 1;
  });
