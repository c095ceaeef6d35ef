/** Styles of the letters that are not Latin (scripts/fonts.ts). */
declare module '*.css?others';
