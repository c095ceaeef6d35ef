/** Refusals as the API answers them. */

/** Reasons for refusing a call, each with its HTTP status. */
export const REFUSALS = {
  invalid: 400,
  signed_out: 401,
  unpaid: 402,
  forbidden: 403,
  not_found: 404,
  wrong_method: 405,
  conflict: 409,
  length_required: 411,
  too_large: 413,
  wrong_type: 415,
  unsatisfiable: 416,
  too_many: 429,
  failed: 500,
  unavailable: 503,
} as const;

export type AnsweredCode = keyof typeof REFUSALS;

export const ANSWERED_CODES = Object.keys(REFUSALS) as AnsweredCode[];

/** Returns the code of an answer's status. */
export const codeOf = (status: number): AnsweredCode =>
  ANSWERED_CODES.find((code) => REFUSALS[code] === status) ?? (status >= 500 ? 'failed' : 'invalid');

/** Returns the sentence of a refusal for something that does not exist. */
export const noSuch = (what: string): string => `There is no such ${what}.`;
