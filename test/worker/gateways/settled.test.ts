import { env } from 'cloudflare:workers';
import { afterEach, expect, it, vi } from 'vitest';
import { type Packed, packed } from '../../../worker/files/gzip.ts';
import {
  type BoardPart,
  changeManifest,
  dropBoard,
  putBoard,
  putPicture,
} from '../../../worker/gateways/board-store.ts';
import { postToDiscord } from '../../../worker/gateways/discord.ts';
import { putFolderReport } from '../../../worker/gateways/folder-reports.ts';
import { mailer } from '../../../worker/gateways/mail.ts';
import {
  dropOwnFiles,
  dropOwnScans,
  dropUnsaved,
  dropUpload,
  keepArrived,
  ownScanKey,
} from '../../../worker/gateways/own-files.ts';
import { keepExport, keepSums, putSnapshot, putWritten } from '../../../worker/gateways/snapshot-store.ts';
import { forgetEvent } from '../../../worker/services/events/find-event.ts';
import { production } from '../client.ts';

/** A gateway that reports success has finished: no call of it is still under way. */

afterEach(() => {
  vi.restoreAllMocks();
});

/** Counts the calls under way; each is made a little slower. */
function slowly() {
  const state = { open: 0, most: 0 };
  const slow = async <Value>(work: () => Promise<Value> | Value): Promise<Value> => {
    state.most = Math.max(state.most, ++state.open);
    try {
      const value = await work();
      await scheduler.wait(15);
      return value;
    } finally {
      state.open--;
    }
  };
  /** The same object with slower calls, and so are the calls of its results. */
  const wrapped = <Thing extends object>(thing: Thing): Thing =>
    new Proxy(thing, {
      get(target, name) {
        const value = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        return (...given: unknown[]) =>
          slow(async () => {
            const answer: unknown = await value.apply(target, given);
            const isUpload = typeof answer === 'object' && answer !== null && 'uploadPart' in answer;
            return isUpload ? wrapped(answer) : answer;
          });
      },
    });
  return { state, slow, wrapped };
}

const SET = { game: 'rok', board: 'governor-power', day: '2026-04-01', version: 'v' } as const;
const bytes = (size = 3) => new Uint8Array(size);
const scan = ownScanKey('u', 'i', { game: 'rok', kingdom_id: 1, captured_at: 5 }, new Uint8Array());
async function* pieces() {
  yield bytes(6 * 1024 * 1024);
  yield bytes();
}

it.each<[string, (store: R2Bucket) => Promise<unknown>]>([
  ['a snapshot', (store) => putSnapshot(store, 'snapshots/settled', bytes())],
  ['a snapshot written piece by piece', (store) => putWritten(store, 'snapshots/settled-pieces', pieces())],
  [
    'a snapshot that fails midway',
    (store) =>
      putWritten(
        store,
        'snapshots/settled-broken',
        (async function* () {
          yield bytes(6 * 1024 * 1024);
          throw new Error('broken');
        })(),
      ).catch(() => undefined),
  ],
  ['sums', (store) => keepSums(store, ['settled'], {})],
  [
    'an export',
    (store) => {
      const stream = new Response(bytes()).body as ReadableStream<Uint8Array>;
      return new Response(keepExport(store, 'exports/settled', 'text/csv', stream)).arrayBuffer();
    },
  ],
  ['an upload', (store) => keepArrived(store, 'arriving/u/a', 'u', 'i')],
  ['the end of an upload', (store) => dropUpload(store, 'u', 'i')],
  ['unsaved files', (store) => dropUnsaved(store, 'u', 'i')],
  ['own scans', (store) => dropOwnScans(store, [scan])],
  ['all files of a user', (store) => dropOwnFiles(store, 'u')],
  ['a board', (store) => putBoard(store, SET, ([['all', [packed(bytes())]]] as [BoardPart, Packed[]][]).values())],
  ['a picture', (store) => putPicture(store, 'boards/settled.png', bytes().buffer)],
  ['the manifest', (store) => changeManifest(store, () => undefined)],
  ['a day’s board', (store) => dropBoard(store, SET.game, SET.board, SET.day)],
  ['a report of a folder', (store) => putFolderReport(store, 'g', 'b', [])],
])('%s', async (_, done) => {
  const { state, wrapped } = slowly();
  // Objects to drop and to keep.
  await Promise.all([
    env.STORE.put(scan, ''),
    env.STORE.put(`exports/${scan}/v.csv`, ''),
    env.STORE.put('imports/u/i', ''),
    env.STORE.put('arriving/u/a', bytes()),
  ]);
  await done(wrapped(env.STORE));
  expect(state.most).toBeGreaterThan(0);
  expect(state.open).toBe(0);
});

it('an event’s object, a mail and a message to Discord', async () => {
  const { state, slow } = slowly();
  await forgetEvent({ DASHBOARD_CACHE: { getByName: () => ({ forget: () => slow(() => undefined) }) } } as never, 1);
  expect(state.open).toBe(0);
  const send = mailer(production({ EMAIL: { send: () => slow(() => undefined) } as unknown as SendEmail }));
  await send({ channel: 'mail', recipient: 'a@mail.example', subject: 's', text: 't', language: 'en', reference: 'r' });
  expect(state.open).toBe(0);
  vi.spyOn(globalThis, 'fetch').mockImplementation(() => slow(() => new Response(null, { status: 204 })));
  await postToDiscord({ ENVIRONMENT: 'production', DISCORD_API_BASE: '' }, '1/t', 'x');
  expect(state.open).toBe(0);
});
