import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DESKTOP, launchBrowser, PHONE } from '../support/browser.ts';
import { newUser } from '../support/client.ts';
import { everyScreen, type Placed } from '../support/every-screen.ts';
import { copyToLookAt, Sitters, type State } from './sitter.ts';

/**
 * `npm run screens` takes every screen in every state on one sheet (screens/index.html). `npm run screens -- orders
 * leaderboard` takes those whose address contains one of the words, `-- 2/4` the second quarter of them; other pictures
 * on the sheet stay. ADDRESS names a running copy.
 */

const ROOT = resolve(import.meta.dirname, '../..');
const OUT = join(ROOT, 'screens');

const LOOKS = [
  { look: 'desktop light', viewport: DESKTOP, colorScheme: 'light' },
  { look: 'phone dark', viewport: PHONE, colorScheme: 'dark' },
  { look: 'desktop dark', viewport: DESKTOP, colorScheme: 'dark' },
  { look: 'phone light', viewport: PHONE, colorScheme: 'light' },
] as const;

/** The user, the service's state, and the looks to take: one of each scheme unless all. */
const STATES: readonly { state: State; looks: number }[] = [
  { state: 'full', looks: 4 },
  { state: 'empty', looks: 2 },
  { state: 'loading', looks: 2 },
  { state: 'failing', looks: 2 },
];

/** Screens that need no data, and so neither load nor fail. */
const STILL =
  /^\/(eula|imprint|privacy|login|logout|register|password_reset|stop-change|verify-email|admin\/events\/new)$/;

/** Keeps the picture that a link to the page shows in chats. */
async function takeLinkPicture(address: string, { path, at }: Placed): Promise<void> {
  const html = await (await fetch(address + at)).text();
  const picture = /og:image" content="([^"]+)"/.exec(html)?.[1];
  if (!picture) return;
  const { pathname, search } = new URL(picture.replaceAll('&amp;', '&'));
  const drawn = await fetch(address + pathname + search);
  if (drawn.ok) writeFileSync(join(OUT, `${nameOf(path)}--link--picture.png`), Buffer.from(await drawn.arrayBuffer()));
}

const nameOf = (path: string): string => path.replace(/[^\w,-]+/g, '_');

/** `path--state--look.jpg`: the name describes the picture fully, so that a later run can extend an earlier sheet. */
const fileOf = (path: string, state: State, look: string): string =>
  `${nameOf(path)}--${state}--${look.replace(' ', '-')}.jpg`;

async function takeScreen(sitters: Sitters, { path, who, at }: Placed): Promise<void> {
  for (const { state, looks } of STATES) {
    // Visitors and admins have no data of their own that could be missing.
    if (state === 'empty' && who !== 'user') continue;
    if ((state === 'loading' || state === 'failing') && STILL.test(path)) continue;
    const sitter = await sitters.of(state === 'empty' ? 'newcomer' : who);
    await sitter.open(at, state);
    for (const { look, viewport, colorScheme } of LOOKS.slice(0, looks)) {
      await sitter.look(viewport, colorScheme);
      await sitter.page.screenshot({ path: join(OUT, fileOf(path, state, look)), type: 'jpeg', quality: 60 });
    }
  }
}

/** Writes the sheet of all pictures. */
function sheetOf(files: readonly string[]): string {
  const shots = files.map((file) => {
    const [path = '', state = '', look = ''] = file.replace(/\.\w+$/, '').split('--');
    return {
      file,
      path,
      about: `${state}, ${look.replace('-', ' ')}`,
      order: STATES.findIndex((each) => each.state === state),
    };
  });
  const sections = [...Map.groupBy(shots, ({ path }) => path)].map(([path, each]) => {
    const figures = each
      .toSorted((one, other) => one.order - other.order)
      .map(
        ({ file, about }) =>
          `<figure><a href="${file}"><img loading="lazy" src="${file}" alt=""></a><figcaption>${about}</figcaption></figure>`,
      );
    return `<h2>${path.replaceAll('_', '/')}</h2><section>${figures.join('')}</section>`;
  });
  return `<!doctype html>
<meta charset="utf-8"><title>Every screen</title>
<style>body{font:14px system-ui;margin:16px;background:#888}section{display:flex;flex-wrap:wrap;gap:8px;align-items:start}
figure{margin:0}img{height:300px;display:block}figcaption,h2{color:#fff}h2{margin:24px 0 8px}</style>
${sections.join('\n')}
`;
}

/** Returns the requested screens: those that contain a word, or one part of them. */
function wantedOf(screens: readonly Placed[], asked: readonly string[]): Placed[] {
  const part = asked.map((each) => /^(\d+)\/(\d+)$/.exec(each)).find((found) => found !== null);
  const words = asked.filter((each) => !/^\d+\/\d+$/.test(each));
  const wanted = screens.filter(({ path }) => words.length === 0 || words.some((word) => path.includes(word)));
  if (!part) return wanted;
  const [which, of] = [Number(part[1]), Number(part[2])];
  return wanted.slice(Math.floor(((which - 1) * wanted.length) / of), Math.floor((which * wanted.length) / of));
}

const asked = process.argv.slice(2);
if (asked.length === 0) rmSync(OUT, { recursive: true, force: true });
mkdirSync(OUT, { recursive: true });
const begun = Date.now();
const { address, remove } = await copyToLookAt();
const browser = await launchBrowser();
try {
  const screens = await everyScreen(address);
  const { username } = await newUser(address, 1);
  const waiting = wantedOf(screens, asked);
  // Two in parallel: the service answers one while the other is drawn.
  await Promise.all(
    Array.from({ length: 2 }, async () => {
      const sitters = new Sitters(browser, address, username);
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        await takeScreen(sitters, next);
        if (next.who === 'visitor') await takeLinkPicture(address, next);
        console.log(`${Math.round((Date.now() - begun) / 1000)} s  ${next.path}`);
      }
    }),
  );
} finally {
  const files = readdirSync(OUT)
    .filter((file) => /\.(jpg|png)$/.test(file))
    .sort();
  writeFileSync(join(OUT, 'index.html'), sheetOf(files));
  console.log(`${files.length} pictures: screens/index.html`);
  await browser.close();
  await remove();
}
