import { type ChildProcess, spawn } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../service.ts';
import { openDoor } from './ears.ts';
import { asScript, type Engine, type Look, missingFiles, type Window } from './window.ts';

const DRIVER = '/usr/bin/WebKitWebDriver';
const DISPLAY = '/usr/bin/Xvfb';
/** The browser of WebKit's own developers: nothing but a window around the engine. */
const [BROWSER = '/usr/lib/*/webkit2gtk-*/MiniBrowser'] = globSync('/usr/lib/*/webkit2gtk-*/MiniBrowser');

/** Its window needs a screen; `-displayfd` says the number of the one that was free. */
async function openScreen(): Promise<{ screen: ChildProcess; display: string }> {
  const args = ['-displayfd', '3', '-screen', '0', '1600x1300x24', '-nolisten', 'tcp'];
  const screen = spawn(DISPLAY, args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  const display = await new Promise<string>((found) =>
    screen.stdio[3]?.once('data', (number) => found(`:${String(number).trim()}`)),
  );
  return { screen, display };
}

type Call = <T>(method: string, path: string, body?: object) => Promise<T>;

/** Commands of WebDriver over HTTP. */
const callsTo =
  (address: string): Call =>
  async (method, path, body) => {
    const answer = await fetch(address + path, { method, ...(body && { body: JSON.stringify(body) }) });
    const { value } = (await answer.json()) as { value: never };
    if (!answer.ok) throw new Error(JSON.stringify(value));
    return value;
  };

async function untilItListens(call: Call): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    try {
      return await call('GET', '/status');
    } catch {
      await sleep(50);
    }
  }
  throw new Error('WebKitWebDriver does not answer.');
}

/** Its bar is wider than a phone, unless nothing in it has air around. */
const NARROW_BAR = 'button, entry, toolitem, toolbar, box { min-width: 0; padding: 0; margin: 0; border-width: 0 }';

async function launch(address: string, look: Look): Promise<Window> {
  const home = mkdtempSync(join(tmpdir(), 'webkit-'));
  const theme = join(home, '.config/gtk-3.0');
  mkdirSync(theme, { recursive: true });
  writeFileSync(join(theme, 'gtk.css'), NARROW_BAR);
  if (look.calm) writeFileSync(join(theme, 'settings.ini'), '[Settings]\ngtk-enable-animations=0\n');
  const [door, { screen, display }, port] = [await openDoor(address), await openScreen(), await freePort()];
  const driver = spawn(DRIVER, ['-p', String(port)], {
    stdio: 'ignore',
    env: { ...process.env, DISPLAY: display, HOME: home, XDG_CONFIG_HOME: join(home, '.config'), LANG: 'en_US.UTF-8' },
  });
  const call = callsTo(`http://127.0.0.1:${port}`);
  await untilItListens(call);
  const args = ['--automation', '--time-zone=UTC', ...(look.scheme === 'dark' ? ['--dark-mode'] : [])];
  const { sessionId } = await call<{ sessionId: string }>('POST', '/session', {
    capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': { binary: BROWSER, args } } },
  });
  const session: Call = (method, path, body) => call(method, `/session/${sessionId}${path}`, body);
  const opened: Window = {
    async resize(width, height) {
      const bar = await opened.run(() => outerHeight - innerHeight);
      await session('POST', '/window/rect', { width, height: height + bar });
    },
    async goto(path) {
      await session('POST', '/url', { url: door.address + path });
    },
    async run(inPage, ...args) {
      const script = `return ${asScript(inPage, args)}`;
      return JSON.parse(await session<string>('POST', '/execute/sync', { script, args: [] }));
    },
    async act(actions) {
      await session('POST', '/actions', { actions });
    },
    troubles: door.troubles,
    async close() {
      await session('DELETE', '').catch(() => undefined);
      for (const child of [driver, screen]) child.kill();
      door.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
  await opened.resize(look.width, look.height);
  return opened;
}

export const webkit: Engine = {
  name: 'WebKit',
  missing: () => missingFiles('apt-get install webkit2gtk-driver xvfb', DRIVER, DISPLAY, BROWSER),
  launch,
};
