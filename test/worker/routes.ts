import { app } from '../../worker/app.ts';
import { callsOf } from '../../worker/openapi/describe.ts';

/** All calls of the API. The list is the app's own, so a new route is in it. */
export const CALLS = callsOf(app.routes);

export const nameOf = ({ method, path }: { method: string; path: string }): string => `${method} ${path}`;

/** Returns a route's paths with parameters filled in: one for each of `:act{lock|unlock}`, `1` for other parameters. */
export function pathsOf(pattern: string): string[] {
  const [parameter, values] = /:\w+\{([\w-]+(?:\|[\w-]+)+)\}/.exec(pattern) ?? [];
  if (parameter === undefined || values === undefined) return [pattern.replace(/:\w+(\{[^}]*\})?\??/g, '1')];
  return values.split('|').flatMap((value) => pathsOf(pattern.replace(parameter, value)));
}

/** Returns the first of a route's paths. */
export const pathOf = (pattern: string): string => pathsOf(pattern)[0] ?? pattern;
