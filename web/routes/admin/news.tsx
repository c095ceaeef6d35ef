import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { messageOf } from '../../api/client.ts';
import { type News, newsQuery } from '../../api/monitored.ts';
import { publishNews, removeNews } from '../../api/support.ts';
import { textOf } from '../../components/entry-page.tsx';
import { FormCard } from '../../components/form-card.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Nothing, Panel } from '../../components/panel.tsx';
import type { Column } from '../../table/column.ts';
import { Table } from '../../table/table.tsx';
import { Button } from '../../ui/button.tsx';
import { TextAreaField, TextField } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Time } from '../../ui/time.tsx';

export const Route = createFileRoute('/admin/news')({
  loader: ({ context }) => {
    void context.client.prefetchQuery(newsQuery);
  },
  component: NewsDesk,
});

const COLUMNS: readonly Column<News>[] = [
  { id: 'at', title: 'Published', cell: ({ published_at }) => <Time at={published_at} /> },
  { id: 'title', title: 'Title', grow: true, wraps: true, cell: ({ title }) => title },
  { id: 'remove', title: '', cell: (news) => <Remove news={news} /> },
];

function Remove({ news }: { news: News }) {
  const client = useQueryClient();
  const removing = useMutation({
    mutationFn: () => removeNews(news.id),
    onSuccess: () => client.invalidateQueries({ queryKey: newsQuery.queryKey }),
  });
  if (removing.isError) return <Notice tone="danger">{messageOf(removing.error)}</Notice>;
  return (
    <Button busy={removing.isPending} onClick={() => removing.mutate()} aria-label={`Take down: ${news.title}`}>
      Take down
    </Button>
  );
}

function NewsDesk() {
  const news = useQuery(newsQuery);
  return (
    <>
      <title>News · Muster</title>
      <NewNews />
      <Panel title="On the dashboard" about="The newest ten.">
        <Loaded query={news} what="the news" heights={['10rem']}>
          {(published) =>
            published.length === 0 ? (
              <Nothing>Nothing is published. What you write above appears on every user’s dashboard.</Nothing>
            ) : (
              <Table label="News" columns={COLUMNS} rows={published} rowId={({ id }) => id} />
            )
          }
        </Loaded>
      </Panel>
    </>
  );
}

function NewNews() {
  const client = useQueryClient();
  const publishing = useMutation({
    mutationFn: (form: FormData) => publishNews({ title: textOf(form, 'title'), body: textOf(form, 'body') }),
    onSuccess: () => client.invalidateQueries({ queryKey: newsQuery.queryKey }),
  });
  return (
    <FormCard
      clears
      title="Publish news"
      action="Publish"
      sending={publishing}
      done={publishing.isSuccess && 'It is on every user’s dashboard now.'}
      onSubmit={publishing.mutate}
    >
      <TextField label="Title" name="title" autoComplete="off" required maxLength={120} />
      <TextAreaField label="Text" name="body" rows={5} required maxLength={5000} help="Line breaks are kept." />
    </FormCard>
  );
}
