import { join } from 'node:path';
import type { Plugin } from 'vite';
import { ROOT } from './settings.ts';

const REACT = /\/react-dom-server\.edge\.production\.js$/;
const ENCODER = 'new TextEncoder()';
const POOLED = join(ROOT, 'web', 'pooled-encoder.ts');

/** Gives React's rendering in the Worker an encoder that allocates less (web/pooled-encoder.ts). */
export const pooledEncoder = (): Plugin => ({
  name: 'pooled-encoder',
  transform: {
    filter: { id: REACT },
    handler(code) {
      if (code.split(ENCODER).length !== 2) this.error(`React's rendering does not have one "${ENCODER}".`);
      return code.replace(ENCODER, `new (require(${JSON.stringify(POOLED)}).PooledEncoder)()`);
    },
  },
});
