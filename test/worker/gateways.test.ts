import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import type { Context } from 'hono';
import { describe, expect, it } from 'vitest';
import { changeManifest, readBoardManifest } from '../../worker/gateways/board-store.ts';
import { edgeKept } from '../../worker/gateways/edge-cache.ts';
import { htmlOf, mailer } from '../../worker/gateways/mail.ts';
import {
  dropOwnFiles,
  dropOwnScans,
  dropUnsaved,
  keepArrived,
  ownScanKey,
  putArriving,
  uploadOf,
} from '../../worker/gateways/own-files.ts';
import { keepSums, keptSums } from '../../worker/gateways/snapshot-store.ts';
import { NotSendingNow, RecipientRefused } from '../../worker/models/messages/outbox.ts';
import { whenArrived } from '../../worker/services/scans/read-in-turn.ts';
import { production } from './client.ts';
import { listingFew } from './stores.ts';

/** Gateways to stores, caches and mail. */

const STORE = env.STORE;
const keysUnder = async (prefix: string): Promise<string[]> =>
  (await STORE.list({ prefix })).objects.map(({ key }) => key);

describe('the manifest of the boards', () => {
  it('applies all concurrent changes', async () => {
    const since = ['2026-01-01', '2026-01-02', '2026-01-03'] as const;
    await Promise.all([
      changeManifest(STORE, (manifest) => {
        manifest.rok.since = since[0];
      }),
      changeManifest(STORE, (manifest) => {
        manifest.cod.since = since[1];
      }),
    ]);
    const { manifest } = await readBoardManifest(STORE);
    expect([manifest.rok.since, manifest.cod.since]).toEqual([since[0], since[1]]);
  });

  it('tries a conflicting change five times, then fails', async () => {
    let others = 0;
    const contended = (times: number) =>
      ({
        get: (key: string) => STORE.get(key),
        put: async (key: string, value: string, options: R2PutOptions & { onlyIf: R2Conditional }) => {
          // Another writer changes it between read and write.
          if (others++ < times)
            await changeManifest(STORE, (manifest) => {
              manifest.cod.since = `2026-02-0${others}`;
            });
          return STORE.put(key, value, options);
        },
      }) as unknown as R2Bucket;
    let tries = 0;
    const change = (manifest: Awaited<ReturnType<typeof readBoardManifest>>['manifest']) => {
      tries++;
      manifest.rok.since = '2026-03-01';
    };
    await changeManifest(contended(4), change);
    expect(tries).toBe(5);
    const { manifest } = await readBoardManifest(STORE);
    expect([manifest.rok.since, manifest.cod.since]).toEqual(['2026-03-01', '2026-02-04']);
    [others, tries] = [0, 0];
    await expect(changeManifest(contended(9), change)).rejects.toThrow('changed by others all the time');
    expect(tries).toBe(5);
  });
});

describe('the edge cache', () => {
  const asked = async (name: string, make: () => Promise<unknown>) => {
    const context = createExecutionContext();
    const data = await edgeKept({ executionCtx: context } as unknown as Context, name, 60, make);
    await waitOnExecutionContext(context);
    return data;
  };

  it('stores answers by name, but never a missing one', async () => {
    const name = crypto.randomUUID();
    let made = 0;
    expect(await asked(name, async () => null)).toBeNull();
    const make = async () => ({ made: ++made });
    expect(await asked(name, make)).toEqual({ made: 1 });
    expect(await asked(name, make)).toEqual({ made: 1 });
    expect(await asked(`${name}/other`, make)).toEqual({ made: 2 });
    const kept = await caches.default.match(`https://answers.invalid/${name}`);
    expect(kept?.headers.get('cache-control')).toBe('max-age=60');
    await kept?.body?.cancel();
  });
});

describe('a mail', () => {
  const mail = {
    channel: 'mail' as const,
    recipient: 'to@mail.example',
    subject: 'About',
    text: 'Text',
    language: 'en' as const,
    reference: 'r',
  };
  const through = (send: (message: unknown) => Promise<unknown>) =>
    mailer(production({ EMAIL: { send } as unknown as SendEmail }));

  it('is sent with its sender, and with its text as HTML in its language', async () => {
    const sent: unknown[] = [];
    const send = through(async (message) => sent.push(message));
    await send(mail);
    await send({ ...mail, language: 'ar' });
    const common = {
      from: { name: 'Muster', email: 'no-reply@muster.test' },
      to: 'to@mail.example',
      subject: 'About',
      text: 'Text',
    };
    expect(sent).toEqual([
      { ...common, html: htmlOf('Text', 'en', 'https://muster.test') },
      { ...common, html: expect.stringContaining('<html lang="ar" dir="rtl">') },
    ]);
  });

  it('escapes its text, and turns it into paragraphs and links', () => {
    expect(htmlOf('A <b> & "c"\nsecond\n\n\nhttps://muster.test/?a=1&b=2 end\n', 'en', 'https://muster.test')).toBe(
      '<!doctype html><html lang="en" dir="ltr"><body style="font:16px/1.5 sans-serif;max-width:36em">' +
        '<p>A &#60;b&#62; &#38; &#34;c&#34;<br>second</p>' +
        '<p><a href="https://muster.test/?a=1&#38;b=2">https://muster.test/?a=1&#38;b=2</a> end</p></body></html>',
    );
  });

  it('links no address in a name', () => {
    const text = 'https://evil.test/ and https://muster.test.evil.test/ left for http://muster.test@evil.test/';
    expect(htmlOf(text, 'en', 'https://muster.test')).not.toContain('<a ');
  });

  it.each([
    ['E_RECIPIENT_SUPPRESSED', true],
    ['E_RECIPIENT_NOT_ALLOWED', true],
    ['E_DELIVERY_FAILED', false],
    [undefined, false],
  ])('that fails with %s is refused permanently: %s', async (code, forGood) => {
    const failing = through(() => Promise.reject(Object.assign(new Error('no'), { code })));
    const error = await failing(mail).catch((caught: unknown) => caught);
    expect(error instanceof RecipientRefused).toBe(forGood);
    expect((error as Error).message).toBe(forGood ? 'Your address does not accept our mail.' : 'no');
  });
});

