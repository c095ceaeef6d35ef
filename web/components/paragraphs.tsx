/** A long text: its lines are paragraphs, and one that begins with a number heads those that follow. */
export const Paragraphs = ({ text }: { text: string }) =>
  text
    .trim()
    .split('\n')
    .filter(Boolean)
    .map((line) => (/^\d+\. /.test(line) ? <h2 key={line}>{line}</h2> : <p key={line}>{line}</p>));
