import { env, exports } from 'cloudflare:workers';
import ExcelJS from 'exceljs';
import { describe, expect, it } from 'vitest';
import { LANGUAGES, LOCALES, localPath } from '../../domain/language/locales.ts';
import { addCatalogue, keyOf } from '../../domain/language/text.ts';
import { bot, caller, scanOf, settled, signedInUser, work } from './client.ts';
import { newcomer } from './people.ts';

const text = async (path: string) => {
  const answer = await exports.default.fetch(`http://muster.test${path}`);
  return { status: answer.status, html: await answer.text() };
};

describe('a public page in a language', () => {
  it('names the language, itself, and its address in all others', async () => {
    const { status, html } = await text('/ar/leaderboard?game=cod&sort=power');
    expect(status).toBe(200);
    expect(html).toContain('<html lang="ar" dir="rtl">');
    expect(html).toContain('<link rel="canonical" href="http://muster.test/ar/leaderboard">');
    const alternates = [...html.matchAll(/hreflang="([\w-]+)" href="([^"]+)"/g)].map(([, tag, href]) => [tag, href]);
    expect(alternates.map(([tag]) => tag)).toEqual([...LOCALES, 'x-default']);
    expect(Object.fromEntries(alternates)).toMatchObject({
      en: 'http://muster.test/leaderboard',
      'zh-Hant': 'http://muster.test/zh-Hant/leaderboard',
      'x-default': 'http://muster.test/leaderboard',
    });
  });

  it('has a head in that language', async () => {
    const titles = async (path: string) => {
      const { html } = await text(path);
      return [/<title>([^<]*)/, /property="og:title" content="([^"]*)/].map((tag) => tag.exec(html)?.[1]);
    };
    expect(await titles('/faq')).toEqual(Array(2).fill('Frequently asked questions · Muster'));
    expect(await titles('/ko/faq')).toEqual(Array(2).fill('자주 묻는 질문 · Muster'));
    expect((await titles('/ko'))[0]).toMatch(/스캔과 통계/);
  });

  it('links to other pages in that language, and without it to those of users', async () => {
    const { html } = await text('/ko');
    expect(html).toContain('href="/ko/leaderboard"');
    expect(html).toContain('href="/ko/faq"');
    expect(html).not.toContain('href="/faq"');
  });

  it('says on the licence that its English text is binding', async () => {
    expect((await text('/ko/eula')).html).toContain('영어 본문이 구속력을 가집니다.');
    expect((await text('/eula')).html).not.toContain('is binding');
  });

  it('is not mixed with another language that is rendered at the same time', async () => {
    const pages = await Promise.all(['/', '/ja', '/de', '/', '/ja/faq', '/ru'].map(text));
    expect(pages.map(({ html }) => /<html lang="([\w-]+)"/.exec(html)?.[1])).toEqual([
      'en',
      'ja',
      'de',
      'en',
      'ja',
      'ru',
    ]);
  });

  it.each([
    '/nl/leaderboard',
    '/ko/dashboard',
    '/ko/nothing',
    '/ko/v1/stats/global',
    '/en/orders',
    '/KO/faq/more',
    '/ko/ja/faq',
    '/ko//faq',
  ])('does not exist at %s', async (path) => expect((await text(path)).status).toBe(404));
});

