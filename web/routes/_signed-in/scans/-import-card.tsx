import { useEffect, useEffectEvent, useState } from 'react';
import { MAX_KINGDOM } from '../../../../domain/games/game-names.ts';
import { GAMES } from '../../../../domain/games/games.ts';
import { labelled, listed, message, t, words } from '../../../../domain/language/text.ts';
import { messageOf } from '../../../api/client.ts';
import type { ImportChoice, ImportPreview } from '../../../api/scans.ts';
import { INVALID_TIME, parseTime, timeText } from '../../../form-times.ts';
import { capital, counted, dateTime, exact } from '../../../format.ts';
import type { Column } from '../../../table/column.ts';
import { Table } from '../../../table/table.tsx';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import layout from '../../../ui/layout.module.css';
import { Notice } from '../../../ui/notice.tsx';
import { PlayerName } from '../../../ui/player-name.tsx';
import { Select } from '../../../ui/select.tsx';
import { T } from '../../../ui/text.tsx';
import styles from './-scans.module.css';
import { correctable, useImport } from './-use-import.ts';

/** An import that is ready to be saved. */
export interface Savable {
  scans: number;
  save: () => Promise<unknown>;
}

/** Preview of an imported file before it is saved: columns, missing data and problems. */
export function ImportCard({
  first,
  chosen,
  onChoice,
  onReady,
  done,
  close,
}: {
  first: ImportPreview;
  chosen: ImportChoice;
  onChoice: (choice: ImportChoice) => void;
  /** Receives the import when it can be saved together with others; null while it cannot. */
  onReady: (file: Savable | null) => void;
  done: () => void;
  close: () => void;
}) {
  const { preview, choice, change, looking, saving, complete, ready } = useImport(first, { chosen, onChoice, done });
  const scans = preview.scans.length;
  const waits = ready && !saving.isSuccess;
  const tell = useEffectEvent(onReady);
  const { mutateAsync: save } = saving;
  useEffect(() => {
    tell(waits ? { scans, save } : null);
  }, [waits, scans, save]);
  if (saving.isSuccess)
    return (
      <>
        <h2>{preview.name}</h2>
        <Notice action={<Button onClick={close}>{t('Done')}</Button>}>
          <T of="Saved: {length} in your library." length={counted(saving.data.scan_ids.length, 'scan')} />
        </Notice>
      </>
    );
  const error = saving.error ?? looking.error;
  return (
    <>
      <Head preview={preview} />
      {preview.range && (
        <Notice>
          {t(
            'These figures are sums over a range of days, not a scan at one time. They are only compared with other ranges.',
          )}
        </Notice>
      )}
      {!preview.utf8 && (
        <Notice>{t('The file uses an old text encoding, so names with rare letters may be damaged.')}</Notice>
      )}
      {preview.saved.length > 0 && (
        <Notice>{t('This file is already in your library; saving it again changes nothing.')}</Notice>
      )}
      <Asks preview={preview} choice={choice} error={error} change={change} />
      <Scans preview={preview} />
      <Mapping preview={preview} choice={choice} change={change} />
      <Problems preview={preview} />
      <FirstRows preview={preview} />
      {error && ASKED.every((field) => flawAt(field, error) === null) && (
        <Notice tone="danger" action={looking.error && <Button onClick={() => change({})}>{t('Try again')}</Button>}>
          {messageOf(error)}
        </Notice>
      )}
      <div className={layout.row}>
        <Button look="primary" busy={saving.isPending} disabled={!ready} onClick={() => saving.mutate()}>
          <T of="Save {length}" length={counted(preview.scans.length, 'scan')} />
        </Button>
        <Button onClick={close}>{t('Discard')}</Button>
        {!complete && <span>{t('First fill in the missing details above.')}</span>}
      </div>
    </>
  );
}

/** The tool whose file it is and the game, or the game alone if no tool is known. */
const toolText = (dialect: string, game: string): string =>
  dialect.startsWith(game) ? dialect : `${dialect} · ${game}`;

const Head = ({ preview: { name, dialect, game, lines, remembered } }: { preview: ImportPreview }) => (
  <header className={styles.importHead}>
    <h2>{name}</h2>
    <p>
      {toolText(dialect, GAMES[game].name)} ·{' '}
      {lines.dropped > 0
        ? t('{read} read, {kept} kept, {dropped} excluded', {
            read: counted(lines.read, 'line'),
            kept: exact(lines.kept),
            dropped: exact(lines.dropped),
          })
        : t('{read} read, {kept} kept', { read: counted(lines.read, 'line'), kept: exact(lines.kept) })}
      {remembered && ` · ${t('mapped like your previous file')}`}
    </p>
  </header>
);

