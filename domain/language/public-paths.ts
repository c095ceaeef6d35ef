/** Pages that everybody may read. Only these have an address per language; other pages follow the reader's choice. */

const PUBLIC =
  /^\/(?:faq|login|register|password_reset|verify-email|eula|privacy|imprint|removal|maps|api-docs|leaderboard(?:\/.*)?|(?:cod-)?dashboards\/.*|reports\/shared\/.*|shared\/.*)?\/?$/;

export const isPublicPath = (path: string): boolean => PUBLIC.test(path);