describe('an address with a language spelled in another way', () => {
  it.each([
    ['/KO/leaderboard?game=cod', '/ko/leaderboard?game=cod'],
    ['/zh/faq', '/zh-Hans/faq'],
    ['/zh-hant', '/zh-Hant'],
    ['/zh-TW/leaderboard/governor/', '/zh-Hant/leaderboard/governor/'],
    ['/pt-BR/maps', '/pt/maps'],
    ['/en', '/'],
    ['/en/faq', '/faq'],
  ])('%s leads to %s for good', async (path, location) => {
    const answer = await exports.default.fetch(`http://muster.test${path}`, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([301, location]);
  });

  it.each(['/ko/', '/ko/leaderboard/'])('%s is the page without the slash', async (path) => {
    const { status, html } = await text(path);
    expect(status).toBe(200);
    expect(html).toContain('<html lang="ko" dir="ltr">');
    expect(html).toContain(`<link rel="canonical" href="http://muster.test${path.slice(0, -1)}">`);
  });
});

/** Public pages of every kind that a new copy has. */
const PUBLIC = [
  '/',
  '/faq',
  '/leaderboard',
  '/leaderboard/kingdom',
  '/maps',
  '/eula',
  '/privacy',
  '/login',
  '/recipes',
];

describe('every public page in every language', () => {
  it('names all languages, which name it too, and the sitemap says the same', async () => {
    const map = await (await exports.default.fetch('http://muster.test/sitemap-pages.xml')).text();
    for (const path of PUBLIC) {
      const links = new Set<string>();
      for (const locale of LOCALES) {
        const { status, html } = await text(localPath(locale, path));
        expect([path, locale, status]).toEqual([path, locale, 200]);
        expect(html).toContain(`<html lang="${locale}" dir="${LANGUAGES[locale].dir}">`);
        links.add(
          [...html.matchAll(/hreflang="([\w-]+)" href="([^"]+)"/g)].map(([, ...pair]) => pair.join(' ')).join('\n'),
        );
      }
      expect(links.size).toBe(1);
      const [all = ''] = links;
      const wanted = [...LOCALES.map((each) => [each, localPath(each, path)]), ['x-default', path]];
      expect(all.split('\n')).toEqual(wanted.map(([tag, to]) => `${tag} http://muster.test${to}`));
      const entry = map.split('<url>').find((each) => each.includes(`<loc>http://muster.test${path}</loc>`)) ?? '';
      expect([...entry.matchAll(/hreflang="([\w-]+)" href="([^"]+)"/g)].map(([, ...pair]) => pair.join(' '))).toEqual(
        all.split('\n'),
      );
    }
  });

  it('is kept by its address alone: a header or a cookie changes nothing', async () => {
    const headers = { 'accept-language': 'ko', cookie: 'muster_language=ar' };
    const answer = await exports.default.fetch('http://muster.test/faq', { headers });
    expect(answer.headers.get('vary') ?? '').not.toMatch(/cookie|accept-language/i);
    expect(await answer.text()).toContain('<html lang="en" dir="ltr">');
  });
});

describe('a refusal', () => {
  it.each([
    [undefined, 'There are no results yet.'],
    ['ko-KR,ko;q=0.9,en;q=0.8', '아직 결과가 없습니다.'],
    ['en,ko;q=0.5', 'There are no results yet.'],
    ['xx', 'There are no results yet.'],
    ['*', 'There are no results yet.'],
  ])('is in the language that the caller asks for: %s', async (language, msg) => {
    const user = await signedInUser();
    await user.call('POST', '/v1/order/create', { orders: [scanOf([701], 100)] });
    const itemId = (await user.call('GET', '/v1/orders/')).data.orders[0].items[0].item_id;
    const asked: Record<string, string> = language === undefined ? {} : { 'accept-language': language };
    const refused = await user.call('POST', `/v1/order/${itemId}/shares`, {}, asked);
    expect(refused).toEqual({ status: 409, success: 0, code: 'conflict', msg });
  });

  it.each([
    ['GET', '/v1/nothing', 404, 'not_found'],
    ['DELETE', '/v1/stats/global', 405, 'wrong_method'],
    ['GET', '/v1/orders/', 401, 'signed_out'],
    ['GET', '/v1/governor/rankings?type=x', 400, 'invalid'],
  ])('has a code: %s %s', async (method, path, status, code) =>
    expect(await caller().call(method, path)).toMatchObject({ status, success: 0, code }),
  );
});

it('a sentence about what was done is in the language that is asked for', async () => {
  const asked = { 'accept-language': 'ko-KR,en;q=0.5' };
  const created = await caller().call('POST', '/v1/account/create', await newcomer(), asked);
  expect(created.data.message).toMatch(/[가-힣]/);
  const user = await signedInUser();
  await user.call('POST', '/v1/order/create', { orders: [scanOf([704], 100)] });
  await work(await bot());
  const { items } = await settled(user);
  const repair = async (headers = {}) =>
    (await user.call('POST', `/v1/order/${items[0].item_id}/repair`, undefined, headers)).data.msg;
  expect(await repair()).toBe('Nothing is missing and every row was read correctly.');
  expect(await repair(asked)).toMatch(/[가-힣]/);
});

it('orders are found by the name of a product as the page shows it', async () => {
  const user = await signedInUser();
  await user.call('POST', '/v1/order/create', { orders: [scanOf([705], 100)] });
  const found = async (search: string, language: string) => {
    const path = `/v1/orders/?search=${encodeURIComponent(search)}`;
    return (await user.call('GET', path, undefined, { 'accept-language': language })).data.orders.length;
  };
  expect([await found('왕국 스캔', 'ko'), await found('kingdom scan', 'ko'), await found('왕국 스캔', 'en')]).toEqual([
    ...[1, 1, 0],
  ]);
});

it('amounts in a refusal are written as its language does', async () => {
  const user = await signedInUser(123);
  const refusal = async (language: string) =>
    (await user.call('POST', '/v1/order/create', { orders: [scanOf([706], 300)] }, { 'accept-language': language }))
      .msg;
  expect(await refusal('en')).toMatch(/1\.23 USD.*1\.50 USD/);
  expect(await refusal('de')).toMatch(/1,23 USD.*1,50 USD/);
});

it('a refusal that names a field names it in the same language, in each', async () => {
  const user = await signedInUser();
  const refusals = new Map<string, string>();
  for (const language of LOCALES) {
    const asked = { 'accept-language': language };
    const refused = await user.call('POST', '/v1/order/create', { orders: [scanOf([701], 7)] }, asked);
    expect(refused).toMatchObject({ status: 400, params: { value: '7' } });
    const { field } = (refused as unknown as { params: { field: string } }).params;
    expect([language, refused.msg.includes(field), /\b7\b/.test(refused.msg)]).toEqual([language, true, true]);
    if (language === 'ko') expect(field).toBe('집정관');
    refusals.set(language, refused.msg);
  }
  expect(new Set(refusals.values()).size).toBe(LOCALES.length);
});

it('a file’s refusal and its flaws are in the language that is asked for', async () => {
  const user = await signedInUser();
  const upload = (language: string, body: string, day = '2026-02-01') =>
    user.call('POST', `/v1/scans/import?name=1001_${day}.csv`, body, {
      ...{ 'content-type': 'text/csv', 'accept-language': language },
    });
  expect((await upload('en', '%PDF-1.7')).msg).toBe('This is a PDF: export the scan as xlsx or csv.');
  expect((await upload('ko', '%PDF-1.7')).msg).toMatch(/PDF.*[가-힣]/);
  const twice = 'governor_id,name,power\n7,One,500\n7,One,500\n';
  const reasonsIn = async (language: string) =>
    (await upload(language, twice)).data.problems.map(({ reason }: { reason: string }) => reason);
  expect(await reasonsIn('en')).toEqual(['7 appears twice: line 2 counts, this one is left out.']);
  expect(await reasonsIn('ko')).toEqual([expect.stringMatching(/7.*[가-힣].*2/)]);
  // A translation of the catalogue itself counts before this one.
  const future = 'The file says that it was made at {when}, which is in the future. Enter when it was made.';
  addCatalogue('ko', { messages: { [keyOf(future)]: '{when}: 미래' } });
  const [early] = (await upload('ko', 'governor_id,name,power\n7,One,500\n', '2098-02-01')).data.problems;
  expect(early.reason).toMatch(/2098-02-01 00:00 UTC/);
  expect(early.reason).toMatch(/[가-힣]/);
});

it('a statement has titles, kinds and notes in the language that is asked for', async () => {
  const user = await signedInUser();
  const placed = await user.call('POST', '/v1/order/create', { orders: [scanOf([701], 100)] });
  await user.call('POST', `/v1/order/${placed.data.order_id}/cancel`);
  const lines = async (query: string) =>
    (await (await user.fetch(`/v1/account/statement/download${query}`)).text()).split('\r\n');
  const [english, korean] = [await lines(''), await lines('?headers=ko')];
  expect(english.slice(1, 3)).toEqual([
    expect.stringMatching(/,Returned,.*,Kingdom 701$/),
    expect.stringMatching(/,Order,/),
  ]);
  expect(korean.slice(1, 3)).toEqual([expect.stringMatching(/,왕국 701$/), expect.stringMatching(/,주문,/)]);
  expect((await user.fetch('/v1/account/statement/download?headers=nl')).status).toBe(400);
});

describe('an account’s language', () => {
  const languageOf = (email: string) =>
    env.DB.prepare(`SELECT language FROM outbox WHERE recipient = ? ORDER BY id DESC LIMIT 1`)
      .bind(email)
      .first('language');

  it('is that of the page it was registered on, and of its mails', async () => {
    const form = await newcomer();
    const asked = { 'accept-language': 'ko-KR,en;q=0.5' };
    expect((await caller().call('POST', '/v1/account/create', form, asked)).status).toBe(200);
    expect(await languageOf(form.email)).toBe('ko');
    const { language } = (await env.DB.prepare(`SELECT language FROM users WHERE username = ?`)
      .bind(form.username)
      .first<{ language: string }>()) ?? { language: null };
    expect(language).toBe('ko');
  });

  it('is chosen by its user, and says so in the account', async () => {
    const user = await signedInUser();
    expect((await user.call('GET', '/v1/account')).data.language).toBeNull();
    expect((await user.call('PUT', '/v1/account/language', { language: 'de' })).status).toBe(200);
    expect((await user.call('GET', '/v1/account')).data.language).toBe('de');
    const refused = await user.call('PUT', '/v1/account/language', { language: 'nl' });
    expect(refused).toMatchObject({ status: 400, params: { options: LOCALES.join(', ') } });
    expect((await caller().call('PUT', '/v1/account/language', { language: 'de' })).status).toBe(401);
  });
});

it('a refusal with values has them as params', async () => {
  const refused = await caller().call('GET', '/v1/governor/rankings?type=honour');
  expect(refused).toMatchObject({
    status: 400,
    msg: "type: 'honour' is not one of power, killpoints.",
    params: { value: 'honour', allowed: 'power, killpoints' },
  });
});

it('a file has titles of columns in the language that is asked for', async () => {
  const user = await signedInUser();
  await user.call('POST', '/v1/order/create', { orders: [scanOf([702], 100)] });
  await work(await bot());
  const { items } = await settled(user);
  const path = `/v1/order/${items[0].item_id}/download?type=csv`;
  expect((await user.call('GET', `${path}&headers=nl`)).status).toBe(400);
  const head = async (query = '') => (await (await user.fetch(path + query)).text()).split('\r\n')[0];
  expect(await head()).toMatch(/^governor_id,alliance_tag,/);
  expect(await head('&headers=en')).toMatch(/^Governor ID,Alliance Tag,/);
  expect(await head('&headers=ko')).toMatch(/^집정관 ID,/);
});

it('a workbook has sheets and facts in the language that is asked for, and in English otherwise', async () => {
  const user = await signedInUser();
  await user.call('POST', '/v1/order/create', { orders: [scanOf([703], 100)] });
  await work(await bot());
  const { items } = await settled(user);
  const fileOf = async (query: string) => {
    const path = `/v1/order/${items[0].item_id}/download?type=xlsx${query}`;
    // The call's own language must not count, because the file is stored for everybody.
    const answer = await user.fetch(path, { headers: { 'accept-language': 'ja' } });
    return answer.arrayBuffer();
  };
  const seen = async (file: ArrayBuffer) => {
    const book = new ExcelJS.Workbook();
    await book.xlsx.load(file as never);
    const [rows, facts] = book.worksheets;
    const labels = (facts?.getColumn(1).values ?? []).map(String);
    return { names: [rows?.name, facts?.name], labels };
  };
  // Both are made before one is read: exceljs caches streams of its first reader, which the Worker cannot use.
  const files = [await fileOf(''), await fileOf('&headers=ko')] as const;
  const english = await seen(files[0]);
  expect(english.names).toEqual(['Kingdom 703', 'Summary']);
  expect(english.labels).toEqual(expect.arrayContaining(['Game', 'Rows', 'Total Power', 'Top 100 Power', 'Kingdom']));
  const korean = await seen(files[1]);
  expect(korean.names[0]).toBe('왕국 703');
  expect(korean.labels).toEqual(expect.arrayContaining(['게임', '왕국']));
  expect(
    korean.labels.filter((label) => english.labels.includes(label) && /^(?:Game|Rows|Kingdom)$/.test(label)),
  ).toEqual([]);
});
