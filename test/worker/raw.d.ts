/** A file's text, which Vite puts in its place. */
declare module '*?raw' {
  const text: string;
  export default text;
}
