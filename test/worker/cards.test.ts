import { env } from 'cloudflare:workers';
import { inflateSync } from 'node:zlib';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { addDays, type Day, dayStart } from '../../domain/days.ts';
import { LOCALES } from '../../domain/language/locales.ts';
import { cardSvg } from '../../worker/files/card.ts';
import { forgetManifest } from '../../worker/gateways/board-cache.ts';
import { CARD_LOOK, layOut } from '../../worker/services/boards/draw-card.ts';
import { publishDueBoards } from '../../worker/services/boards/publish-boards.ts';
import { caller, db } from './client.ts';
import { governor, publishRows } from './scans.ts';

const DAY: Day = '2026-03-10';
const visitor = caller();

beforeAll(async () => {
  await publishRows('rok', 1001, dayStart(DAY) + 3_600_000, [
    governor(1, 90e6, { name: '<script>alert(1)</script>' }),
    governor(2, 80e6, { name: '龍王 \u202eolleh\u0007' }),
    governor(3, 70e6, { name: '꧁ 𝕳éʀO ꧂', alliance_tag: '' }),
    governor(4, 60e6, { name: `Z${'\u0301'.repeat(90)}algo` }),
    governor(5, 50e6, { name: '\u{1fae8}\u{1fae8}' }),
    governor(6, 40e6, { name: 'Not on the card' }),
  ]);
  await publishDueBoards(db, env.STORE, dayStart(addDays(DAY, 1)) + 1000);
});

afterEach(() => {
  vi.useRealTimers();
});

/** Sets the clock to `days` days after the board's. */
async function daysLater(days: number): Promise<void> {
  vi.useFakeTimers({ toFake: ['Date'], now: dayStart(addDays(DAY, days)) + 1000 });
  await forgetManifest();
}

const headOf = async (path: string) => (await visitor.fetch(path)).text();
const imageOf = (html: string): string =>
  new URL(/property="og:image" content="([^"]+)"/.exec(html)?.[1] ?? '').pathname;

interface Png {
  width: number;
  height: number;
  /** Bytes of a pixel: three or four. */
  depth: number;
  colours: Set<number>;
}

