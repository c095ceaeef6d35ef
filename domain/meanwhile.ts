/**
 * Returns the refusal of an edit of something that changed since it was read, with what differs; null values are
 * 'none'.
 */
export function changedMeanwhile<Name extends string>(
  mine: Readonly<Record<Name, unknown>>,
  theirs: Readonly<Record<Name, unknown>>,
  names: readonly Name[],
): string {
  const differs = names
    .filter((name) => mine[name] !== theirs[name])
    .map((name) => `${name} is ${theirs[name] ?? 'none'} now, yours was ${mine[name] ?? 'none'}`);
  return `Somebody changed this meanwhile: ${(differs.join('; ') || 'to the same').replace(/[.]$/, '')}.`;
}
