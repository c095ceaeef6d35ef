/** Log lines: one JSON object each, without the callers' queries, bodies or secret paths. */

/** The parameters that Drizzle appends to the message of a failed statement. */
const PARAMS = /\nparams: [\s\S]*?(?=\n {4}at |$)/g;
const QUERY = /(\bhttps?:\/\/[^\s?'"]+)\?[^\s'"]*/g;

const withoutValues = (text: string): string => text.replace(PARAMS, '\nparams: …').replace(QUERY, '$1?…');

/** Returns the message of an error and its causes, without statement parameters or URL queries. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return withoutValues(String(error));
  return withoutValues(error.cause ? `${error.message}: ${messageOf(error.cause)}` : error.message);
}

/** Like `messageOf`, with the stack. */
export function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return withoutValues(String(error));
  const stack = withoutValues(error.stack ?? error.message);
  return error.cause ? `${stack}\ncaused by: ${stackOf(error.cause)}` : stack;
}

/** Hides tokens in the paths of shared links, because a token grants access. */
export const pathInLog = (path: string): string => path.replace(/\/(shared|s)\/[^/]+/g, '/$1/…');

export const logError = (about: Readonly<Record<string, unknown>>, error: unknown): void =>
  console.error(JSON.stringify({ ...about, error: stackOf(error) }));
