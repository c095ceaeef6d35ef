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

/**
 * Returns what is wrong with a new password as a sentence, or null. Refuses common passwords, patterns and the words in
 * `own` (the user's name, e-mail address).
 */
export async function weaknessOf(password: string, own: readonly string[]): Promise<string | null> {
  const plain = password.toLowerCase();
  const word = own.find((mine) => mine.length >= 4 && plain.includes(mine.toLowerCase()));
  if (word !== undefined) return 'password: must not contain your own name or e-mail address.';
  // Only two calls need the dictionaries, so they are not loaded at the Worker's start.
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  const strength = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
  const { score } = await strength.checkAsync(password.slice(0, 100), [...own, ...CONTEXT]);
  return score < MIN_SCORE ? 'password: is too easy to guess. Take a few words that do not belong together.' : null;
}
