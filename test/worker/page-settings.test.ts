import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { pagePolicy } from '../../worker/configuration/page-settings.ts';
import type { Env } from '../../worker/env.ts';
import { caller, send } from './client.ts';

const SET: Partial<Env> = {
  SUPPORT_EMAIL: 'help@war.test',
  CHAT_INVITE: 'https://chat.war.test/?a=1&b="2"',
  API_BASE: 'https://api.war.test',
  ANALYTICS_SCRIPT: 'https://stats.war.test/script.js?x=1',
  ANALYTICS_TOKEN: 'tok<en>',
  IMPRINT: '1. Who\nWar Ltd',
};

/** The settings in a page, read as a browser reads the attribute. */
const settingsIn = (html: string) => {
  const [, content = ''] = /<meta\s+name="muster-settings"\s+content="([^"]*)"/.exec(html) ?? [];
  const marks: Record<string, string> = { '&quot;': '"', '&lt;': '<', '&gt;': '>', '&#39;': "'", '&amp;': '&' };
  return JSON.parse(content.replace(/&(quot|lt|gt|#39|amp);/g, (mark) => marks[mark] ?? ''));
};

describe('a page', () => {
  it.each(['/', '/faq', '/leaderboard/governor', '/leaderboard/nothing', '/players/1', '/order/1', '/privacy'])(
    '%s carries the settings and a policy that follows them',
    async (path) => {
      const page = await send(path, {}, { ...env, ...SET });
      expect(page.headers.get('content-type')).toMatch(/^text\/html/);
      const html = await page.text();
      expect(settingsIn(html)).toEqual({
        support: 'help@war.test',
        chat: 'https://chat.war.test/?a=1&b="2"',
        api: 'https://api.war.test',
        profiles: true,
      });
      expect(html).toContain(
        '<script defer src="https://stats.war.test/script.js?x=1" data-token="tok&lt;en&gt;"></script>',
      );
      const policy = page.headers.get('content-security-policy');
      expect(policy).toContain("script-src 'self' https://stats.war.test;");
      expect(policy).toContain("connect-src 'self' https://api.war.test wss://api.war.test https://stats.war.test;");
    },
  );

  it('allows only its own scripts if the settings name no others', () => {
    const policy = pagePolicy({ API_BASE: '', ANALYTICS_SCRIPT: '' });
    expect(policy).toMatch(/script-src 'self';/);
    expect(policy).toMatch(/connect-src 'self';/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|https?:/);
  });
});

describe('the operator’s texts', () => {
  it('are served as configured', async () => {
    const imprint = await send('/v1/texts/imprint', {}, { ...env, ...SET });
    expect(await imprint.json()).toEqual({ success: 1, data: { text: '1. Who\nWar Ltd' } });
    const { data } = await caller().call('GET', '/v1/texts/privacy');
    expect(data.text).toContain('1. Who is responsible');
    expect(await caller().call('GET', '/v1/texts/terms')).toMatchObject({
      status: 400,
      msg: 'name: must be one of imprint, privacy.',
    });
  });
});

it('unknown calls of the API get its own 404', async () => {
  expect(await caller().call('GET', '/v1/nothing')).toMatchObject({ status: 404, success: 0 });
});
