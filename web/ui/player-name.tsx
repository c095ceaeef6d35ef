import { shortened } from '../format.ts';

/** Longest name shown in full. The games allow about 15 characters, but files may contain anything. */
const LONGEST = 32;

/**
 * A name chosen by a player. Such names may contain right-to-left marks, so they are isolated from the text around
 * them. Long names are truncated, with the full name as title.
 */
export function PlayerName({ name }: { name: string }) {
  const short = shortened(name, LONGEST);
  return <bdi title={short === name ? undefined : name}>{short}</bdi>;
}
