import { setTimeout as sleep } from 'node:timers/promises';
import type { Window } from './window.ts';

/** What somebody does in a window with a mouse and a keyboard. */

/** Keys that write nothing (W3C WebDriver, 17.4.2). */
export const KEYS = { enter: '\uE007', escape: '\uE00C', end: '\uE010', tab: '\uE004' };

const PATIENCE_MS = 20_000;

/** Returns the page's address and its first text. Runs in the page. */
const standing = (): string =>
  `${location.href}: ${(document.querySelector('main') ?? document.body).textContent.replaceAll(/\s+/g, ' ').slice(0, 1500)}`;

/** Waits until the function answers something true in the page, and answers that. */
export async function until<Args extends unknown[], T>(
  window: Window,
  inPage: (...args: Args) => T,
  ...args: Args
): Promise<NonNullable<Awaited<T>>> {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const answer = await window.run(inPage, ...args);
    if (answer) return answer;
    if (Date.now() > end)
      throw new Error(`It never came: ${inPage} of ${JSON.stringify(args)}\n${await window.run(standing)}`);
    await sleep(50);
  }
}

/** Presses keys, one after the other. */
export const press = (window: Window, ...keys: readonly string[]): Promise<void> =>
  window.act([
    {
      type: 'key',
      id: 'keyboard',
      actions: keys.flatMap((value) => ['keyDown', 'keyUp'].map((type) => ({ type, value }))),
    },
  ]);

/** Brings the first element into sight that matches and says the text, and presses its middle. */
export async function click(window: Window, selector: string, text = ''): Promise<void> {
  const find = (wanted: string, said: string) => {
    const found = [...document.querySelectorAll(wanted)].find(
      (each) => each.checkVisibility() && each.textContent?.includes(said),
    );
    found?.scrollIntoView({ block: 'center', behavior: 'instant' });
    const box = found?.getBoundingClientRect();
    return box && { x: Math.round(box.x + box.width / 2), y: Math.round(box.y + box.height / 2) };
  };
  const middle = await until(window, find, selector, text);
  await window.act([
    {
      type: 'pointer',
      id: 'mouse',
      actions: [
        { type: 'pointerMove', ...middle },
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ],
    },
  ]);
}

/** Presses a field and writes into it. */
export async function write(window: Window, field: string, text: string): Promise<void> {
  await click(window, field);
  await press(window, ...text);
}

/** Replaces the text of the field with a label. */
export async function fill(window: Window, label: string, text: string): Promise<void> {
  await click(window, 'label', label);
  await window.run(() => (document.activeElement as HTMLInputElement).select());
  await press(window, ...text);
}

/** Lets a file fall on a place, as a hand would that holds one. */
export const drop = (window: Window, place: string, name: string, bytes: Uint8Array): Promise<void> =>
  window.run(
    (selector, called, coded) => {
      const data = new DataTransfer();
      data.items.add(new File([Uint8Array.from(atob(coded), (letter) => letter.charCodeAt(0))], called));
      for (const type of ['dragenter', 'dragover', 'drop'])
        document
          .querySelector(selector)
          ?.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: data }));
    },
    place,
    name,
    Buffer.from(bytes).toString('base64'),
  );