it.each([
  ['E_RATE_LIMIT_EXCEEDED', 2],
  ['E_DAILY_LIMIT_EXCEEDED', 30],
  ['E_SENDER_NOT_VERIFIED', 10],
  ['E_SENDER_DOMAIN_NOT_AVAILABLE', 10],
])('the mail error %s pauses sending for %d minutes', async (code, minutes) => {
  const send = mailer(
    production({
      EMAIL: { send: () => Promise.reject(Object.assign(new Error('no'), { code })) } as unknown as SendEmail,
    }),
  );
  const mail = {
    channel: 'mail' as const,
    recipient: 'a@b.test',
    subject: 's',
    text: 't',
    language: 'en' as const,
    reference: 'r',
  };
  const error = await send(mail).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(NotSendingNow);
  expect((error as NotSendingNow).waitMs).toBe(minutes * 60_000);
});

describe('a user’s own files', () => {
  const put = (key: string) => STORE.put(key, '1');

  it('are deleted completely, without those of other users', async () => {
    const [user, other] = ['u-1', 'u-11'];
    const scan = { game: 'rok', kingdom_id: 7, captured_at: Date.UTC(2026, 0, 5, 23, 59) } as const;
    const bytes = new Uint8Array([1, 2, 3]);
    const key = ownScanKey(user, 'i-1', scan, bytes);
    expect(key).toBe(`own/u-1/i-1/game=rok/kingdom=7/day=2026-01-05/${scan.captured_at}-039058c6f2c0cb49-v1.parquet`);
    expect(ownScanKey(user, 'i-1', scan, new Uint8Array([1, 2, 4]))).not.toBe(key);
    await Promise.all([key, `exports/${key}/v1.csv`, ownScanKey(other, 'i-1', scan, bytes)].map(put));
    const arriving = await putArriving(STORE, user, new Uint8Array([1, 2]));
    expect(await keepArrived(STORE, arriving, user, 'i-2')).toBe(true);
    expect(await uploadOf(STORE, user, 'i-2')).toEqual(new Uint8Array([1, 2]));
    expect(await uploadOf(STORE, other, 'i-2')).toBeNull();
    await Promise.all(Array.from({ length: 21 }, (_, index) => put(`own/${user}/many/${index}`)));
    await dropOwnFiles(listingFew(STORE, 20), user);
    for (const folder of ['own', 'imports', 'arriving', 'exports/own'])
      expect(await keysUnder(`${folder}/${user}/`)).toEqual([]);
    expect(await keysUnder(`own/${other}/`)).toHaveLength(1);
    expect(await keepArrived(STORE, arriving, user, 'i-3')).toBe(false);
    expect(await keysUnder(`imports/${user}/`)).toEqual([]);
  });

  it('of an upload leave memory and store once read, even if refused', async () => {
    const seen: Uint8Array[] = [];
    const read = (fails: boolean) =>
      whenArrived(STORE, 'u-4', new Uint8Array([1, 2]), async (bytes) => {
        seen.push(bytes);
        expect(bytes).toEqual(new Uint8Array([1, 2]));
        if (fails) throw new Error('no scan');
      });
    await read(false);
    await expect(read(true)).rejects.toThrow('no scan');
    expect(seen.map(({ length }) => length)).toEqual([0, 0]);
    expect(await keysUnder('arriving/u-4/')).toEqual([]);
  });

  it('are deleted one by one with their exports, or by import if never saved', async () => {
    const scan = (importId: string, captured_at: number) =>
      ownScanKey('u-2', importId, { game: 'cod', kingdom_id: 7, captured_at }, new Uint8Array());
    const [first, second, unsaved] = [scan('i-1', 1), scan('i-1', 2), scan('i-2', 1)];
    await Promise.all([first, second, unsaved, `exports/${first}/v1.csv`, `exports/${second}/v1.csv`].map(put));
    await dropOwnScans(STORE, []);
    await dropOwnScans(STORE, [first]);
    expect(await keysUnder('own/u-2/')).toEqual([second, unsaved]);
    expect(await keysUnder('exports/own/u-2/')).toEqual([`exports/${second}/v1.csv`]);
    await dropUnsaved(STORE, 'u-2', 'i-2');
    expect(await keysUnder('own/u-2/')).toEqual([second]);
  });
});

it('sums are stored by their snapshots, in order', async () => {
  await keepSums(STORE, ['a', 'b'], { total: 1 });
  expect(await keptSums(STORE, ['a', 'b'])).toEqual({ total: 1 });
  for (const others of [['b', 'a'], ['a'], ['a', 'b', 'c'], ['ab']]) expect(await keptSums(STORE, others)).toBeNull();
});
