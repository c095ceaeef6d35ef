import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Upload } from 'lucide';
import { type DragEvent, useEffect, useEffectEvent, useId, useState } from 'react';
import { t } from '../../../../domain/language/text.ts';
import { ApiError, messageOf } from '../../../api/client.ts';
import {
  type ImportChoice,
  type ImportPreview,
  type LibraryPage,
  previewAgain,
  previewFile,
} from '../../../api/scans.ts';
import { counted, exact } from '../../../format.ts';
import { isRecord, keep, kept } from '../../../kept.ts';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import layout from '../../../ui/layout.module.css';
import { Notice } from '../../../ui/notice.tsx';
import { Loading, Skeleton } from '../../../ui/skeleton.tsx';
import { T } from '../../../ui/text.tsx';
import { ImportCard, type Savable } from './-import-card.tsx';
import styles from './-scans.module.css';

/** An unsaved import on the server, as stored in the tab. */
interface KeptImport {
  import_id: string;
  name: string;
  /** The user's choices for it. */
  choice: ImportChoice;
}

interface KeptImports {
  /** Owner of the imports, so that another user in the same tab does not get them. */
  user: string;
  files: KeptImport[];
}

const NAME = 'imports';

const isKept = (value: unknown): value is KeptImports =>
  isRecord(value) &&
  typeof value.user === 'string' &&
  Array.isArray(value.files) &&
  value.files.every(
    (file) =>
      isRecord(file) && typeof file.import_id === 'string' && typeof file.name === 'string' && isRecord(file.choice),
  );

/** Returns the user's imports in this tab that are neither saved nor discarded. */
function keptImports(user: string): KeptImport[] {
  const imports = kept(NAME, isKept);
  return imports?.user === user ? imports.files : [];
}

/** Stores the unsaved imports. */
const keepImports = (user: string, files: readonly KeptImport[]): void =>
  keep(NAME, files.length > 0 ? { user, files } : null);

/** A file being imported. */
interface Waiting extends Omit<KeptImport, 'import_id'> {
  key: number;
  /** Known once the server has the file. */
  import_id?: string;
  /** Requests the first preview. */
  ask: () => Promise<ImportPreview>;
  preview?: ImportPreview;
  /** Why the request failed. */
  failed?: unknown;
  saved?: true;
}

/** Returns whether a request may succeed later, unlike that for a file which cannot be read. */
const mayHelp = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500);

let keys = 0;

/** Imports files by drop or file picker, with a preview of each. */
export function Importer({ user, limits }: { user: string; limits: LibraryPage['limits'] | undefined }) {
  const { files, take, again, patch, drop } = useFiles(user);
  const [ready, setReady] = useState<ReadonlyMap<number, Savable>>(new Map());
  const [over, setOver] = useState(false);
  const client = useQueryClient();
  const id = useId();
  const tell = (key: number, file: Savable | null) =>
    setReady((all) => {
      const others = [...all].filter(([each]) => each !== key);
      return new Map(file ? [...others, [key, file]] : others);
    });
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    take([...event.dataTransfer.files]);
  };
  return (
    <section className={styles.imports} aria-label={t('Import')}>
      {/*
       * biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way; the picker inside is the first.
       */}
      <div
        className={styles.drop}
        data-over={over || undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={onDrop}
      >
        <Icon of={Upload} size={24} />
        <input
          id={id}
          type="file"
          className="visually-hidden"
          multiple
          accept=".csv,.xlsx,.ods,.json,.jsonl,.txt"
          onChange={({ target }) => {
            take([...(target.files ?? [])]);
            target.value = '';
          }}
        />
        <p>
          <T
            of="Drop scan files here, or <choose>choose them</choose>"
            choose={(text) => (
              <label htmlFor={id} className={buttonClass()}>
                {text}
              </label>
            )}
          />
        </p>
        <small data-waits={!limits || undefined}>
          <T
            of="RokTracker, Hero Scrolls, the games’ own exports, spreadsheets of your own: csv, xlsx, ods, json or jsonl.{value}"
            value={limits && ` ${limitsText(limits)}`}
          />
        </small>
      </div>
      {ready.size > 1 && <SaveAll files={[...ready.values()]} />}
      {files.map((file) => (
        <article key={file.key} className={styles.import} aria-label={file.name}>
          {file.preview ? (
            <ImportCard
              first={file.preview}
              chosen={file.choice}
              onChoice={(choice) => patch(file.key, { choice })}
              onReady={(savable) => tell(file.key, savable)}
              done={() => {
                patch(file.key, { saved: true });
                void client.invalidateQueries({ queryKey: ['scans'] });
              }}
              close={() => {
                tell(file.key, null);
                drop(file.key);
              }}
            />
          ) : file.failed !== undefined ? (
            <>
              <h2>{file.name}</h2>
              <Notice
                tone="danger"
                action={
                  <span className={layout.wrap}>
                    {mayHelp(file.failed) && <Button onClick={() => again(file)}>{t('Try again')}</Button>}
                    <Button onClick={() => drop(file.key)}>{t('Dismiss')}</Button>
                  </span>
                }
              >
                {messageOf(file.failed)}
              </Notice>
            </>
          ) : (
            <>
              <h2>{file.name}</h2>
              <Loading what={file.name} />
              <Skeleton height="6rem" />
            </>
          )}
        </article>
      ))}
    </section>
  );
}

