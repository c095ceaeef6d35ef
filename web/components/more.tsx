import { Button } from '../ui/button.tsx';

/** Loads the next page of a list. Renders nothing at the end. */
export const More = ({
  of: { hasNextPage, isFetchingNextPage, fetchNextPage },
  children,
}: {
  of: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
  /** Button label, such as 'Older orders'. */
  children: string;
}) =>
  hasNextPage && (
    <p>
      <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {children}
      </Button>
    </p>
  );
