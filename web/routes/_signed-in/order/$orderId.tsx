import { createFileRoute, redirect } from '@tanstack/react-router';
import { itemQuery } from '../../../api/orders.ts';
import { rowsQuery } from '../../../api/results.ts';
import { CombinedResults } from './-combined-results.tsx';
import { ItemResults } from './-item-results.tsx';
import { SORTABLE } from './-result-columns.tsx';

/** What the address says of the page: which results, and how they are looked at. */
export interface ResultsSearch {
  /** The id is an order's, and the results of all its items are shown together. */
  all?: true;
  sort?: string;
  ascending?: true;
  q?: string;
  /** Every digit in place of 12.4M. */
  digits?: true;
}

const on = (value: unknown) => value === true || value === 'true' || value === 1;

export const Route = createFileRoute('/_signed-in/order/$orderId')({
  validateSearch: (search: Record<string, unknown>): ResultsSearch => ({
    all: on(search.all) || undefined,
    sort: SORTABLE.find((id) => id === search.sort),
    ascending: on(search.ascending) || undefined,
    q: search.q === undefined ? undefined : String(search.q),
    digits: on(search.digits) || undefined,
  }),
  beforeLoad: ({ params, search }) => {
    // A number is an order's id, and of an order there are only combined results.
    if (/^\d+$/.test(params.orderId) && !search.all)
      throw redirect({ to: '/order/$orderId', params, search: { ...search, all: true }, replace: true });
  },
  loaderDeps: ({ search }) => ({ all: search.all === true }),
  loader: ({ context, params, deps }) => {
    void context.client.prefetchQuery(rowsQuery(params.orderId, deps.all));
    if (!deps.all) void context.client.prefetchQuery(itemQuery(params.orderId));
  },
  component: Results,
});

function Results() {
  const { orderId } = Route.useParams();
  const { all } = Route.useSearch();
  return all ? <CombinedResults key={orderId} orderId={orderId} /> : <ItemResults key={orderId} itemId={orderId} />;
}
