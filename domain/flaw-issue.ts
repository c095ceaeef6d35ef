import { type Sentence, say } from './language/text.ts';

/** Makes an issue of a schema that carries its sentence, so that it can be said in another language. */
export const flawIssue = (flaw: Sentence, path: PropertyKey[] = []) => ({
  ...{ code: 'custom' as const, path, message: say(flaw) },
  params: { flaw },
});
