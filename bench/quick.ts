/** The short form of benchmarks (`npm run bench -- --quick`): shows that each works, and judges nothing. */

export const QUICK = process.env.BENCH_QUICK === '1';

/** Returns a size of a benchmark: `full`, or `quick` in the short form. */
export const sized = <Size>(full: Size, quick: Size): Size => (QUICK ? quick : full);
