import { env } from 'cloudflare:workers';
import parsePrometheusTextFormat from 'parse-prometheus-text-format';
import { beforeAll, describe, expect, it } from 'vitest';
import { ALERT_LIMITS, isQuiet } from '../../domain/service/alert-limits.ts';
import { noteTroubles } from '../../worker/models/service/alerts.ts';
import { queueTroubles } from '../../worker/models/service/fleet-troubles.ts';
import { watchService } from '../../worker/services/service/watch-service.ts';
import { caller, db, makeKey, type Person, person, signedInAdmin, signedInUser } from './client.ts';
import { cell, mailsTo } from './people.ts';

/** Monitoring by admins: alerts and their limits, the activity log and metrics. */

let admin: Person;
beforeAll(async () => {
  admin = await signedInAdmin();
});

const change = (body: object = {}) =>
  admin.call('PUT', '/v1/admin/alerts', { ...ALERT_LIMITS, version: 0, reason: 'too many at night', ...body });
const alerts = async () => (await admin.call('GET', '/v1/admin/alerts')).data;

describe('alert limits', () => {
  it('are changed by version, and a conflicting change is refused with the difference', async () => {
    expect(await alerts()).toMatchObject({ limits: ALERT_LIMITS, version: 0, quiet: false });
    expect((await change({ waiting_minutes: 20 })).status).toBe(200);
    expect(await alerts()).toMatchObject({ limits: { ...ALERT_LIMITS, waiting_minutes: 20 }, version: 1 });
    expect(await change({ waiting_minutes: 30 })).toMatchObject({
      status: 409,
      msg: 'Somebody changed this meanwhile. What is stored now, and yours in brackets: waiting_minutes: 20 (30)',
    });
    expect(await change({ version: 1, failed_percent: 101 })).toMatchObject({
      ...{ status: 400, msg: expect.stringMatching(/^failed_percent: /) },
    });
    expect(await change({ version: 1, quiet_from: 3 })).toMatchObject({
      ...{ status: 400, msg: 'quiet_to: needs a beginning and an end, or neither.' },
    });
    const detail = await cell<string>(`SELECT detail FROM audit_entries WHERE action = 'alerts.changed'`);
    expect(JSON.parse(detail)).toMatchObject({ before: { waiting_minutes: 10 }, after: { waiting_minutes: 20 } });
    expect(await cell<number>(`SELECT count(*) FROM audit_entries WHERE action = 'alerts.changed'`)).toBe(1);
    const queue = { game: 'rok' as const, bots_online: 1, heard_at: 1e12, subtasks_waiting: 1, waiting_since: 1e12 };
    const kinds = (minutes: number, limits = ALERT_LIMITS) =>
      queueTroubles([{ ...queue, heard_at: 1e12 + minutes * 60_000 }], 1e12 + minutes * 60_000, limits).length;
    expect([kinds(15), kinds(15, { ...ALERT_LIMITS, waiting_minutes: 20 })]).toEqual([1, 0]);
  });

  it('delay alerts until quiet hours are over, also past midnight', async () => {
    const at = (hour: number) => Date.UTC(2026, 4, 5, hour, 30);
    const night = { ...ALERT_LIMITS, quiet_from: 22, quiet_to: 6 };
    expect([21, 22, 3, 5, 6].map((hour) => isQuiet(night, at(hour)))).toEqual([false, true, true, true, false]);
    expect([8, 10, 12].map((hour) => isQuiet({ ...night, quiet_from: 9, quiet_to: 12 }, at(hour)))).toEqual([
      ...[false, true, false],
    ]);
    const { version } = await alerts();
    expect((await change({ ...night, version })).status).toBe(200);
    const mails = () =>
      cell<number>(`SELECT count(*) FROM outbox WHERE subject = 'Trouble: bots rok' AND recipient = ?`, admin.email);
    for (const hour of [3, 4]) await watchService({ ...env, ALERT_WEBHOOK: '' }, db, at(hour));
    expect(await mails()).toBe(0);
    expect((await alerts()).alerts.map(({ kind }: { kind: string }) => kind)).toContain('bots rok');
    for (const hour of [6, 7]) await watchService({ ...env, ALERT_WEBHOOK: '' }, db, at(hour));
    expect(await mails()).toBe(1);
  });
});

describe('quiet hours', () => {
  const at = (minute: number) => Date.UTC(2026, 4, 5, 3, minute);
  const trouble = { kind: 'made up', text: 'It is made up.' };
  const note = (minute: number, found: boolean, quiet: boolean) =>
    noteTroubles(db, found ? [trouble] : [], 'https://m.test', at(minute), quiet);
  const subjects = async () =>
    (await mailsTo(admin.email))
      .map(({ subject }) => subject)
      .filter(isMadeUp)
      .sort();
  const isMadeUp = (subject: string) => subject.endsWith(': made up');
  const kindsOf = (told: { kind: string }[]) => told.map(({ kind }) => kind).filter((kind) => kind === trouble.kind);

  it('hide a trouble that begins and ends in them, and its end', async () => {
    await note(0, true, true);
    await note(5, false, true);
    expect(kindsOf(await note(6, false, false))).toEqual([]);
    expect(await subjects()).toEqual([]);
  });

  it('delay the end of a trouble that was reported, and report it once if it comes and goes', async () => {
    expect(kindsOf(await note(10, true, false))).toEqual([trouble.kind]);
    for (const [minute, found] of [
      [15, false],
      [20, true],
      [25, false],
    ] as const)
      await note(minute, found, true);
    expect(await subjects()).toEqual(['Trouble: made up']);
    expect(kindsOf(await note(26, false, false))).toEqual([trouble.kind]);
    expect(await subjects()).toEqual(['Recovered: made up', 'Trouble: made up']);
  });
});

