import { MAX_KEYS } from '../../domain/accounts/account.ts';
import { SCOPE_WORDS, SCOPES } from '../../domain/accounts/scopes.ts';
import { sessionCookie } from '../middleware/session.ts';
import type { Json } from './schemas.ts';

export const REFUSAL = {
  type: 'object',
  required: ['success', 'msg', 'request_id'],
  additionalProperties: false,
  properties: {
    success: { const: 0, description: '0: the call did nothing.' },
    msg: { type: 'string', description: 'A sentence that says what to do.', examples: ['Please sign in first.'] },
    request_id: { type: 'string', description: 'Names the request; the header X-Request-Id has it too.' },
    reason: {
      enum: ['eula', 'two_factor', 'unverified'],
      description: 'What is missing, if a page can ask for it: the licence, a one-time code, a proved address.',
    },
  },
};

const DESCRIPTION =
  'Every answer is `{ "success": 1, "data": … }` or `{ "success": 0, "msg": "…" }` with the fitting status. ' +
  'Money is in US dollars, times are epoch milliseconds unless a field says otherwise.';

/** A copy on somebody's own machine names no server: callers use the address that they read this at. */
const isLocalHost = (origin: string): boolean => /^https?:\/\/(localhost|127\.|\[::1\])/.test(origin);

/** Describes what differs from copy to copy, the server and its cookie, with what refers to these. */
export const describeCopy = (origin: string): Json => ({
  info: {
    title: 'Muster',
    version: '1',
    description: DESCRIPTION,
    license: { name: 'Licence of Muster', url: `${origin}/eula` },
  },
  servers: [{ url: isLocalHost(origin) ? '/' : origin }],
  components: {
    securitySchemes: {
      session: {
        type: 'apiKey',
        in: 'cookie',
        name: sessionCookie(origin),
        description: 'Set by POST /v1/login. Calls that ask for `admin` open to admins only.',
      },
      key: {
        type: 'http',
        scheme: 'bearer',
        description: `An API key, made under My Account; an account has ${MAX_KEYS} at most. Scopes:\n\n${SCOPES.map((scope) => `- \`${scope}\`: ${SCOPE_WORDS[scope].help}`).join('\n')}`,
      },
      bot: { type: 'http', scheme: 'bearer', description: 'The token of a bot group (docs/fleet-api.md).' },
    },
    schemas: { Refusal: REFUSAL },
  },
});
