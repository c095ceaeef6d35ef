import type { SpeakTo } from '../../worker/isolate/language.ts';

/** Does work for users in English, without catalogues. */
export const inEnglish: SpeakTo = async (_, work) => work();
