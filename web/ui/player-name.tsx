import { shortened } from '../format.ts';

/** Longest name shown whole; the games allow 15 or so, files may hold anything. */
const LONGEST = 32;

/**
 * A name that a player chose. Such names may hold right-to-left marks and worse: isolated, they cannot turn around the
 * figures beside them, and long ones are cut, with the whole in the title.
 */
export function PlayerName({ name }: { name: string }) {
  const short = shortened(name, LONGEST);
  return <bdi title={short === name ? undefined : name}>{short}</bdi>;
}
