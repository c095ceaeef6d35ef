import type { Plugin } from 'vite';

/** Addresses that the build was given and that pages may therefore reach. */
export interface PageSources {
  /** The analytics script, where there is one. */
  VITE_ANALYTICS_SCRIPT?: string | undefined;
  /** The API's own host, where it is not the pages'. */
  VITE_API_BASE?: string | undefined;
}

const originOf = (address: string | undefined): string[] => (address ? [new URL(address).origin] : []);

/** What pages may load and reach: themselves, and what the build names. Nothing inline, and nobody frames them. */
export function contentPolicy({ VITE_ANALYTICS_SCRIPT, VITE_API_BASE }: PageSources): string {
  const analytics = originOf(VITE_ANALYTICS_SCRIPT);
  const api = originOf(VITE_API_BASE).flatMap((origin) => [origin, origin.replace(/^http/, 'ws')]);
  const sources: Record<string, string[]> = {
    'default-src': ["'none'"],
    'script-src': ["'self'", ...analytics],
    'style-src': ["'self'"],
    'img-src': ["'self'", 'data:'],
    'font-src': ["'self'"],
    'connect-src': ["'self'", ...api, ...analytics],
    'manifest-src': ["'self'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
    'object-src': ["'none'"],
  };
  return Object.entries(sources)
    .map(([name, values]) => `${name} ${values.join(' ')}`)
    .join('; ');
}

/** The file by which the platform sets headers of pages and assets (Workers static assets, `_headers`). */
export const pageHeaders = (sources: PageSources): string => `/*
  Content-Security-Policy: ${contentPolicy(sources)}
  Strict-Transport-Security: max-age=63072000; includeSubDomains
  X-Content-Type-Options: nosniff
  X-Frame-Options: DENY
  Referrer-Policy: strict-origin-when-cross-origin
  Permissions-Policy: camera=(), geolocation=(), microphone=(), payment=(), usb=()
  Cross-Origin-Opener-Policy: same-origin

/assets/*
  Cache-Control: public, max-age=31536000, immutable
`;

/** Writes the file into the build. */
export const writePageHeaders = (sources: PageSources): Plugin => ({
  name: 'page-headers',
  apply: 'build',
  generateBundle() {
    this.emitFile({ type: 'asset', fileName: '_headers', source: pageHeaders(sources) });
  },
});
