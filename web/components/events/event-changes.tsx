import { useQuery } from '@tanstack/react-query';
import { eventChangesQuery } from '../../api/events.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Failure } from '../failure.tsx';
import { ChangesPanel } from './changes-panel.tsx';
import type { ViewProps } from './individual.tsx';

/** What changed in the event: by default since the scan a day before the end of the range. */
export function EventChanges({ id, meta, board, search, change }: ViewProps) {
  const { range } = board;
  const hasTwo = range.start !== range.end;
  const answer = useQuery({ ...eventChangesQuery(id, { ...range, since: search.since }), enabled: hasTwo });
  if (answer.error)
    return <Failure error={answer.error} retry={() => void answer.refetch()} busy={answer.isFetching} />;
  return (
    <ChangesPanel
      meta={meta}
      range={range}
      since={hasTwo ? (answer.data?.since ?? search.since ?? range.start) : null}
      changes={answer.data?.changes ?? []}
      choose={(since) => change({ since })}
      waiting={answer.isPending && <Skeleton height="12rem" />}
    />
  );
}
