import type { PageSettings } from '../../domain/service/page-settings.ts';
import type { Env } from '../env.ts';
import { escaped } from '../files/plain-text.ts';

/** Settings that pages receive from the configuration. */

/** True if there are public profiles. */
export const hasProfiles = ({ PUBLIC_PROFILES }: Pick<Env, 'PUBLIC_PROFILES'>): boolean => PUBLIC_PROFILES === 'on';

export const pageSettings = (
  env: Pick<Env, 'SUPPORT_EMAIL' | 'CHAT_INVITE' | 'API_BASE' | 'PUBLIC_PROFILES'>,
): PageSettings => ({
  support: env.SUPPORT_EMAIL,
  chat: env.CHAT_INVITE,
  api: env.API_BASE,
  profiles: hasProfiles(env),
});

/** Returns the script element that loads analytics (specification, section 2), or an empty string. */
export const analyticsTag = (env: Pick<Env, 'ANALYTICS_SCRIPT' | 'ANALYTICS_TOKEN'>): string =>
  env.ANALYTICS_SCRIPT &&
  `<script defer src="${escaped(env.ANALYTICS_SCRIPT)}" data-token="${escaped(env.ANALYTICS_TOKEN)}"></script>`;

const originOf = (address: string): string[] => (address ? [new URL(address).origin] : []);

/**
 * Returns the Content-Security-Policy of pages. They load only themselves and the origins in the settings; nothing
 * inline. Only `framed` pages may be embedded in other sites.
 */
export function pagePolicy(env: Pick<Env, 'API_BASE' | 'ANALYTICS_SCRIPT'>, framed = false): string {
  const script = originOf(env.ANALYTICS_SCRIPT);
  const calls = originOf(env.API_BASE).flatMap((origin) => [origin, origin.replace(/^http/, 'ws')]);
  const sources: Record<string, string[]> = {
    'default-src': ["'none'"],
    'script-src': ["'self'", ...script],
    'style-src': ["'self'"],
    'img-src': ["'self'", 'data:'],
    'font-src': ["'self'"],
    'connect-src': ["'self'", ...calls, ...script],
    'manifest-src': ["'self'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'worker-src': ["'self'"],
    'frame-ancestors': [framed ? '*' : "'none'"],
    'object-src': ["'none'"],
  };
  return Object.entries(sources)
    .map(([name, values]) => `${name} ${values.join(' ')}`)
    .join('; ');
}
