import { useQuery } from '@tanstack/react-query';
import type { TextName } from '../../domain/service/page-settings.ts';
import { textQuery } from '../api/texts.ts';
import { Loading, Skeleton } from '../ui/skeleton.tsx';
import { Failure } from './failure.tsx';
import styles from './operator-text.module.css';
import { Page } from './page.tsx';
import { Paragraphs } from './paragraphs.tsx';

/** A screen with one of the operator's texts. */
export function OperatorText({ name, title }: { name: TextName; title: string }) {
  const { data, isPending, isError, error, isFetching, refetch } = useQuery(textQuery(name));
  return (
    <Page title={title}>
      {isError && <Failure error={error} retry={() => void refetch()} busy={isFetching} />}
      {isPending && (
        <>
          <Loading what="the text" />
          <Skeleton height="24rem" />
        </>
      )}
      {data && (
        <div className={styles.text}>
          <Paragraphs text={data.text} />
        </div>
      )}
    </Page>
  );
}