describe('the activity log', () => {
  it('lists actions with actor, account, time and address, filtered and as a file', async () => {
    const user = await signedInUser();
    const reason = { reason: '=HYPERLINK("x") they said' };
    await admin.call('POST', `/v1/admin/accounts/${user.id}/lock`, reason);
    await admin.call('POST', `/v1/admin/accounts/${user.id}/unlock`, reason);
    const listed = async (query: string) => (await admin.call('GET', `/v1/admin/activity?${query}`)).data.entries;
    const of_user = await listed(`user=${user.username}`);
    expect(of_user).toMatchObject([
      { action: 'account.unlocked', who: admin.username, account: user.username, detail: reason },
      { action: 'account.locked' },
    ]);
    expect(await listed(`user=${user.username}&action=account.l`)).toHaveLength(1);
    expect(await listed(`user=${user.username}&before=${of_user[0].id}`)).toHaveLength(1);
    expect(await listed(`user=${user.username}&to=2020-01-01`)).toEqual([]);
    expect(
      (await listed(`user=${user.username}&who=users`)).every(({ who }: { who: string }) => who === user.username),
    ).toBe(true);
    expect((await listed(`user=${admin.username}`)).length).toBeGreaterThan(1);
    expect(await admin.call('GET', '/v1/admin/activity?who=me')).toMatchObject({ status: 400 });
    const file = await admin.fetch(`/v1/admin/activity/download?user=${user.username}`);
    expect(file.headers.get('content-type')).toContain('text/csv');
    const [head, ...lines] = (await file.text()).trim().split('\r\n');
    expect(head).toBe('time,who,action,account,subject,detail,from');
    expect(lines).toHaveLength(2);
    const inKorean = await admin.fetch(`/v1/admin/activity/download?user=${user.username}&headers=ko`);
    const [titles, ...same] = (await inKorean.text()).trim().split('\r\n');
    expect(titles?.split(',')).toHaveLength(7);
    expect(titles).toMatch(/^[가-힣]+ ?\(UTC\),[가-힣]/);
    expect(same).toEqual(lines);
    expect((await admin.fetch('/v1/admin/activity/download?headers=nl')).status).toBe(400);
  });
});

it('the activity log as a file is whole, however long it is', async () => {
  const user = await signedInUser();
  const entries = 20_500;
  await env.DB.prepare(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
     INSERT INTO audit_entries (at, user_id, actor, action, subject, detail, address)
     SELECT i, ?1, 'system', 'test.' || i, '', '{}', '' FROM n`,
  )
    .bind(user.id, entries)
    .run();
  const file = await admin.fetch(`/v1/admin/activity/download?who=system&action=test.&user=${user.username}`);
  const lines = (await file.text()).trim().split('\r\n').slice(1);
  expect(lines).toHaveLength(entries);
  expect([lines[0], lines.at(-1)].map((line) => line?.split(',')[2])).toEqual([`test.${entries}`, 'test.1']);
});

describe('the metrics', () => {
  const read = async (who: { fetch: Person['fetch'] }) => who.fetch('/v1/admin/metrics');

  it('are open only to staff and to admin keys with the scope', async () => {
    const keyOf = async (whose: Person, scope: string) =>
      caller({ authorization: `Bearer ${(await makeKey(whose, [scope])).data.key}` });
    expect((await read(admin)).status).toBe(200);
    expect((await read(await keyOf(admin, 'metrics'))).status).toBe(200);
    expect((await read(await person({ role: 'support' }))).status).toBe(200);
    const user = await signedInUser();
    for (const other of [caller(), user, await keyOf(user, 'metrics'), await keyOf(admin, 'read')])
      expect((await read(other)).status).toBe(404);
    const script = await keyOf(admin, 'metrics');
    for (const path of ['figures', 'orders', 'accounts', 'activity'])
      expect([path, (await script.call('GET', `/v1/admin/${path}`)).status]).toEqual([path, 404]);
  });

  it('follow OpenMetrics, with type and help before the samples and an end mark', async () => {
    const response = await read(admin);
    expect(response.headers.get('content-type')).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8');
    const text = await response.text();
    expect(text.endsWith('\n# EOF\n')).toBe(true);
    expect(text).toContain('muster_bots_online{game="rok"} 0\n');
    expect(text).toContain('muster_subtasks_queued{game="rok",lane="events"} 0\n');
    // The queue is empty: its age is unknown, not zero.
    expect(text).not.toMatch(/^muster_queue_oldest_seconds\{/m);
    const families = [...text.matchAll(/^# TYPE (\S+) (\S+)\n(?:# UNIT \1 (\S+)\n)?# HELP \1 \S.*\n/gm)];
    expect(families.length).toBeGreaterThan(10);
    const parsed = parsePrometheusTextFormat(text);
    // The sample of a counter carries the suffix _total, which the parser takes for a name.
    const names = new Set(parsed.map(({ name }) => name.replace(/_total$/, '')));
    expect(names).toEqual(new Set(families.map(([, name]) => name)));
    expect(parsed.flatMap(({ metrics }) => metrics).every(({ value }) => Number.isFinite(Number(value)))).toBe(true);
    expect(parsed.find(({ name }) => name === 'muster_bots_online')?.metrics).toEqual(
      ['rok', 'cod'].map((game) => ({ value: '0', labels: { game } })),
    );
    for (const [, name, type, unit] of families) {
      if (unit) expect(name).toMatch(new RegExp(`_${unit}$`));
      const sample = text.split('\n').find((line) => line.startsWith(`${name}${type === 'counter' ? '_total' : ''}`));
      if (sample) expect(sample).toMatch(/^\w+(\{\w+="[^"]*"(,\w+="[^"]*")*\})? -?\d+(\.\d+)?$/);
    }
  });
});
