import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { message, t } from '../../../domain/language/text.ts';
import {
  adminNewsQuery,
  type EditedNews,
  editNews,
  type NewsForm,
  publishNews,
  removeNews,
} from '../../api/admin-news.ts';
import { fieldError } from '../../api/client.ts';
import { textOf } from '../../components/entry-page.tsx';
import { FormCard } from '../../components/form-card.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { NewsArticle } from '../../components/news-article.tsx';
import { Nothing, Panel } from '../../components/panel.tsx';
import { INVALID_TIME, parseTime, timeText } from '../../form-times.ts';
import type { Column } from '../../table/column.ts';
import { Table, Under } from '../../table/table.tsx';
import { TextAreaField, TextField } from '../../ui/field.tsx';
import layout from '../../ui/layout.module.css';
import { T } from '../../ui/text.tsx';
import { Time } from '../../ui/time.tsx';
import { Act, codeIn } from './-act.tsx';

export const Route = createFileRoute('/admin/news')({
  loader: ({ context }) => {
    void context.client.prefetchQuery(adminNewsQuery);
  },
  component: NewsDesk,
});

const isLater = ({ published_at }: EditedNews): boolean => published_at > Date.now();

const COLUMNS: readonly Column<EditedNews>[] = [
  {
    id: 'at',
    title: message('Published'),
    cell: (news) => (
      <>
        <Time at={news.published_at} />
        {isLater(news) && <Under>{t('not yet')}</Under>}
      </>
    ),
  },
  { id: 'title', title: message('Title'), grow: true, wraps: true, cell: ({ title }) => title },
  { id: 'acts', title: '', cell: (news) => <Acts news={news} /> },
];

/** @throws ApiError if the time is not one. */
function formOf(form: FormData): NewsForm {
  const written = textOf(form, 'published_at');
  const published_at = written === '' ? null : parseTime(written);
  if (written !== '' && published_at === null) throw fieldError('published_at', INVALID_TIME);
  return { title: textOf(form, 'title'), body: textOf(form, 'body'), published_at };
}

function Acts({ news }: { news: EditedNews }) {
  const { id, title, version } = news;
  return (
    <div className={layout.row}>
      <Act
        label={t('Edit')}
        title={t('Edit: {title}', { title })}
        about={t('Users see the change the next time they open the dashboard.')}
        action={t('Save')}
        reason={false}
        act={async (form) => {
          await editNews(id, { ...formOf(form), version });
          return t('Saved.');
        }}
      >
        <NewsFields news={news} />
      </Act>
      <Act
        label={t('Take down')}
        title={t('Take down: {title}', { title })}
        about={t('It disappears from the dashboard and from here. This cannot be undone.')}
        reason={false}
        proof
        act={async (form) => {
          await removeNews(id, codeIn(form));
          return null;
        }}
      />
    </div>
  );
}

/** Fields of news with a preview of what is written. */
function NewsFields({ news }: { news?: EditedNews }) {
  const [title, setTitle] = useState(news?.title ?? '');
  const [body, setBody] = useState(news?.body ?? '');
  const later = news && isLater(news);
  return (
    <>
      <TextField
        label={t('Title')}
        name="title"
        autoComplete="off"
        required
        maxLength={120}
        value={title}
        onChange={({ target }) => setTitle(target.value)}
      />
      <TextAreaField
        label={t('Text')}
        name="body"
        rows={5}
        required
        maxLength={5000}
        help={t('Line breaks are kept.')}
        value={body}
        onChange={({ target }) => setBody(target.value)}
      />
      {(!news || later) && (
        <TextField
          label={t('Publish at')}
          name="published_at"
          type="datetime-local"
          help={t('In UTC. Leave empty for at once.')}
          defaultValue={later ? timeText(news.published_at) : ''}
        />
      )}
      {title.trim() !== '' && body.trim() !== '' && (
        <fieldset className={layout.stack}>
          <legend>{t('Preview')}</legend>
          <NewsArticle
            news={{ title: title.trim(), body: body.trim(), published_at: news?.published_at ?? Date.now() }}
          />
        </fieldset>
      )}
    </>
  );
}

function NewsDesk() {
  const news = useQuery(adminNewsQuery);
  return (
    <>
      <title>{t('News · Muster')}</title>
      <NewNews />
      <Panel title={t('All news')} about={t('The newest ten that are published are on every user’s dashboard.')}>
        <Loaded query={news} what={t('the news')} heights={['10rem']}>
          {(all) =>
            all.length === 0 ? (
              <Nothing>{t('Nothing is published. What you write above appears on every user’s dashboard.')}</Nothing>
            ) : (
              <Table label={t('News')} columns={COLUMNS} rows={all} rowId={({ id }) => id} />
            )
          }
        </Loaded>
      </Panel>
    </>
  );
}

function NewNews() {
  const client = useQueryClient();
  /** Incremented when news was published, to begin with an empty form. */
  const [round, setRound] = useState(0);
  const publishing = useMutation({
    mutationFn: (form: FormData) => {
      const news = formOf(form);
      return publishNews(news).then(() => news);
    },
    onSuccess: () => {
      setRound(round + 1);
      return client.invalidateQueries({ queryKey: adminNewsQuery.queryKey });
    },
  });
  const { data: published } = publishing;
  return (
    <FormCard
      title={t('Publish news')}
      action={t('Publish')}
      sending={publishing}
      done={
        published &&
        (published.published_at === null ? (
          t('It is on every user’s dashboard now.')
        ) : (
          <T of="It will be on every user’s dashboard at {time}." time={<Time at={published.published_at} />} />
        ))
      }
      onSubmit={publishing.mutate}
    >
      <NewsFields key={round} />
    </FormCard>
  );
}
