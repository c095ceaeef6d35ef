import { Button } from '../ui/button.tsx';

/** Fetches the next page of a list; not there where the list has ended. */
export const More = ({
  of: { hasNextPage, isFetchingNextPage, fetchNextPage },
  children,
}: {
  of: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
  /** The button's words: 'Older orders'. */
  children: string;
}) =>
  hasNextPage && (
    <p>
      <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {children}
      </Button>
    </p>
  );
