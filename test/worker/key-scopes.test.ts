import { expect, it } from 'vitest';
import page from '../../docs/security.md?raw';
import { SCOPE_WORDS, SCOPES } from '../../domain/accounts/scopes.ts';
import { app } from '../../worker/app.ts';
import { scopeOf } from '../../worker/middleware/session.ts';
import { callsOf } from '../../worker/openapi/describe.ts';
import { caller, makeKey, type Person, signedInUser } from './client.ts';
import { fileOf, keep, SETTINGS } from './own-scans.ts';
import { cell } from './people.ts';

/** The routes that API keys of each scope may call. */

it('docs/security.md shows the scope of every route', () => {
  const calls = callsOf(app.routes);
  const rows = SCOPES.map((scope) => {
    const open = calls.filter(({ handlers }) => handlers.some((handler) => scopeOf(handler) === scope));
    const names = open.map(({ method, path }) => `${method} ${path.replace(/\{[^}]*\}/g, '')}`).sort();
    return `| \`${scope}\` | ${SCOPE_WORDS[scope].help} | ${names.map((name) => `\`${name}\``).join(', ')} |`;
  });
  const shown = page.split('\n').filter((line) => SCOPES.some((scope) => line.startsWith(`| \`${scope}\` |`)));
  expect(shown).toEqual(rows);
});

const reportFor = (from: string, to: string) => ({
  name: 'Pass 4',
  ranges: [{ from: [from], to: [to] }],
  settings: SETTINGS,
});
const scriptOf = async (user: Person, scopes: string[]) =>
  caller({ authorization: `Bearer ${(await makeKey(user, scopes)).data.key}` });

it('an import key cannot make or read reports and links, or delete anything', async () => {
  const user = await signedInUser(0);
  const script = await scriptOf(user, ['import']);
  const [from = '', to = ''] = [
    ...(await keep({ ...user, ...script }, '4001_2026-01-05.csv', fileOf([{ id: 1 }]))),
    ...(await keep({ ...user, ...script }, '4001_2026-01-06.csv', fileOf([{ id: 1, power: 2e6 }]))),
  ];
  const { data } = await user.call('POST', '/v1/reports', reportFor(from, to));
  const report = `/v1/reports/${data.report_id}`;
  const link = await user.call('POST', `${report}/links`, { days: 1 });
  const calls: [method: string, path: string, scope: string, body?: object][] = [
    ['POST', '/v1/reports', 'report', reportFor(from, to)],
    ['PUT', report, 'report', reportFor(to, from)],
    ['GET', report, 'compare'],
    ['GET', '/v1/scans', 'compare'],
    ['POST', `${report}/links`, 'share', { days: 1 }],
    ['DELETE', `${report}/links/${link.data.link_id}`, 'share'],
    ['DELETE', report, 'delete'],
    ['DELETE', `/v1/scans/${from}?with=reports`, 'delete'],
  ];
  for (const [method, path, scope, body] of calls)
    expect([path, await script.call(method, path, body)]).toEqual([
      path,
      expect.objectContaining({ status: 403, msg: `This API key lacks the scope '${scope}'.` }),
    ]);
  const kept = `SELECT (SELECT count(*) FROM reports) + (SELECT count(*) FROM report_links) + (SELECT count(*) FROM scans)`;
  expect(await cell(kept)).toBe(4);
});

it('a compare key reads a report without its links, and the share scope shows them', async () => {
  const user = await signedInUser(0);
  const [from = ''] = await keep(user, '4002_2026-01-05.csv', fileOf([{ id: 1, kingdom: 4002 }]));
  const [to = ''] = await keep(user, '4002_2026-01-06.csv', fileOf([{ id: 1, kingdom: 4002, power: 2e6 }]));
  const { data } = await user.call('POST', '/v1/reports', reportFor(from, to));
  const path = `/v1/reports/${data.report_id}`;
  const { link_id } = (await user.call('POST', `${path}/links`, { days: 1 })).data;
  const linksFor = async (scopes: string[]) => (await (await scriptOf(user, scopes)).call('GET', path)).data.links;
  expect(await linksFor(['compare'])).toEqual([]);
  expect(await linksFor(['compare', 'share'])).toMatchObject([{ link_id }]);
  expect((await user.call('GET', path)).data.links).toMatchObject([{ link_id }]);
});
