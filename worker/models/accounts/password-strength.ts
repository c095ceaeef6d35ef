import { Refusal } from '../../errors.ts';

/** zxcvbn scores range from 0 to 4; 3 withstands a hundred million guesses. */
const MIN_SCORE = 3;

/**
 * Words that attackers of this service would try first (docs/security.md). They add nothing to a password's strength.
 */
const CONTEXT = [
  'muster',
  'rise of kingdoms',
  'riseofkingdoms',
  'call of dragons',
  'callofdragons',
  'kingdom',
  'governor',
];

/** Refuses a password that is common, a pattern or built from the user's own name or address. */
export async function refuseWeak(password: string, { username, email }: { username: string; email: string }) {
  const own = [username, email, ...email.split('@').slice(0, 1)];
  const plain = password.toLowerCase();
  if (own.some((mine) => mine.length >= 4 && plain.includes(mine.toLowerCase())))
    throw new Refusal('invalid', 'password: must not contain your own name or e-mail address.');
  // Only two calls need the dictionaries, so they are not loaded at the Worker's start.
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  const strength = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
  const { score } = await strength.checkAsync(password.slice(0, 100), [...own, ...CONTEXT]);
  if (score < MIN_SCORE)
    throw new Refusal('invalid', 'password: is too easy to guess. Take a few words that do not belong together.');
}
