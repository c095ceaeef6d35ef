import { useQueryClient } from '@tanstack/react-query';
import { Upload } from 'lucide';
import { type DragEvent, useId, useState } from 'react';
import { messageOf } from '../../../api/client.ts';
import { type ImportPreview, type LibraryPage, previewFile } from '../../../api/scans.ts';
import { exact } from '../../../format.ts';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Loading, Skeleton } from '../../../ui/skeleton.tsx';
import { ImportCard } from './-import-card.tsx';
import styles from './-scans.module.css';

/** A file on its way into the library. */
interface Waiting {
  key: number;
  name: string;
  preview?: ImportPreview;
  failed?: string;
}

let keys = 0;

/** Takes files by drop or by picker, shows what was read of each, and saves what is confirmed. */
export function Importer({ limits }: { limits: LibraryPage['limits'] | undefined }) {
  const [files, setFiles] = useState<readonly Waiting[]>([]);
  const [over, setOver] = useState(false);
  const client = useQueryClient();
  const id = useId();
  const patch = (key: number, part: Partial<Waiting>) =>
    setFiles((all) => all.map((file) => (file.key === key ? { ...file, ...part } : file)));
  const drop = (key: number) => setFiles((all) => all.filter((file) => file.key !== key));
  /** One after the other: the service reads one file of a user as quickly as two. */
  const take = async (picked: readonly File[]) => {
    const waiting = picked.map((file) => ({ key: ++keys, name: file.name, file }));
    setFiles((all) => [...waiting.map(({ key, name }) => ({ key, name })), ...all]);
    for (const { key, file } of waiting) {
      await previewFile(file).then(
        (preview) => patch(key, { preview }),
        (error: unknown) => patch(key, { failed: messageOf(error) }),
      );
    }
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void take([...event.dataTransfer.files]);
  };
  return (
    <section className={styles.imports} aria-label="Import">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way; the picker inside is the first. */}
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
          accept=".csv,.xlsx,.json,.jsonl,.txt"
          onChange={({ target }) => {
            void take([...(target.files ?? [])]);
            target.value = '';
          }}
        />
        <p>
          Drop scan files here, or{' '}
          <label htmlFor={id} className={buttonClass()}>
            choose them
          </label>
        </p>
        <small>
          RokTracker, Hero Scrolls, the games’ own exports, spreadsheets of your own: csv, xlsx, json or jsonl.
          {limits && ` ${limitsText(limits)}`}
        </small>
      </div>
      {files.map((file) => (
        <article key={file.key} className={styles.import} aria-label={file.name}>
          {file.preview ? (
            <ImportCard
              first={file.preview}
              done={() => void client.invalidateQueries({ queryKey: ['scans'] })}
              close={() => drop(file.key)}
            />
          ) : file.failed ? (
            <>
              <h2>{file.name}</h2>
              <Notice tone="danger" action={<Button onClick={() => drop(file.key)}>Dismiss</Button>}>
                {file.failed}
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

const limitsText = ({
  files_per_day,
  files_today,
  rows,
  rows_kept,
  days,
  file_bytes,
  file_rows,
}: LibraryPage['limits']): string =>
  `Up to ${exact(file_bytes / 1e6)} MB and ${exact(file_rows)} rows a file; ${exact(files_today)} of ${exact(files_per_day)} files today, ${exact(rows_kept)} of ${exact(rows)} rows kept, each scan for ${exact(days)} days.`;