/** Files being imported, including those from before a reload: the server keeps the files, the tab keeps their ids. */
function useFiles(user: string) {
  const [before] = useState(() =>
    keptImports(user).map((file): Waiting => {
      return { ...file, key: ++keys, ask: () => previewAgain(file.import_id, file.choice) };
    }),
  );
  const [files, setFiles] = useState<readonly Waiting[]>(before);
  const patch = (key: number, part: Partial<Waiting>) =>
    setFiles((all) => all.map((file) => (file.key === key ? { ...file, ...part } : file)));
  const drop = (key: number) => setFiles((all) => all.filter((file) => file.key !== key));
  /** Sequential, because the server reads a user's files one at a time. */
  const read = async (waiting: readonly Waiting[]) => {
    for (const { key, ask } of waiting)
      await ask().then(
        (preview) => patch(key, { preview, import_id: preview.import_id }),
        (failed: unknown) => patch(key, { failed }),
      );
  };
  const readBefore = useEffectEvent(() => read(before));
  useEffect(() => void readBefore(), []);
  useEffect(() => {
    keepImports(
      user,
      files.flatMap(({ import_id, name, choice, saved }) =>
        import_id === undefined || saved ? [] : [{ import_id, name, choice }],
      ),
    );
  }, [user, files]);
  const take = (picked: readonly File[]) => {
    const waiting = picked.map(
      (file): Waiting => ({ key: ++keys, name: file.name, choice: {}, ask: () => previewFile(file) }),
    );
    setFiles((all) => [...waiting, ...all]);
    void read(waiting);
  };
  const again = (file: Waiting) => {
    patch(file.key, { failed: undefined });
    void read([file]);
  };
  return { files, take, again, patch, drop };
}

/** Saves all ready files in sequence; each card shows its own result. */
function SaveAll({ files }: { files: readonly Savable[] }) {
  const all = useMutation({
    mutationFn: async () => {
      for (const { save } of files) await save().catch(() => undefined);
    },
  });
  const scans = files.reduce((sum, file) => sum + file.scans, 0);
  return (
    <div className={styles.bar}>
      <span>
        <T of="{length} can be saved as shown." length={counted(files.length, 'file')} />
      </span>
      <Button look="primary" busy={all.isPending} onClick={() => all.mutate()}>
        <T of="Save all ({scans})" scans={counted(scans, 'scan')} />
      </Button>
    </div>
  );
}

const limitsText = ({
  files_per_day,
  files_today,
  rows,
  rows_kept,
  days,
  file_bytes,
  file_rows,
}: LibraryPage['limits']): string =>
  t(
    'Up to {megabytes} MB and {file_rows} rows a file; {files_today} of {files_per_day} files today, {rows_kept} of {rows} rows kept, each scan for {days} days.',
    {
      megabytes: exact(file_bytes / 1e6),
      file_rows: exact(file_rows),
      files_today: exact(files_today),
      files_per_day: exact(files_per_day),
      rows_kept: exact(rows_kept),
      rows: exact(rows),
      days: exact(days),
    },
  );
