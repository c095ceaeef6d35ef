import { message } from '../language/text.ts';

/** Scopes of API keys. Each route that accepts keys requires one of these. */
export const SCOPES = ['read', 'order', 'import', 'compare', 'report', 'share', 'delete', 'metrics'] as const;
export type Scope = (typeof SCOPES)[number];

/** Labels of the scopes in the form that creates a key. */
export const SCOPE_WORDS: Readonly<Record<Scope, { label: string; help: string }>> = {
  read: { label: message('Read'), help: message('Orders, results, governors, kingdoms, teams.') },
  order: {
    label: message('Place orders'),
    help: message('Places, cancels and repairs orders: spends your balance and those of your teams.'),
  },
  import: { label: message('Import'), help: message('Brings scan files into your library and labels scans.') },
  compare: {
    label: message('Compare'),
    help: message('Lists, downloads and compares the scans of your library, and reads your reports.'),
  },
  report: { label: message('Write reports'), help: message('Makes and changes reports, fights and lists of farms.') },
  share: { label: message('Share'), help: message('Makes, lists and ends public links to results and reports.') },
  delete: { label: message('Delete'), help: message('Deletes scans of your library, reports and fights.') },
  metrics: { label: message('Metrics'), help: message('Reads figures of the service, for admins.') },
};
