import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { GAME_NAMES } from '../../../../domain/games/game-names.ts';
import { listed, t, words } from '../../../../domain/language/text.ts';
import { SCAN_DIALECTS, SCAN_FILE_TYPES, type ScanDialect } from '../../../../domain/scans/files.ts';
import { messageOf } from '../../../api/client.ts';
import { deleteScan, type LibraryScan, labelScan, scanFile, scanQuery } from '../../../api/scans.ts';
import { textOf } from '../../../components/entry-page.tsx';
import { Loaded } from '../../../components/loaded.tsx';
import { capital, counted, date, ownTime } from '../../../format.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { TextAreaField, TextField } from '../../../ui/field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Select } from '../../../ui/select.tsx';
import styles from './-scans.module.css';

/** Returns a scan's name, or its kingdom. */
export const scanTitle = ({ name, game, kingdom_id }: LibraryScan): string =>
  name || `${words(capital(GAME_NAMES[game].kingdom.one))} ${kingdom_id}`;

const DIALECT_NAMES: Readonly<Record<ScanDialect, string>> = {
  muster: 'Muster',
  'hero-scrolls': 'Hero Scrolls',
  'roktracker-v4': 'RokTracker v4',
  'roktracker-v6': 'RokTracker v6',
};

/** Details of a scan: name, tags and note, downloads and deletion. */
export function ScanDialog({ scan, close }: { scan: LibraryScan; close: () => void }) {
  const client = useQueryClient();
  const changed = () => client.invalidateQueries({ queryKey: ['scans'] });
  const labelling = useMutation({
    mutationFn: (form: FormData) =>
      labelScan(scan.scan_id, {
        name: textOf(form, 'name'),
        tags: textOf(form, 'tags')
          .split(/[,，、،]/)
          .map((tag) => tag.trim())
          .filter(Boolean),
        note: textOf(form, 'note'),
      }),
    onSuccess: changed,
  });
  return (
    <Dialog title={scanTitle(scan)} close={close}>
      <p>
        {listed([
          scan.range_from === null
            ? t('Scanned {captured_at}', { captured_at: ownTime(scan.captured_at) })
            : t('{from} to {to}', { from: date(scan.range_from), to: date(scan.captured_at) }),
          counted(scan.rows, 'row'),
          counted(scan.quality.ok ?? 0, 'full profile'),
          ...(scan.expires_at === null ? [] : [t('kept until {day}', { day: date(scan.expires_at) })]),
        ])}
      </p>
      <form
        className={styles.imports}
        onSubmit={(event) => {
          event.preventDefault();
          labelling.mutate(new FormData(event.currentTarget), { onSuccess: close });
        }}
      >
        <TextField
          label={t('Name')}
          name="name"
          defaultValue={scan.name}
          maxLength={100}
          placeholder={scanTitle(scan)}
        />
        <TextField label={t('Tags')} name="tags" defaultValue={scan.tags.join(', ')} help={t('Separated by commas.')} />
        <TextAreaField label={t('Note')} name="note" defaultValue={scan.note} rows={2} maxLength={2000} />
        {labelling.error && <Notice tone="danger">{messageOf(labelling.error)}</Notice>}
        <DialogActions>
          <Button look="plain" type="button" onClick={close}>
            {t('Close')}
          </Button>
          <Button look="primary" type="submit" busy={labelling.isPending}>
            {t('Save')}
          </Button>
        </DialogActions>
      </form>
      <Files scan={scan} />
      {scan.origin === 'imported' && <Removal scan={scan} gone={changed} close={close} />}
    </Dialog>
  );
}

function Files({ scan }: { scan: LibraryScan }) {
  const [dialect, setDialect] = useState<ScanDialect>('muster');
  return (
    <div className={styles.asks}>
      <label className={styles.field}>
        {t('Download in the columns of')}
        <Select value={dialect} onChange={({ target }) => setDialect(target.value as ScanDialect)}>
          {SCAN_DIALECTS.map((each) => (
            <option key={each} value={each}>
              {DIALECT_NAMES[each]}
            </option>
          ))}
        </Select>
      </label>
      <p className={styles.sides}>
        {SCAN_FILE_TYPES.map((type) => (
          <a
            key={type}
            href={scanFile(scan.scan_id, type, dialect)}
            download={`${scan.kingdom_id}_${new Date(scan.captured_at).toISOString().slice(0, 10)}.${type}`}
          >
            {type}
          </a>
        ))}
      </p>
    </div>
  );
}

/** Confirms the deletion of a scan and lists what depends on it. */
function Removal({ scan, gone, close }: { scan: LibraryScan; gone: () => Promise<void>; close: () => void }) {
  const [asked, setAsked] = useState(false);
  const details = useQuery({ ...scanQuery(scan.scan_id), enabled: asked });
  const removing = useMutation({ mutationFn: () => deleteScan(scan.scan_id, true), onSuccess: gone });
  if (!asked) return <Button onClick={() => setAsked(true)}>{t('Delete this scan…')}</Button>;
  return (
    <Loaded query={details} what={t('what was made from it')} heights={['3rem']}>
      {({ hangs: { reports, fights } }) => (
        <Notice
          tone="danger"
          action={
            <Button busy={removing.isPending} onClick={() => removing.mutate(undefined, { onSuccess: close })}>
              {t('Delete for good')}
            </Button>
          }
        >
          {reports.length + fights.length === 0
            ? t('Nothing is made from this scan yet. It cannot be brought back.')
            : t('This also deletes {value}. None of it can be brought back.', {
                value: listed([...reports, ...fights].map(({ name }) => `“${name}”`)),
              })}
          {removing.error && ` ${messageOf(removing.error)}`}
        </Notice>
      )}
    </Loaded>
  );
}
