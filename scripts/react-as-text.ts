import type { Plugin } from 'vite';

const REACT = /\/react-dom-server\.edge\.production\.js$/;

/** What React's rendering to bytes does, and what it does instead. Every one of these occurs. */
const CHANGES: readonly (readonly [from: string | RegExp, to: string])[] = [
  [/(?<=function writeChunk\(destination, chunk\) \{\n)[\s\S]*?(?=\n\})/, '  currentView += chunk;'],
  [
    /(?<=function completeWriting\(destination\) \{\n)[\s\S]*?(?=\n\})/,
    '  if (currentView) destination.enqueue(currentView);\n  currentView = null;',
  ],
  ['new Uint8Array(4096)', '""'],
  ['textEncoder.encode(content)', 'content'],
  ['type: "bytes",', ''],
  // Sizes decide only what is sent later, and nothing is.
  ['.byteLength', '.length'],
];

/**
 * Lets React's rendering in the Worker write text instead of bytes. React encodes over two thousand pieces a page, one
 * for each tag, attribute and text. The Worker would decode all of them again to put the page into its markup.
 */
export const reactAsText = (): Plugin => ({
  name: 'react-as-text',
  transform: {
    filter: { id: REACT },
    handler(code) {
      return CHANGES.reduce((changed, [from, to]) => {
        const next = changed.replaceAll(from instanceof RegExp ? new RegExp(from, 'g') : from, to);
        if (next === changed) this.error(`React's rendering has no ${from}.`);
        return next;
      }, code);
    },
  },
});
