/**
 * What a page keeps in its tab until the tab is closed: it outlives a reload, Back, the sign-in and a payment at Stripe.
 * What is kept is read as its `shape` says, so that what an earlier release left cannot break a page of this one.
 */

/** What is kept under that name, or null where nothing is or it has another shape. */
export function kept<Value>(name: string, shape: (value: unknown) => value is Value): Value | null {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(name) ?? 'null');
    return shape(value) ? value : null;
  } catch {
    // Storage can be switched off; then nothing is kept.
    return null;
  }
}

/** Keeps a value; null forgets it. */
export function keep(name: string, value: unknown): void {
  try {
    if (value === null) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, JSON.stringify(value));
  } catch {
    // As above, or more than a tab may keep.
  }
}
