let collator: Intl.Collator | null = null;

/**
 * Words in the order of English, numbers in them by size, as `sort` asks for it. What knows the order is made when the
 * first words are compared: it takes a phone tens of milliseconds.
 */
export function inOrder(one: string, other: string): number {
  collator ??= new Intl.Collator('en', { numeric: true });
  return collator.compare(one, other);
}
