import { type ReactNode, useDeferredValue } from 'react';
import { Skeletons } from '../ui/skeleton.tsx';
import { Failure } from './failure.tsx';

/** What of a query is needed to draw it; an infinite one has the same. */
export interface Loads<Data> {
  data: Data | undefined;
  error: unknown;
  isPending: boolean;
  isFetching: boolean;
  refetch: () => unknown;
}

/**
 * What a query brought, for a page's head: drawn in one go with what `Loaded` draws below. By itself it would push away
 * what holds that place.
 */
export const useHead: <Data>(data: Data) => Data = useDeferredValue;

/**
 * Draws what a query brought. Until then its place is held in about its size (`heights`, CSS lengths, one for each part),
 * and a failure is said with another try; what was there before the failure stays.
 */
export function Loaded<Data>({
  query: { data, error, isPending, isFetching, refetch },
  what,
  heights = ['16rem'],
  className,
  children,
}: {
  query: Loads<Data>;
  /** What is being fetched, for those who listen: 'the orders'. */
  what: string;
  heights?: readonly string[];
  /** Of the box that holds the places, where it lays them out like what comes. */
  className?: string | undefined;
  children: (data: Data) => ReactNode;
}) {
  // What comes is drawn in pieces, so that a slow phone can be scrolled and touched meanwhile.
  const waited = useDeferredValue(isPending);
  // Another question has its place held at once.
  const waits = isPending || waited;
  return (
    <>
      {error != null && <Failure error={error} retry={() => void refetch()} busy={isFetching} />}
      {waits && (
        <div className={className} style={className ? undefined : { display: 'contents' }}>
          <Skeletons what={what} heights={heights} />
        </div>
      )}
      {!waits && data !== undefined && children(data)}
    </>
  );
}
