import { zValidator } from '@hono/zod-validator';
import type { ValidationTargets } from 'hono';
import type * as z from 'zod';
import { message, type Sentence } from '../../domain/language/text.ts';
import { flawSentence, issueSentence } from '../../domain/service/flaws.ts';
import { Refusal } from '../errors.ts';
import './flaw-sentences.ts';
import { refuseOtherThanJson } from './reads.ts';

/** Formats a path: 'orders[0].price' for ['orders', 0, 'price']. */
const pathOf = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (name, part) => (typeof part === 'number' ? `${name}[${part}]` : name ? `${name}.${String(part)}` : String(part)),
    '',
  );

/** Restores the usual spelling of a header, because keys arrive in lower case: Idempotency-Key. */
export const headerName = (key: string): string => key.replace(/(^|-)[a-z]/g, (start) => start.toUpperCase());

/** Returns the first issue as a sentence that names the field. */
export function validationFlaw(error: z.core.$ZodError, target?: Checked['target']): Sentence {
  const [issue] = error.issues;
  if (!issue) return { message: message('The request is not valid.') };
  const path = pathOf(issue.path);
  const name = target === 'header' ? headerName(path) : path;
  if (name) return { ...issueSentence(issue), at: name };
  // An issue of the request as a whole: sentences that follow a field's name start in lower case.
  return flawSentence(/^[a-z]/.test(issue.message) ? `The request ${issue.message}` : issue.message);
}

export interface Checked {
  target: keyof ValidationTargets;
  schema: z.ZodType;
}

const checkedBy = new WeakMap<object, Checked>();

/** Returns what a validator checks. The API description is generated from it. */
export const checkOf = (handler: object): Checked | undefined => checkedBy.get(handler);

/** Validates a part of the request and refuses with the first issue. */
export const validate = <Target extends keyof ValidationTargets, Schema extends z.ZodType>(
  target: Target,
  schema: Schema,
) => {
  const validator = zValidator(target, schema, (result, context) => {
    if (target === 'json') refuseOtherThanJson(context);
    if (!result.success) throw new Refusal('invalid', validationFlaw(result.error, target));
  });
  checkedBy.set(validator, { target, schema });
  return validator;
};
