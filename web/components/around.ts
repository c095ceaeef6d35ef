/** What is around every screen, in one file that is fetched after the first of them. */
export { Footer } from './footer.tsx';
export { Surroundings } from './surroundings.tsx';
