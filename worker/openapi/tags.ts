/** First path segment after /v1/ → the group in which its calls are listed. */
export const TAGS: Readonly<Record<string, { name: string; description: string }>> = (() => {
  const boards = { name: 'leaderboards', description: 'Published boards, their figures and pictures.' };
  const accounts = { name: 'accounts', description: 'Sign-in, registration and what belongs to an account.' };
  const orders = { name: 'orders', description: 'What can be ordered, orders, standing orders and their results.' };
  const library = { name: 'library', description: 'Own scans: import, library, comparisons, reports.' };
  const known = { name: 'kingdoms', description: 'What is known of kingdoms and their governors.' };
  const service = { name: 'service', description: 'The service itself.' };
  return {
    ...{
      ':kind{governor|alliance|kingdom}': boards,
      alliance: boards,
      governor: boards,
      kingdom: boards,
      stats: boards,
      cards: boards,
      leaderboard: boards,
      removals: boards,
    },
    ...{ alliances: known, governors: known, kingdoms: known, monitored: known, search: known },
    ...{ scans: library, compare: library, reports: library, fights: library, rosters: library },
    ...{ products: orders, order: orders, orders, shared: orders },
    ...{ account: accounts, licenses: accounts, eula: accounts, login: accounts, logout: accounts },
    teams: { name: 'teams', description: 'Teams of leaders: members, invites and the shared balance.' },
    ...{ 'password-reset': accounts, 'verify-email': accounts, 'email-change': accounts },
    dashboards: { name: 'events', description: 'Events: their standings, scans and files.' },
    payment: { name: 'payments', description: 'Top-ups.' },
    admin: { name: 'admin', description: 'For admins.' },
    fleet: { name: 'fleet', description: 'For bots: docs/fleet-api.md.' },
    ...{ texts: service, health: service, news: service, 'openapi.json': service },
  };
})();
