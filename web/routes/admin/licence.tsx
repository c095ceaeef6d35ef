import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { message, t, words } from '../../../domain/language/text.ts';
import {
  discardDraft,
  type Licences,
  type LicenceVersion,
  licencesQuery,
  writeLicence,
} from '../../api/admin-licence.ts';
import { LICENCE_KEY } from '../../api/licenses.ts';
import { textOf } from '../../components/entry-page.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Panel } from '../../components/panel.tsx';
import { LicenceText } from '../../components/texts.tsx';
import { date } from '../../format.ts';
import type { Column } from '../../table/column.ts';
import { Table } from '../../table/table.tsx';
import { TextAreaField, TextField } from '../../ui/field.tsx';
import layout from '../../ui/layout.module.css';
import { Act, saidIn } from './-act.tsx';

export const Route = createFileRoute('/admin/licence')({
  loader: ({ context }) => {
    void context.client.prefetchQuery(licencesQuery);
  },
  component: LicenceDesk,
});

/** A version with what its acts need. */
interface Row extends LicenceVersion {
  all: Licences;
  state: 'draft' | 'planned' | 'now' | 'past';
}

const STATES: Record<Row['state'], string> = {
  draft: message('draft'),
  planned: message('planned'),
  now: message('holds today'),
  past: message('replaced'),
};

function rowsOf(all: Licences): Row[] {
  const stateOf = ({ version, holds_from }: LicenceVersion): Row['state'] => {
    if (version === all.current) return 'now';
    if (version < all.current) return 'past';
    return holds_from === null ? 'draft' : 'planned';
  };
  return all.versions.map((version) => ({ ...version, all, state: stateOf(version) }));
}

function fromOf({ holds_from }: LicenceVersion): string {
  if (holds_from === null) return '–';
  return holds_from === '' ? t('the beginning') : date(holds_from);
}

const COLUMNS: readonly Column<Row>[] = [
  {
    id: 'version',
    title: message('Version'),
    figures: true,
    cell: (row) =>
      row.state === 'draft' ? (
        row.version
      ) : (
        <Link to="/eula" search={{ version: row.version }}>
          {row.version}
        </Link>
      ),
  },
  { id: 'from', title: message('From'), cell: fromOf },
  { id: 'state', title: message('State'), grow: true, cell: ({ state }) => words(STATES[state]) },
];

/** Offers the acts of the newest version. Only a version that does not hold yet can change. */
function Acts({ newest }: { newest: Row }) {
  const { state, version, edits, all } = newest;
  if (state === 'draft')
    return (
      <>
        <Write label={t('Edit')} version={version} edits={edits} text={all.text} />
        <Publish row={newest} />
        <Discard row={newest} />
      </>
    );
  if (state === 'planned') return <Withdraw row={newest} />;
  return <Write label={t('Write a new version')} version={version + 1} edits={0} text={all.text} />;
}

/** Returns `writeLicence`, which then also refetches the licence that everybody reads. */
function useWriteLicence(): (...written: Parameters<typeof writeLicence>) => Promise<void> {
  const client = useQueryClient();
  return async (...written) => {
    await writeLicence(...written);
    void client.invalidateQueries({ queryKey: LICENCE_KEY });
  };
}

/** Writes a draft: a new one if it has no edits. */
function Write({ label, version, edits, text }: { label: string; version: number; edits: number; text: string }) {
  const write = useWriteLicence();
  return (
    <Act
      label={label}
      title={t('Licence, version {version}', { version })}
      about={t('It is a draft that only admins see, until you publish it.')}
      action={t('Save the draft')}
      act={async (form) => {
        await write(version, {
          text: textOf(form, 'text'),
          holds_from: null,
          edits,
          reason: textOf(form, 'reason'),
        });
        return t('Saved.');
      }}
    >
      <LicenceField text={text} />
    </Act>
  );
}

/** The text with a preview. */
function LicenceField({ text }: { text: string }) {
  const [written, setWritten] = useState(text);
  return (
    <>
      <TextAreaField
        label={t('Text')}
        name="text"
        rows={12}
        required
        minLength={100}
        maxLength={40_000}
        help={t('Each line is a paragraph. A line that begins with a number, such as “1. Prices”, is a heading.')}
        value={written}
        onChange={({ target }) => setWritten(target.value)}
      />
      <fieldset className={layout.stack}>
        <legend>{t('Preview')}</legend>
        <LicenceText text={written} />
      </fieldset>
    </>
  );
}

function Publish({ row: { version, edits, all } }: { row: Row }) {
  const write = useWriteLicence();
  return (
    <Act
      label={t('Publish')}
      title={t('Publish version {version}', { version })}
      about={t(
        'Everybody can read it at once. From its day on, in UTC, users have to accept it before their next order. A version that holds cannot be changed or taken back.',
      )}
      proof
      act={async (form) => {
        await write(version, { text: all.text, holds_from: textOf(form, 'holds_from'), edits, ...saidIn(form) });
        return null;
      }}
    >
      <TextField label={t('From')} name="holds_from" type="date" required min={all.today} defaultValue={all.today} />
    </Act>
  );
}

function Withdraw({ row: { version, edits, all } }: { row: Row }) {
  const write = useWriteLicence();
  return (
    <Act
      label={t('Withdraw')}
      title={t('Withdraw version {version}', { version })}
      about={t('It becomes a draft again, and visitors no longer see it.')}
      act={async (form) => {
        await write(version, { text: all.text, holds_from: null, edits, reason: textOf(form, 'reason') });
        return null;
      }}
    />
  );
}

function Discard({ row: { version, edits } }: { row: Row }) {
  return (
    <Act
      label={t('Discard')}
      title={t('Discard the draft of version {version}', { version })}
      about={t('What it changed stays in the activity log alone.')}
      act={async (form) => {
        await discardDraft(version, { edits, reason: textOf(form, 'reason') });
        return null;
      }}
    />
  );
}

function LicenceDesk() {
  const licences = useQuery(licencesQuery);
  return (
    <>
      <title>{t('Licence · Muster')}</title>
      <Panel
        title={t('Versions of the licence')}
        about={t('Users accept the version that holds before they order. Older versions stay readable.')}
      >
        <Loaded query={licences} what={t('the licence')} heights={['12rem']}>
          {(all) => {
            const rows = rowsOf(all);
            const [newest] = rows;
            return (
              <>
                <div className={layout.wrap}>{newest && <Acts newest={newest} />}</div>
                <Table
                  label={t('Versions of the licence')}
                  columns={COLUMNS}
                  rows={rows}
                  rowId={({ version }) => version}
                />
              </>
            );
          }}
        </Loaded>
      </Panel>
    </>
  );
}