/** Fields for what the file does not contain: the kingdom, and the time of the scan or of each stage. */
function Asks({
  preview,
  choice,
  error,
  change,
}: {
  preview: ImportPreview;
  choice: ImportChoice;
  error: unknown;
  change: (part: ImportChoice) => void;
}) {
  const { asks, game } = preview;
  const can = correctable(preview);
  const [correcting, setCorrecting] = useState(false);
  // The field with an unreadable time.
  const [unread, setUnread] = useState<string | null>(null);
  const read = (field: string, text: string): number | null => {
    const moment = parseTime(text);
    setUnread(text !== '' && moment === null ? field : null);
    return moment;
  };
  const flawOf = (field: string) => (unread === field ? capital(words(INVALID_TIME)) : flawAt('captured_at', error));
  const known = typeof choice.captured_at === 'number' ? choice.captured_at : (can?.captured_at ?? null);
  const stages = typeof choice.captured_at === 'object' && choice.captured_at !== null ? choice.captured_at : {};
  if (
    !asks.kingdom &&
    !asks.captured_at &&
    asks.stages.length === 0 &&
    choice.kingdom === undefined &&
    choice.captured_at === undefined &&
    !correcting
  )
    return can ? (
      <div>
        <Button onClick={() => setCorrecting(true)}>
          {can.kingdom !== null
            ? t('Correct the {one} or the time', { one: words(GAMES[game].kingdom.one) })
            : t('Correct the time')}
        </Button>
      </div>
    ) : null;
  return (
    <div className={styles.asks}>
      {(asks.kingdom || choice.kingdom !== undefined || (correcting && can?.kingdom != null)) && (
        <TextField
          label={t('{one} of these rows', { one: words(capital(GAMES[game].kingdom.one)) })}
          type="number"
          min={1}
          max={MAX_KINGDOM}
          defaultValue={choice.kingdom ?? can?.kingdom ?? ''}
          error={flawAt('kingdom', error)}
          onBlur={({ target }) => {
            const kingdom = target.value === '' ? null : Number(target.value);
            // An unchanged value needs no new preview, which could delay the click on Save that caused the blur.
            if (kingdom !== (choice.kingdom ?? can?.kingdom ?? null)) change({ kingdom });
          }}
        />
      )}
      {asks.stages.length > 0
        ? asks.stages.map((stage) => (
            <TextField
              key={stage}
              label={t('“{stage}” scanned at (UTC)', { stage })}
              type="datetime-local"
              defaultValue={stages[stage] === undefined ? '' : timeText(stages[stage])}
              error={flawOf(stage)}
              onBlur={({ target }) => {
                const { [stage]: _, ...others } = stages;
                const at = read(stage, target.value);
                change({ captured_at: at === null ? others : { ...others, [stage]: at } });
              }}
            />
          ))
        : (asks.captured_at || typeof choice.captured_at === 'number' || correcting) && (
            <TextField
              label={t('Scanned at (UTC)')}
              type="datetime-local"
              defaultValue={known === null ? '' : timeText(known)}
              error={flawOf('')}
              onBlur={({ target }) => {
                // An unchanged value keeps the seconds, which the field does not show.
                if (known === null || target.value !== timeText(known)) change({ captured_at: read('', target.value) });
              }}
            />
          )}
    </div>
  );
}

const ASKED = ['kingdom', 'captured_at'] as const;

/** Returns a field's error message from a refusal that starts with its name. */
function flawAt(field: (typeof ASKED)[number], error: unknown): string | null {
  const sentence = error ? messageOf(error) : '';
  return sentence.startsWith(`${field}: `) ? capital(sentence.slice(field.length + 2)) : null;
}

type Scan = ImportPreview['scans'][number];

const Scans = ({ preview }: { preview: ImportPreview }) => {
  const columns: Column<Scan>[] = [
    {
      id: 'kingdom',
      title: capital(GAMES[preview.game].kingdom.one),
      cell: ({ kingdom_id }) => kingdom_id ?? '?',
    },
    {
      id: 'moment',
      title: t('Scanned'),
      grow: true,
      wraps: true,
      cell: ({ captured_at, stage }) =>
        `${captured_at === null ? '?' : dateTime(captured_at)}${stage ? ` · ${stage}` : ''}`,
    },
    { id: 'rows', title: t('Rows'), figures: true, cell: ({ rows }) => exact(rows) },
    { id: 'quality', title: t('Full profiles'), figures: true, cell: ({ quality }) => exact(quality.ok ?? 0) },
    { id: 'state', title: t('State'), cell: ({ scan_id }) => (scan_id ? t('in the library') : t('new')) },
  ];
  return (
    <Table
      label={t('Scans in {name}', { name: preview.name })}
      columns={columns}
      rows={preview.scans}
      rowId={({ kingdom_id, captured_at, stage }) => `${kingdom_id} ${captured_at} ${stage}`}
    />
  );
};

