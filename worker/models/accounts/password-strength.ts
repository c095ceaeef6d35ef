/** zxcvbn's scale goes from 0 to 4; 3 is what a hundred million guesses do not find. */
const MIN_SCORE = 3;

/** Words that everybody here would try first (docs/security.md): each counts as found, not as chosen. */
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
 * What is wrong with a new password, as a sentence, or null: common ones, patterns, and those made from the words in
 * `own` (the user's name, e-mail, the product) are refused.
 */
export async function weaknessOf(password: string, own: readonly string[]): Promise<string | null> {
  const plain = password.toLowerCase();
  const word = own.find((mine) => mine.length >= 4 && plain.includes(mine.toLowerCase()));
  if (word !== undefined) return 'password: must not contain your own name or e-mail address.';
  // The dictionaries are wanted at two calls only: not at the Worker's start.
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  const strength = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
  const { score } = await strength.checkAsync(password.slice(0, 100), [...own, ...CONTEXT]);
  return score < MIN_SCORE ? 'password: is too easy to guess. Take a few words that do not belong together.' : null;
}
