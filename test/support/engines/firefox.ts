import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asScript, type Engine, type Look, missingFiles, type Window } from './window.ts';

const FIREFOX = process.env.FIREFOX ?? '/usr/bin/firefox-esr';

/** Nothing asks the internet or the visitor anything, and pages see the wanted colours. */
const prefs = ({ scheme, calm }: Look): Record<string, unknown> => ({
  'layout.css.prefers-color-scheme.content-override': scheme === 'dark' ? 0 : 1,
  'ui.prefersReducedMotion': calm ? 1 : 0,
  // A page that still glides is somewhere else when it is pressed.
  'general.smoothScroll': false,
  'intl.accept_languages': 'en-US',
  'remote.prefs.recommended': true,
  'app.update.disabledForTesting': true,
  'browser.shell.checkDefaultBrowser': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'data:,',
});

interface Message {
  id?: number;
  result?: unknown;
  error?: string;
  message?: string;
  method?: string;
  params?: Record<string, never>;
}

/** Commands and events of WebDriver BiDi over a WebSocket. */
class Bidi {
  #socket: WebSocket;
  #next = 1;
  #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  constructor(socket: WebSocket, onEvent: (method: string, params: Record<string, never>) => void) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => {
      const { id, result, error, message, method, params } = JSON.parse(String(data)) as Message;
      if (id === undefined) return onEvent(method ?? '', params ?? {});
      const asked = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error) asked?.reject(new Error(`${error}: ${message}`));
      else asked?.resolve(result);
    });
    socket.addEventListener('close', () => {
      for (const asked of this.#waiting.values()) asked.reject(new Error('Firefox ended.'));
    });
  }
  send<T>(method: string, params: object = {}): Promise<T> {
    const id = this.#next++;
    const asked = Promise.withResolvers<unknown>();
    this.#waiting.set(id, asked);
    this.#socket.send(JSON.stringify({ id, method, params }));
    return asked.promise as Promise<T>;
  }
}

/** Returns the address that the browser prints. */
const listening = (child: ChildProcess): Promise<string> =>
  new Promise((found, fail) => {
    let printed = '';
    child.once('exit', () => fail(new Error(`Firefox did not start:\n${printed}`)));
    child.stderr?.on('data', (chunk: Buffer) => {
      printed += chunk;
      const [, address] = /BiDi listening on (ws:\S+)/.exec(printed) ?? [];
      if (address) found(address);
    });
  });

const opened = (socket: WebSocket): Promise<void> =>
  new Promise((done, fail) => {
    socket.addEventListener('open', () => done());
    socket.addEventListener('error', () => fail(new Error('Firefox does not take the connection.')));
  });

interface Told {
  level?: string;
  text?: string;
  response?: { status: number; url: string };
  request?: { url: string };
  errorText?: string;
}

/** Requests that a page had open when it was left (fonts report a number), and one that Firefox makes itself. */
const HARMLESS = /NS_BINDING_ABORTED|status=2152398850|\/favicon\.ico$/;

/** What an event says that went wrong, or null. */
function troubleOf(method: string, { level, text, response, request, errorText }: Told): string | null {
  if (method === 'log.entryAdded') return level === 'error' || level === 'warn' ? `${level}: ${text}` : null;
  if (method === 'network.fetchError') return `${errorText}: ${request?.url}`;
  if (method === 'network.responseCompleted' && (response?.status ?? 0) >= 400)
    return `${response?.status}: ${response?.url}`;
  return null;
}

async function launch(address: string, look: Look): Promise<Window> {
  const profile = mkdtempSync(join(tmpdir(), 'firefox-'));
  const lines = Object.entries(prefs(look)).map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});`);
  writeFileSync(join(profile, 'user.js'), lines.join('\n'));
  const child = spawn(FIREFOX, ['--headless', '--no-remote', '--remote-debugging-port=0', '--profile', profile], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, TZ: 'UTC' },
  });
  const socket = new WebSocket(`${await listening(child)}/session`);
  await opened(socket);
  let troubles: string[] = [];
  const bidi = new Bidi(socket, (method, params) => {
    const trouble = troubleOf(method, params);
    if (trouble && !HARMLESS.test(trouble)) troubles.push(trouble);
  });
  await bidi.send('session.new', { capabilities: {} });
  await bidi.send('session.subscribe', {
    events: ['log.entryAdded', 'network.fetchError', 'network.responseCompleted'],
  });
  const { contexts } = await bidi.send<{ contexts: [{ context: string }] }>('browsingContext.getTree');
  const [{ context }] = contexts;
  const tab = (context: string): Window => ({
    async resize(width, height) {
      await bidi.send('browsingContext.setViewport', { context, viewport: { width, height } });
    },
    async goto(path) {
      await bidi.send('browsingContext.navigate', { context, url: address + path, wait: 'complete' });
    },
    async run(inPage, ...args) {
      const { result, exceptionDetails } = await bidi.send<{
        result: { value: string };
        exceptionDetails?: { text: string };
      }>('script.evaluate', { expression: asScript(inPage, args), target: { context }, awaitPromise: true });
      if (exceptionDetails) throw new Error(exceptionDetails.text);
      return JSON.parse(result.value);
    },
    async act(actions) {
      await bidi.send('input.performActions', { context, actions });
    },
    troubles() {
      const told = troubles;
      troubles = [];
      return told;
    },
    tabs: {
      async another() {
        const { context: other } = await bidi.send<{ context: string }>('browsingContext.create', { type: 'tab' });
        return sized(tab(other));
      },
      async show() {
        await bidi.send('browsingContext.activate', { context });
      },
    },
    async close() {
      const gone = new Promise((done) => child.once('exit', done));
      await bidi.send('browser.close').catch(() => undefined);
      await gone;
      rmSync(profile, { recursive: true, force: true });
    },
  });
  const sized = async (window: Window): Promise<Window> => {
    await window.resize(look.width, look.height);
    return window;
  };
  return sized(tab(context));
}

export const firefox: Engine = {
  name: 'Firefox',
  missing: () => missingFiles('apt-get install firefox-esr', FIREFOX),
  launch,
};
