/** The parts around every page, in one file that loads after the first page. */
export { Footer } from './footer.tsx';
export { Surroundings } from './surroundings.tsx';
