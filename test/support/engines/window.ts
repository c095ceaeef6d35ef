import { existsSync } from 'node:fs';

/**
 * Browsers that Playwright does not drive as they are installed: Firefox by WebDriver BiDi, WebKit by WebDriver. Both
 * take the same actions of hands (W3C WebDriver, 17), so that a proof is written once for the two.
 */

export interface Look {
  width: number;
  height: number;
  scheme: 'light' | 'dark';
  /** The visitor has asked for less motion. */
  calm?: true;
}

/** A window of Firefox or WebKit, as proofs use it. */
export interface Window {
  /** Goes to a path of the service. */
  goto(path: string): Promise<void>;
  /** What the function answers in the page; it takes and answers what JSON holds, or a promise of it. */
  run<Args extends unknown[], T>(inPage: (...args: Args) => T, ...args: Args): Promise<Awaited<T>>;
  /** Hands: the action sequences of WebDriver. */
  act(actions: readonly object[]): Promise<void>;
  resize(width: number, height: number): Promise<void>;
  /** What went wrong since it was last asked: errors and warnings of scripts, refused and failed requests. */
  troubles(): string[];
  /** More tabs, where the engine's driver can lead them: WebKitGTK's does not answer for a second one. */
  tabs?: {
    /** Opens another tab in front. Either tab reports its errors. */
    another(): Promise<Window>;
    /** Brings this one to the front. */
    show(): Promise<void>;
  };
  /** Ends the browser. */
  close(): Promise<void>;
}

export interface Engine {
  name: string;
  /** Why it cannot be driven on this machine, or null. */
  missing(): string | null;
  /** A browser of its own at a service, with one window and an empty profile. */
  launch(address: string, look: Look): Promise<Window>;
}

/** A line that says which of some files are not there, or null. */
export function missingFiles(hint: string, ...paths: readonly string[]): string | null {
  const gone = paths.filter((path) => !existsSync(path));
  return gone.length === 0 ? null : `${gone.join(', ')}: ${hint}`;
}

/** A function's call as a script's text: what it answers becomes JSON, so that both protocols carry it alike. */
export const asScript = (inPage: (...args: never[]) => unknown, args: readonly unknown[]): string =>
  `(async () => JSON.stringify(await (${inPage})(...${JSON.stringify(args)})) ?? 'null')()`;
