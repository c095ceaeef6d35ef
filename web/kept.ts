/**
 * Values kept in the tab's session storage. They survive reloads, sign-in and a payment at Stripe. `shape` validates
 * what is read, so that data of an earlier release cannot break a page.
 */

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns a stored value; null if there is none or it has another shape. */
export function kept<Value>(name: string, shape: (value: unknown) => value is Value): Value | null {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(name) ?? 'null');
    return shape(value) ? value : null;
  } catch {
    // Storage may be disabled.
    return null;
  }
}

/** Stores a value; null removes it. */
export function keep(name: string, value: unknown): void {
  try {
    if (value === null) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, JSON.stringify(value));
  } catch {
    // Storage may be disabled or full.
  }
}
