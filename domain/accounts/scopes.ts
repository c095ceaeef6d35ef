/** Scopes of API keys. Each route that accepts keys requires one of these. */
export const SCOPES = ['read', 'order', 'import', 'compare', 'report', 'share', 'delete', 'metrics'] as const;
export type Scope = (typeof SCOPES)[number];

/** Labels of the scopes in the form that creates a key. */
export const SCOPE_WORDS: Readonly<Record<Scope, { label: string; help: string }>> = {
  read: { label: 'Read', help: 'Orders, results, governors, kingdoms, teams.' },
  order: { label: 'Order', help: 'Places, cancels and repairs orders: spends your balance and those of your teams.' },
  import: { label: 'Import', help: 'Brings scan files into your library and labels scans.' },
  compare: {
    label: 'Compare',
    help: 'Lists, downloads and compares the scans of your library, and reads your reports.',
  },
  report: { label: 'Report', help: 'Makes and changes reports, fights and lists of farms.' },
  share: { label: 'Share', help: 'Makes, lists and ends public links to results and reports.' },
  delete: { label: 'Delete', help: 'Deletes scans of your library, reports and fights.' },
  metrics: { label: 'Metrics', help: 'Reads figures of the service, for admins.' },
};