/** Reads a PNG of eight bits a channel: its size, and which colours it has. */
function readPng(bytes: Buffer): Png {
  expect(bytes.subarray(0, 8).toString('hex')).toBe('89504e470d0a1a0a');
  const parts: Buffer[] = [];
  for (let at = 8; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    if (bytes.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(bytes.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  const [width, height, depth] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20), bytes[25] === 6 ? 4 : 3];
  const lines = inflateSync(Buffer.concat(parts));
  const row = width * depth;
  expect(lines.length).toBe(height * (row + 1));
  const colours = new Set<number>();
  let before: Buffer = Buffer.alloc(row);
  for (let y = 0; y < height; y++) {
    const line = unfilter(lines.subarray(y * (row + 1), (y + 1) * (row + 1)), before, depth);
    for (let x = 0; x < row; x += depth) colours.add(line.readUIntBE(x, 3));
    before = line;
  }
  return { width, height, depth, colours };
}

/** Undoes the filter of a line, which its first byte names (PNG, section 9). */
function unfilter(filtered: Buffer, above: Buffer, depth: number): Buffer {
  const line = Buffer.from(filtered.subarray(1));
  const kind = filtered[0];
  for (let x = 0; x < line.length; x++) {
    const left = x < depth ? 0 : (line[x - depth] as number);
    const up = above[x] as number;
    const corner = x < depth ? 0 : (above[x - depth] as number);
    const guess = left + up - corner;
    const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
    const nearest = a <= b && a <= c ? left : b <= c ? up : corner;
    const added = [0, left, up, (left + up) >> 1, nearest][kind ?? 0] as number;
    line[x] = ((line[x] as number) + added) & 255;
  }
  return line;
}

describe('the picture of a board', () => {
  it('is linked from board, leaderboard and home pages, and is a PNG of 1200 × 630', async () => {
    await daysLater(8);
    const html = await headOf('/leaderboard/governor?game=rok&type=killpoints');
    expect(html).toContain('<meta property="og:image:width" content="1200">');
    expect(html).toContain('<meta name="twitter:card" content="summary_large_image">');
    const paths = [
      imageOf(html),
      imageOf(await headOf('/leaderboard/governor')),
      imageOf(await headOf('/leaderboard/alliance')),
      imageOf(await headOf('/leaderboard/kingdom')),
      imageOf(await headOf('/')),
    ];
    expect(paths.map((path) => path.split('/')[4])).toEqual([
      'governor-score',
      'governor-power',
      'alliance-power',
      'kingdom-power',
      'kingdom-power',
    ]);
    for (const path of new Set(paths)) {
      const answer = await visitor.fetch(path);
      expect(answer.headers.get('content-type')).toBe('image/png');
      expect(answer.headers.get('cache-control')).toBe('public, max-age=86400');
      expect(answer.headers.get('cache-tag')).toBe('boards');
      const { width, height, colours } = readPng(Buffer.from(await answer.arrayBuffer()));
      expect([width, height]).toEqual([1200, 630]);
      // Background, bar, accent and all shades of the letters' edges.
      expect(colours.size).toBeGreaterThan(100);
      expect(colours).toContain(0x0d1110);
      expect(colours).toContain(0x12302a);
      const again = await visitor.fetch(path, { headers: { 'if-none-match': answer.headers.get('etag') ?? '' } });
      expect(again.status).toBe(304);
      const other = await visitor.fetch(path, { headers: { 'if-none-match': '"another"' } });
      expect([other.status, (await other.arrayBuffer()).byteLength > 0]).toEqual([200, true]);
    }
  });

  it('is drawn once and kept with its board', async () => {
    await daysLater(8);
    const path = imageOf(await headOf('/leaderboard/governor'));
    const first = await (await visitor.fetch(path)).arrayBuffer();
    const { objects } = await env.STORE.list({ prefix: `boards/rok/governor-power/${DAY}/` });
    const card = objects.find(({ key }) => key.endsWith(`/card-${CARD_LOOK}.png`));
    expect(card?.size).toBe(first.byteLength);
  });

  it('is not found before its board is public, or without a board', async () => {
    await daysLater(8);
    const path = imageOf(await headOf('/leaderboard/governor'));
    for (const wrong of [
      path.replace('governor-power', 'governor-honour'),
      path.replace('/rok/', '/chess/'),
      path.replace('/rok/', '/cod/'),
      path.replace(DAY, '2026-03-11'),
      path.replace(DAY, 'constructor'),
      path.replace(DAY, '2026-03-11').replace(/[0-9a-f]{16}/, 'undefined'),
      path.replace(`-${CARD_LOOK}.png`, `-${CARD_LOOK + 1}.png`),
      path.replace(/[0-9a-f]{16}/, '0123456789abcdef'),
      '/v1/cards/muster-9.png',
    ]) {
      const { status, msg } = await visitor.call('GET', wrong);
      expect({ wrong, status, msg }).toEqual({ wrong, status: 404, msg: 'There is no such picture.' });
    }
    await daysLater(6);
    expect((await visitor.fetch(path)).status).toBe(404);
    const young = imageOf(await headOf('/leaderboard/governor'));
    expect(young).toBe(`/v1/cards/muster-${CARD_LOOK}.png`);
    const own = readPng(Buffer.from(await (await visitor.fetch(young)).arrayBuffer()));
    expect([own.width, own.height]).toEqual([1200, 630]);
    expect(own.colours.size).toBeGreaterThan(50);
  });
});

describe('the language of a picture', () => {
  it('is the page’s, named in its address and drawn once', async () => {
    await daysLater(8);
    const english = imageOf(await headOf('/leaderboard/governor'));
    const [own] = /og:image" content="([^"]+)"/.exec(await headOf('/ko/leaderboard/governor'))?.slice(1) ?? [];
    expect(own).toBe(`${env.SITE_ORIGIN}${english}?language=ko`);
    const drawn = async (path: string) => Buffer.from(await (await visitor.fetch(path)).arrayBuffer());
    const [first, korean] = [await drawn(english), await drawn(`${english}?language=ko`)];
    expect(readPng(korean)).toMatchObject({ width: 1200, height: 630 });
    expect(korean.equals(first)).toBe(false);
    // Whatever the browser asks for, the address decides.
    const asked = await visitor.fetch(english, { headers: { 'accept-language': 'ko' } });
    expect(Buffer.from(await asked.arrayBuffer()).equals(first)).toBe(true);
    const { objects } = await env.STORE.list({ prefix: `boards/rok/governor-power/${DAY}/` });
    const cards = objects.flatMap(({ key }) => /\/card-.*$/.exec(key) ?? []);
    expect(cards).toEqual([`/card-${CARD_LOOK}-ko.png`, `/card-${CARD_LOOK}.png`]);
  });

  it('that is unknown is refused', async () => {
    await daysLater(8);
    const path = imageOf(await headOf('/leaderboard/governor'));
    for (const language of ['xx', '', 'KO', 'ko-KR'])
      expect(await visitor.call('GET', `${path}?language=${language}`)).toMatchObject({
        status: 400,
        msg: `language: must be one of ${LOCALES.join(', ')}.`,
      });
  });
});

describe('the text of a picture', () => {
  const row = (name: string, more = {}) => ({
    rank: 1,
    name,
    otherwise: 'Governor 7',
    about: 'Kingdom 1',
    value: 5e6,
    ...more,
  });
  const svgOf = async (...names: string[]) => {
    const studio = { store: env.STORE, assets: env.ASSETS, origin: 'http://muster.test' };
    const { svg, fonts } = await layOut(studio, { title: 'Title', line: 'Line', rows: names.map((name) => row(name)) });
    return { svg, texts: [...svg.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text]) => text), fonts: fonts.length };
  };

  it('shows rank, name, kingdom and figure of each row', async () => {
    expect((await svgOf('Ærik')).texts).toEqual(['Muster', 'Title', 'Line', '1', 'Ærik', 'Kingdom 1', '5.00M']);
  });

  it('shows an unknown figure as a question mark', () => {
    expect(cardSvg({ title: 'Title', line: 'Line', rows: [row('x', { value: null })] })).toContain('>?<');
  });

  it('escapes names', async () => {
    const { svg, texts } = await svgOf('</text><script>alert("1")</script>', '\u202eolleh\u0000\u0007\u2028', '&amp;');
    expect(svg).not.toContain('<script');
    expect(texts.filter((_, index) => index % 4 === 0)).toEqual([
      'Muster',
      '&lt;/text&gt;&lt;script&gt;alert(&quot;1&quot;…',
      'olleh',
      '&amp;amp;',
    ]);
    expect(cardSvg({ title: '<b>', line: '"', rows: [row('x', { about: '</g>' })] })).not.toMatch(/<b>|<\/g><\/text>/);
  });

  it('uses fonts for the script of each name, or plainer letters, or the id', async () => {
    expect((await svgOf('Plain')).fonts).toBe(2);
    const many = await svgOf('龍王', '용사', 'Привет', 'مرحبا', 'สวัสดี', '꧁☆꧂', '𝕳ero', '\u{1fae8}');
    expect(many.texts.filter((_, index) => index % 4 === 0).slice(1)).toEqual([
      '龍王',
      '용사',
      'Привет',
      'مرحبا',
      'สวัสดี',
      '꧁☆꧂',
      'Hero',
      'Governor 7',
    ]);
    expect(many.fonts).toBeGreaterThan(8);
    expect(many.fonts).toBeLessThan(20);
  });

  it('with Arabic letters is drawn in one font, without the letters that it lacks', async () => {
    const { texts, fonts } = await svgOf('Hero البطل', '꧁ مرحبا 龍 ꧂', 'ﷺ');
    expect([texts[4], texts[8], texts[12]]).toEqual(['Hero البطل', 'مرحبا', 'ﷺ']);
    expect(fonts).toBeGreaterThan(2);
  });

  it('cuts long names and removes stacked marks', async () => {
    const { texts } = await svgOf('x'.repeat(1_000_000), '龍'.repeat(200), `Z${'\u0301'.repeat(5000)}a`);
    expect([...(texts[4] ?? '')]).toHaveLength(25);
    expect([...(texts[8] ?? '')]).toHaveLength(13);
    expect([...(texts[12] ?? '')].length).toBeLessThan(5);
  });
});
