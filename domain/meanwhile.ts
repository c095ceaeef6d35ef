import { message, type Sentence, sentence } from './language/text.ts';

/**
 * Returns the refusal of an edit of something that changed since it was read, with what differs. A null is a dash.
 */
export function changedMeanwhile<Name extends string>(
  mine: Readonly<Record<Name, unknown>>,
  theirs: Readonly<Record<Name, unknown>>,
  names: readonly Name[],
): Sentence {
  const differs = names
    .filter((name) => mine[name] !== theirs[name])
    .map((name) => `${name}: ${theirs[name] ?? '–'} (${mine[name] ?? '–'})`);
  if (differs.length === 0) return { message: message('Somebody made the same change meanwhile.') };
  return sentence('Somebody changed this meanwhile. What is stored now, and yours in brackets: {differences}', {
    differences: differs.join('; '),
  });
}