/** Mapping targets that are not columns but contain parts of several. */
const SPECIAL = [
  ['alliance', message('Alliance, as [TAG]Name')],
  ['moment', message('Time of the scan')],
] as const;

/** Maps the file's headers to columns. The server remembers the mapping for files with the same headers. */
function Mapping({
  preview,
  choice,
  change,
}: {
  preview: ImportPreview;
  choice: ImportChoice;
  change: (part: ImportChoice) => void;
}) {
  const { headers, unknown_headers, game } = preview;
  // Initial state: once one header is mapped none counts as unknown, but the user may map others.
  const [unknown] = useState(unknown_headers.length > 0);
  const columns = GAMES[game].columns.filter(({ ours }) => !ours);
  const set = (header: string, column: string | null) =>
    change({ mapping: { ...preview.mapping, ...choice.mapping, [header]: column } });
  return (
    <details open={unknown}>
      <summary>
        {counted(headers.length, 'header')}
        {unknown_headers.length > 0 && ` · ${t('{count} of them not known', { count: exact(unknown_headers.length) })}`}
      </summary>
      <div className={styles.mapping}>
        {headers.map(({ header, column, stage, why }) => (
          <label key={`${stage} ${header}`} className={styles.field} data-unknown={why === 'unknown' || undefined}>
            <span>
              {why === 'double'
                ? t('{name} ({note})', { name: header, note: t('appears twice; the first one counts') })
                : header}
            </span>
            <Select value={column ?? ''} onChange={({ target }) => set(header, target.value || null)}>
              <option value="">{t('ignore')}</option>
              {columns.map(({ key, title }) => (
                <option key={key} value={key}>
                  {words(title)}
                </option>
              ))}
              {SPECIAL.map(([key, title]) => (
                <option key={key} value={key}>
                  {words(title)}
                </option>
              ))}
            </Select>
          </label>
        ))}
      </div>
    </details>
  );
}

const placeOf = ({ sheet, line }: ImportPreview['problems'][number]): string =>
  listed([...(sheet ? [sheet] : []), ...(line === null ? [] : [t('line {line}', { line: exact(line) })])]);

const Problems = ({ preview: { problems, problem_count } }: { preview: ImportPreview }) =>
  problem_count > 0 && (
    <details>
      <summary>
        {counted(problem_count, 'line or cell was not understood', 'lines or cells were not understood')}
      </summary>
      <ul className={styles.problems}>
        {problems.map((problem) => (
          <li key={`${problem.sheet} ${problem.line} ${problem.column} ${problem.reason}`}>
            {placeOf(problem) === '' ? problem.reason : labelled(placeOf(problem), problem.reason)}
          </li>
        ))}
        {problem_count > problems.length && (
          <li>
            <T of="and {exact} more" exact={exact(problem_count - problems.length)} />
          </li>
        )}
      </ul>
    </details>
  );

type Row = ImportPreview['first_rows'][number];

/** The first rows as they will be saved. */
function FirstRows({ preview: { first_rows, game, name } }: { preview: ImportPreview }) {
  const { roles, columns } = GAMES[game];
  const there = columns.filter(({ key }) => first_rows.some((row) => row[key] !== null && row[key] !== undefined));
  const shown: Column<Row>[] = there.map(({ key, title, type, ident }) => ({
    id: key,
    title,
    figures: type !== 'text' && !ident,
    sticky: key === roles.name,
    cell: (row) => cellOf(row[key], type === 'text', ident === true),
  }));
  return (
    <details>
      <summary>{t('First rows')}</summary>
      <Table
        label={t('First rows of {name}', { name })}
        columns={shown}
        rows={first_rows}
        rowId={(row) => String(row[roles.id])}
      />
    </details>
  );
}

function cellOf(value: string | number | null | undefined, isText: boolean, isName: boolean) {
  if (value === null || value === undefined) return <span title={t('Not in the file')}>?</span>;
  if (isText) return <PlayerName name={String(value)} />;
  return isName ? value : exact(Number(value));
}
