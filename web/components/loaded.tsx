import { type ReactNode, useDeferredValue } from 'react';
import { Skeletons } from '../ui/skeleton.tsx';
import { Failure } from './failure.tsx';

/** The fields of a query (or infinite query) needed to render it. */
export interface Loads<Data> {
  data: Data | undefined;
  error: unknown;
  isPending: boolean;
  isFetching: boolean;
  refetch: () => unknown;
}

/**
 * Defers a query's data so that a page's head renders in the same update as the content of `Loaded`. Rendered earlier,
 * the head would shift the skeletons.
 */
export const useHead: <Data>(data: Data) => Data = useDeferredValue;

/** Returns whether a query has answered or failed, in the same update as the content of its `Loaded`. */
export const useSettled = ({ isPending }: Pick<Loads<unknown>, 'isPending'>): boolean => useDeferredValue(!isPending);

/**
 * Renders a query's data. While loading it shows skeletons of the given `heights` (CSS lengths). Errors appear with a
 * retry button, above data that is already there.
 */
export function Loaded<Data>({
  query: { data, error, isPending, isFetching, refetch },
  what,
  heights = ['16rem'],
  className,
  children,
}: {
  query: Loads<Data>;
  /** What is loading, for screen readers: 'the orders'. */
  what: string;
  heights?: readonly string[];
  /** Class of the skeletons' container, if it lays them out like the content. */
  className?: string | undefined;
  children: (data: Data) => ReactNode;
}) {
  // Render data in a deferred update, so that a slow phone stays responsive.
  const waited = useDeferredValue(isPending);
  // A new query shows skeletons at once.
  const waits = isPending || waited;
  return (
    <>
      {error != null && <Failure error={error} retry={() => void refetch()} busy={isFetching} />}
      {waits && (
        <div className={className ?? 'contents'}>
          <Skeletons what={what} heights={heights} />
        </div>
      )}
      {!waits && data !== undefined && children(data)}
    </>
  );
}
