import { createFileRoute, redirect } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { itemIn, orderNumberIn } from '../../../../domain/orders/ids.ts';
import { prefetchResults } from '../../../api/item-results.ts';
import { combinedQuery } from '../../../api/results.ts';
import { PagePending } from '../../../components/page-pending.tsx';
import { VIEW, type ViewSearch } from '../../../components/results/search.ts';
import { flag, searchReader } from '../../../search-params.ts';
import { useSearchChange } from '../../../ui/search-input.tsx';
import { ItemResults } from './-item-results.tsx';

const fetchCombined = async () => ({ default: (await import('./-combined-results.tsx')).CombinedResults });
/** Loaded in parallel with its data, because pages of a single item do not need it. */
const CombinedResults = lazy(fetchCombined);

/** With `all`, the id is an order number, and the page shows the results of all its items together. */
const resultsSearch = searchReader({ ...VIEW, all: flag });

export const Route = createFileRoute('/_signed-in/order/$orderId')({
  validateSearch: resultsSearch,
  beforeLoad: async ({ context, params, search }) => {
    if (itemIn(params.orderId) !== null || search.all) return;
    const number = orderNumberIn(params.orderId);
    // Loaded on demand, because every page loads this file.
    const { onlyItemOf } = await import('./-only-item.ts');
    const orderId = number === null ? null : await onlyItemOf(context.client, number);
    if (orderId) throw redirect({ to: '/order/$orderId', params: { orderId }, search, replace: true });
    throw redirect({ to: '/order/$orderId', params, search: { ...search, all: true }, replace: true });
  },
  loaderDeps: ({ search }) => ({ all: search.all === true }),
  loader: ({ context, params, deps }) => {
    if (deps.all) {
      // On failure the page imports it again.
      fetchCombined().catch(() => undefined);
      void context.client.prefetchQuery(combinedQuery(params.orderId));
    } else void prefetchResults(context.client, params.orderId);
  },
  component: Results,
});

function Results() {
  const { orderId } = Route.useParams();
  const { all, ...search } = Route.useSearch();
  const change = useSearchChange<ViewSearch>();
  const view = { search, change };
  return all ? (
    <Suspense fallback={<PagePending />}>
      <CombinedResults key={orderId} orderId={orderId} view={view} />
    </Suspense>
  ) : (
    <ItemResults key={orderId} itemId={orderId} view={view} />
  );
}
