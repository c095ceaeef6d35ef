import { openSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from './build.ts';
import { startNode } from './children.ts';
import { startClock } from './clock.ts';
import { migrate } from './migrate.ts';
import { startPayments } from './payments.ts';
import { noteRunning, runningIn } from './running.ts';
import { openRuntime } from './runtime.ts';
import { type Secrets, secretsOf } from './secrets.ts';
import { ADMIN, DEMO } from './seed/plan.ts';
import { seed } from './seed.ts';
import { Problem, ROOT, type Settings, settingsOf } from './settings.ts';
import { checkDatabase, checkDatabaseFile } from './state.ts';
import { untilHealthy, watch } from './watch.ts';

const USAGE = `Usage: npm start

Runs the whole service with bots that scan a simulated world. Variables of the environment:
  PORT            the port (8787)
  STATE_DIR       folder of database, objects, buckets and keys (.state); copies with different folders run side by side
  SCANS_DIR       folder of scan files that the bots read instead of the simulated world
  READY_PRODUCTS  products open for orders, separated by commas
Settings of wrangler.toml ([vars]) are read from the environment too.`;

/** Prints the help if it is asked for, and refuses other arguments, because everything is set by the environment. */
function readArguments(): void {
  try {
    if (!parseArgs({ options: { help: { type: 'boolean', short: 'h' } } }).values.help) return;
  } catch (error) {
    throw new Problem(`${(error as Error).message}\n\n${USAGE}`);
  }
  console.log(USAGE);
  process.exit(0);
}

/** Prints the error and exits. Everything started by this process ends with it (children.ts, Miniflare's own hook). */
function fail(error: unknown): never {
  console.error(error instanceof Problem ? `Muster: ${error.message}` : error);
  process.exit(1);
}

function endWithSignals(): void {
  // Registered before Miniflare's listeners, which would end the process as if it had failed.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(0));
}

const refusePort = (port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const probe = createServer()
      .once('error', () => reject(new Problem(`Port ${port} is taken. Choose another: PORT=8788 npm start`)))
      .listen(port, '127.0.0.1', () => probe.close(() => resolve()));
  });

function refuseSecond(stateDir: string): void {
  const pid = runningIn(stateDir);
  if (pid !== null) throw new Problem(`A copy (process ${pid}) runs in ${stateDir} already. Choose another STATE_DIR.`);
  noteRunning(stateDir);
}

function startAgent({ stateDir, scansDir }: Settings, address: string, { FLEET_TOKEN }: Secrets): void {
  const { SCANS_DIR: _, ...env } = process.env;
  const agent = startNode(['fleet/agent.ts'], {
    cwd: ROOT,
    // Shorter waits, because a person is watching and files prepared for a copy are complete.
    env: {
      POLL_MS: '1000',
      SETTLE_MS: '2000',
      ...env,
      MUSTER_URL: address,
      FLEET_TOKEN,
      ...(scansDir && { SCANS_DIR: scansDir }),
    },
    stdio: ['ignore', openSync(join(stateDir, 'agent.log'), 'w'), 'inherit'],
  });
  agent.once('exit', (code, signal) => {
    // Ctrl-C may reach the agent first.
    setTimeout(() => fail(new Problem(`The agent ended (${signal ?? code}).`)), 200);
  });
}

function banner({ port, scansDir }: Settings): string {
  return `
  Muster is ready at http://localhost:${port}

    ${DEMO.username} / ${DEMO.password}      orders scans
    ${ADMIN.username} / ${ADMIN.password}    watches the fleet

  The agent scans ${scansDir ?? 'the simulated world'}.
`;
}

/** Migrates and seeds at a random port, so that everyone who reaches the service at its own port can sign in. */
async function prepare(settings: Settings, secrets: Secrets): Promise<void> {
  const runtime = await openRuntime({ ...settings, port: 0 }, secrets);
  for (const database of await runtime.databases()) {
    await checkDatabase(database, settings.stateDir);
    await migrate(database);
  }
  await seed(runtime.seed, secrets, settings);
  await runtime.close();
}

async function start(): Promise<void> {
  readArguments();
  const settings = settingsOf(process.env);
  await refusePort(settings.port);
  refuseSecond(settings.stateDir);
  await build();
  checkDatabaseFile(settings.stateDir);
  const secrets = secretsOf(settings.stateDir);
  Object.assign(process.env, await startPayments(settings));
  await prepare(settings, secrets);
  const open = () => openRuntime(settings, secrets);
  const runtime = await open();
  await untilHealthy(runtime.address, 10_000);
  startAgent(settings, runtime.address, secrets);
  startClock(runtime.address, runtime.crons, (error) => console.error(error));
  console.log(banner(settings));
  await watch(runtime, open);
}

endWithSignals();
await start().catch(fail);
