/** Long text with one paragraph per line; numbered lines become headings. */
export const Paragraphs = ({ text }: { text: string }) =>
  text
    .trim()
    .split('\n')
    .filter(Boolean)
    .map((line) => (/^\d+\. /.test(line) ? <h2 key={line}>{line}</h2> : <p key={line}>{line}</p>));
