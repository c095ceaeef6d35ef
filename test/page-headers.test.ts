import { describe, expect, it } from 'vitest';
import { contentPolicy, pageHeaders } from '../scripts/page-headers.ts';

describe('the policy of pages', () => {
  it('admits nothing but the pages themselves', () => {
    const policy = contentPolicy({});
    expect(policy).toMatch(/script-src 'self';/);
    expect(policy).toMatch(/connect-src 'self';/);
    expect(policy).not.toMatch(/unsafe|https?:/);
  });

  it('admits the analytics and the API host that the build names, by origin', () => {
    const policy = contentPolicy({
      VITE_ANALYTICS_SCRIPT: 'https://stats.example/script.js?x=1',
      VITE_API_BASE: 'https://api.example/',
    });
    expect(policy).toContain("script-src 'self' https://stats.example;");
    expect(policy).toContain("connect-src 'self' https://api.example wss://api.example https://stats.example;");
  });

  it('stands in the file as the platform reads it: a path, then indented headers', () => {
    const [path, first] = pageHeaders({}).split('\n');
    expect(path).toBe('/*');
    expect(first).toMatch(/^ {2}Content-Security-Policy: /);
  });
});
