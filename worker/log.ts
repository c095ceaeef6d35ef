/** What goes into the log: one JSON object a line, without what callers said in a query, a body or a secret path. */

/** The values of a failed statement, as Drizzle appends them to its message. */
const PARAMS = /\nparams: [\s\S]*?(?=\n {4}at |$)/g;
const QUERY = /(\bhttps?:\/\/[^\s?'"]+)\?[^\s'"]*/g;

const withoutValues = (text: string): string => text.replace(PARAMS, '\nparams: …').replace(QUERY, '$1?…');

/** The message of an error and of what caused it, without the values that a statement or an address carried. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return withoutValues(String(error));
  return withoutValues(error.cause ? `${error.message}: ${messageOf(error.cause)}` : error.message);
}

/** The same with the stack, for the log. */
export function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return withoutValues(String(error));
  const stack = withoutValues(error.stack ?? error.message);
  return error.cause ? `${stack}\ncaused by: ${stackOf(error.cause)}` : stack;
}

/** Tokens of shared links stand in their paths, and open what they lead to. */
export const pathInLog = (path: string): string => path.replace(/\/(shared|s)\/[^/]+/g, '/$1/…');

export const logError = (about: Readonly<Record<string, unknown>>, error: unknown): void =>
  console.error(JSON.stringify({ ...about, error: stackOf(error) }));
