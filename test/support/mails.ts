import { expect } from 'vitest';
import type { Client } from './client.ts';

interface Outbox {
  mails: { recipient: string; subject: string; text: string }[];
}

/** Waits for the newest mail of that subject to somebody, and answers the path of the link in it. */
export async function linkMailed(admin: Client, recipient: string, subject: string): Promise<string> {
  const newest = async () => {
    const { mails } = await admin.call<Outbox>('GET', '/v1/admin/outbox');
    const mail = mails.find((one) => one.recipient === recipient && one.subject === subject);
    return /https?:\/\/\S+/.exec(mail?.text ?? '')?.[0] ?? '';
  };
  await expect.poll(newest, { timeout: 10_000 }).not.toBe('');
  const { pathname, search } = new URL(await newest());
  return pathname + search;
}
