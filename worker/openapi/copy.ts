import { MAX_KEYS } from '../../domain/accounts/account.ts';
import { SCOPE_WORDS, SCOPES } from '../../domain/accounts/scopes.ts';
import { BOOKMARK_HEADER } from '../../domain/bookmark.ts';
import { LOCALES } from '../../domain/language/locales.ts';
import { ANSWERED_CODES } from '../../domain/service/refusals.ts';
import { sessionCookie } from '../middleware/session.ts';
import type { Json } from './schemas.ts';

export const REFUSAL = {
  type: 'object',
  required: ['success', 'msg', 'code', 'request_id'],
  additionalProperties: false,
  properties: {
    success: { const: 0, description: '0: the call was refused.' },
    msg: {
      type: 'string',
      description:
        'A sentence that says what to do: in English, or in the language of `Accept-Language`, which can be one of ' +
        `${LOCALES.join(', ')}.`,
      examples: ['Please sign in first.'],
    },
    code: { enum: ANSWERED_CODES, description: 'Why, for programs. It follows from the status.' },
    params: {
      type: 'object',
      additionalProperties: { type: ['string', 'number'] },
      description: 'Values in the sentence by name, such as a limit, if it has any.',
      examples: [{ count: 20 }],
    },
    request_id: { type: 'string', description: 'Id of the request, also in the header X-Request-Id.' },
    reason: {
      enum: ['eula', 'two_factor', 'unverified'],
      description: 'What is missing, if a page can ask for it: the licence, a one-time code, a verified address.',
    },
  },
};

const DESCRIPTION =
  'Every answer is `{ "success": 1, "data": … }` or `{ "success": 0, "msg": "…", "code": "…" }` with the fitting status. ' +
  'Money is in US dollars, times are epoch milliseconds unless a field says otherwise.';

/** A local copy names no server: callers use the address at which they read the description. */
const isLocalHost = (origin: string): boolean => /^https?:\/\/(localhost|127\.|\[::1\])/.test(origin);

/** Describes what differs between copies: the server, its cookie, and what refers to them. */
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
        description: 'Set by POST /v1/login. Calls that require `admin` are for admins only.',
      },
      key: {
        type: 'http',
        scheme: 'bearer',
        description: `An API key, created under My Account. An account can have ${MAX_KEYS}. A write answers with the header \`${BOOKMARK_HEADER}\`; a read that sends it back sees that write. Scopes:\n\n${SCOPES.map((scope) => `- \`${scope}\`: ${SCOPE_WORDS[scope].help}`).join('\n')}`,
      },
      bot: { type: 'http', scheme: 'bearer', description: 'The token of a bot group (docs/fleet-api.md).' },
    },
    schemas: { Refusal: REFUSAL },
  },
});
