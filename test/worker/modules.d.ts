/** A file's text, which Vite puts in its place. */
declare module '*?raw' {
  const text: string;
  export default text;
}

/** The package has no types. */
declare module 'parse-prometheus-text-format' {
  export default function parse(
    text: string,
  ): { name: string; help: string; type: string; metrics: { value: string; labels?: Record<string, string> }[] }[];
}
