import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { addDays, dayOf, dayStart } from '../../domain/days.ts';
import type { Task } from '../../domain/fleet/contract.ts';
import { forgetManifest } from '../../worker/gateways/board-cache.ts';
import { publishDueBoards } from '../../worker/services/boards/publish-boards.ts';
import { digestKingdoms } from '../../worker/services/scans/digest-kingdoms.ts';
import { type Bot, bot, type Caller, caller, columnsFor, db, scanOf, settled, signedInUser } from './client.ts';

/** Unusual and malicious names, each followed from a bot to every answer. */
const HOSTILE = [
  '<img src=x onerror=alert(1)>',
  '</script><script>alert(1)</script>',
  '"; DROP TABLE governors; --',
  "' onmouseover='alert(1)",
  '\u202egnp.exe\u2066\u200f',
  'bell\u0007 escape\u001b[31m line\r\nbreak\ttab',
  'nothing\u0000behind',
  '=HYPERLINK("http://evil.example","x")',
  '\ufeffmark',
  '',
  ' ',
  '𝕏'.repeat(100),
  `Z${'\u0301'.repeat(150)}`,
];
/** SQLite ends a text at a zero byte, so it is stored as the replacement character. */
const KEPT = HOSTILE.map((name) => name.replaceAll('\0', '\ufffd'));
const KINGDOM = 881;
const DAY = dayOf(Date.now());

let user: Caller;
let worker: Bot;
const idOf = (rank: number): number => KINGDOM * 100_000 + rank;

/** Leases the only subtask there is. */
const lease = async (): Promise<Task> =>
  (await worker.call('POST', '/v1/fleet/lease', { bot_id: worker.name, games: ['rok'], count: 1 })).data.tasks[0];

/** Hands in a subtask whose first rows have these names. */
function handIn(task: Task, names: readonly string[]) {
  const columns = columnsFor(task);
  columns.name = (columns.name ?? []).map((name, row) => names[row] ?? name);
  const { subtask_id, lease: token } = task;
  return worker.call('POST', '/v1/fleet/rows', {
    bot_id: worker.name,
    results: [{ subtask_id, lease: token, captured_at: Date.now(), source: 'made up', columns }],
  });
}

beforeAll(async () => {
  user = await signedInUser();
  worker = await bot();
  await user.call('POST', '/v1/order/create', { orders: [scanOf([KINGDOM])] });
  const task = await lease();
  const answer = await handIn(task, HOSTILE);
  expect(answer).toMatchObject({ status: 200, data: { results: [{ outcome: 'accepted' }] } });
  await settled(user);
  await digestKingdoms(db, env.STORE);
  await publishDueBoards(db, env.STORE, dayStart(addDays(DAY, 1)) + 1000);
});

afterEach(() => {
  vi.useRealTimers();
});

it('a hostile name is unchanged in results and on governor and kingdom pages', async () => {
  const [order] = (await user.call('GET', '/v1/orders/')).data.orders;
  const { rows } = (await user.call('GET', `/v1/order/${order.items[0].item_id}/download?type=json`)).data;
  expect(rows.slice(0, HOSTILE.length).map(({ name }: { name: string }) => name)).toEqual(KEPT);
  for (const [index, name] of KEPT.entries()) {
    const { status, data } = await user.call('GET', `/v1/governors/${idOf(index + 1)}/`);
    expect({ status, name: data.free.name }).toEqual({ status: 200, name });
  }
  const { players } = (await user.call('GET', `/v1/kingdoms/${KINGDOM}/`)).data;
  expect(players.slice(0, HOSTILE.length).map(({ name }: { name: string }) => name)).toEqual(KEPT);
});

it('a hostile name is unchanged on a board and does not break its picture', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: dayStart(addDays(DAY, 8)) });
  await forgetManifest();
  const { data } = await caller().call('GET', '/v1/governor/rankings?type=power&count=100&page=0');
  expect(data.rankings.slice(0, HOSTILE.length).map(({ name }: { name: string }) => name)).toEqual(KEPT);
  const html = await (await caller().fetch('/leaderboard/governor')).text();
  const picture = new URL(/property="og:image" content="([^"]+)"/.exec(html)?.[1] ?? '').pathname;
  expect((await caller().fetch(picture)).headers.get('content-type')).toBe('image/png');
});

it('a hostile name is escaped in the page head, without control characters', async () => {
  for (const [index] of HOSTILE.entries()) {
    const html = await (await caller().fetch(`/players/${idOf(index + 1)}`)).text();
    const head = html.slice(0, html.indexOf('</head>'));
    expect(head).toMatch(/<title>[^<>\p{C}]+<\/title>/u);
    expect(head).not.toMatch(/<img|<script>|[^\P{C}\n]/u);
    expect(head.match(/property="og:title" content="[^"<>]*"/g)).toHaveLength(1);
  }
});

it('a hostile name is found by the part that can be typed', async () => {
  const idsFor = async (text: string) =>
    (await caller().call('GET', `/v1/search?q=${encodeURIComponent(text)}`)).data.governors.map(
      ({ governor_id }: { governor_id: number }) => governor_id,
    );
  expect(await idsFor('onerror')).toEqual([idOf(1)]);
  expect(await idsFor('drop table')).toEqual([idOf(3)]);
  expect(await idsFor('gnp.exe')).toEqual([idOf(5)]);
  expect(await idsFor('nothingbehind')).toEqual([idOf(7)]);
});

it('a name of a megabyte is refused with a message, whether or not it fits into the call', async () => {
  await user.call('POST', '/v1/order/create', { orders: [scanOf([KINGDOM + 1])] });
  const task = await lease();
  const long = await handIn(task, ['x'.repeat(900_000)]);
  expect(long).toMatchObject({
    status: 400,
    msg: 'results[0]: row 1: name: must be text of 200 characters at most, or null.',
  });
  const longer = await handIn(task, ['x'.repeat(1_100_000)]);
  expect(longer).toMatchObject({ status: 413, msg: 'A call may carry 1 MB at most.' });
  expect((await handIn(task, ['x'.repeat(200)])).data.results[0].outcome).toBe('accepted');
});
