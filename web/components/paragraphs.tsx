/** Long text with one paragraph per line; numbered lines become headings. */
export const Paragraphs = ({ text }: { text: string }) =>
  Array.from(text.trim().split('\n').filter(Boolean).entries(), ([at, line]) =>
    /^\d+\. /.test(line) ? <h2 key={at}>{line}</h2> : <p key={at}>{line}</p>,
  );
