import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { rosterChanges, rosterFlaw } from '../../../domain/compare/roster-rules.ts';
import type { GameId } from '../../../domain/games/game-names.ts';
import { t } from '../../../domain/language/text.ts';
import { ApiError, messageOf } from '../../api/client.ts';
import { type Roster, rosterFile, rosterHistoryQuery, rosterQuery, saveRoster } from '../../api/rosters.ts';
import { counted } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { Disclosed } from '../../ui/disclosed.tsx';
import { TextAreaField } from '../../ui/field.tsx';
import layout from '../../ui/layout.module.css';
import { Notice } from '../../ui/notice.tsx';
import { pickedText } from '../../ui/picked-text.ts';
import { T } from '../../ui/text.tsx';
import { Time } from '../../ui/time.tsx';
import { Loaded } from '../loaded.tsx';
import { ChangedMeanwhile, type Difference, Differences } from './changed-meanwhile.tsx';
import { Governor } from './governor-find.tsx';
import type { KnownGovernors } from './known-governors.ts';
import { RosterRows } from './roster-rows.tsx';

/** The kingdom whose roster is edited, and its governors. */
interface Of {
  game: GameId;
  kingdom: string;
  known: KnownGovernors;
}

/**
 * Edits a kingdom's roster: farms and mains, governors who left, and exempt ones. Every comparison of the kingdom uses
 * it.
 */
export function RosterEditor({ game, kingdom, known }: Of) {
  const [open, setOpen] = useState(false);
  const roster = useQuery({ ...rosterQuery(game, kingdom), enabled: open, refetchOnWindowFocus: false });
  return (
    <Disclosed title={t('Roster of {kingdom}: mains, farms, left, exempt', { kingdom })} open={open} change={setOpen}>
      <Loaded query={roster} what={t('the roster')} heights={['10rem']}>
        {(first) => <Editor key={`${game} ${kingdom}`} game={game} kingdom={kingdom} known={known} first={first} />}
      </Loaded>
    </Disclosed>
  );
}

function Editor({ game, kingdom, known, first }: Of & { first: Roster }) {
  const client = useQueryClient();
  /** The version that is edited. */
  const [base, setBase] = useState(first);
  const [entries, setEntries] = useState(first.entries);
  const [other, setOther] = useState<Roster | null>(null);
  const start = (roster: Roster) => {
    setBase(roster);
    setEntries(roster.entries);
    setOther(null);
  };
  const saving = useMutation({
    mutationFn: ({ seen, edited }: { seen: Roster; edited: Roster['entries'] | string }) =>
      saveRoster(game, kingdom, seen, edited),
    onSuccess: async (saved) => {
      start(saved);
      client.setQueryData(rosterQuery(game, kingdom).queryKey, saved);
      await client.invalidateQueries({ queryKey: rosterHistoryQuery(game, kingdom).queryKey });
      await client.invalidateQueries({ queryKey: ['compare'] });
    },
    onError: async (error) => {
      if (error instanceof ApiError && error.status === 409)
        setOther(await client.fetchQuery(rosterQuery(game, kingdom)));
    },
  });
  const flaw = rosterFlaw(entries);
  // A refused csv is saved as it was sent; rows may have been edited since.
  const refused = saving.variables?.edited;
  const mine = typeof refused === 'string' ? refused : entries;
  const isChanged = rosterChanges(base.entries, entries).length > 0;
  const differences = (from: Roster['entries'], to: Roster['entries']) =>
    rosterChanges(from, to).map((change) => differenceOf(change, known));
  return (
    <div className={layout.stack}>
      <RosterRows game={game} known={known} entries={entries} change={setEntries} />
      {other && (
        <ChangedMeanwhile
          what={t('This roster')}
          differences={differences(base.entries, other.entries)}
          saving={saving.isPending}
          keep={() => saving.mutate({ seen: other, edited: mine })}
          take={() => start(other)}
        />
      )}
      {saving.error && !other && <Notice tone="danger">{messageOf(saving.error)}</Notice>}
      {saving.data && !isChanged && (
        <Notice>
          <T of="Saved: {length}." length={counted(saving.data.entries.length, 'governor')} />
        </Notice>
      )}
      <p className={layout.row}>
        <Button
          look="primary"
          busy={saving.isPending}
          disabled={flaw !== null || other !== null}
          onClick={() => saving.mutate({ seen: base, edited: entries })}
        >
          {t('Save the roster')}
        </Button>
        {isChanged && <Button onClick={() => start(base)}>{t('Drop my changes')}</Button>}
        <a href={rosterFile(game, kingdom)} download={`roster_${kingdom}.csv`}>
          {t('csv')}
        </a>
      </p>
      <Pasted kingdom={kingdom} saving={saving.isPending} take={(edited) => saving.mutate({ seen: base, edited })} />
      <History game={game} kingdom={kingdom} known={known} />
    </div>
  );
}

const differenceOf = (
  { governor_id, before, after }: ReturnType<typeof rosterChanges>[number],
  known: KnownGovernors,
): Difference => ({
  key: String(governor_id),
  what: <Governor id={governor_id} known={known} />,
  before,
  after,
});

/** A roster from a spreadsheet. */
function Pasted({ kingdom, saving, take }: { kingdom: string; saving: boolean; take: (csv: string) => void }) {
  const [open, setOpen] = useState(false);
  const [text, setText] = useState('');
  return (
    <Disclosed title={t('Replace it by csv')} open={open} change={setOpen}>
      <div className={layout.stack}>
        <TextAreaField
          label={t('Rows')}
          rows={5}
          value={text}
          help={t(
            'Paste it from a spreadsheet, or choose a file. One governor per line: id, role (main, farm, left or exempt), for a farm its main’s id, and a note.',
          )}
          onChange={({ target }) => setText(target.value)}
        />
        <p className={layout.row}>
          <input
            type="file"
            accept=".csv,.txt"
            aria-label={t('Roster of {kingdom} from a file', { kingdom })}
            onChange={async ({ target }) => {
              const picked = target.files?.[0];
              if (picked) setText(await pickedText(picked));
            }}
          />
          <Button busy={saving} disabled={text.trim() === ''} onClick={() => take(text)}>
            {t('Replace the roster')}
          </Button>
        </p>
      </div>
    </Disclosed>
  );
}

/** Who changed the roster, when and what. */
function History({ game, kingdom, known }: Of) {
  const [open, setOpen] = useState(false);
  const history = useQuery({ ...rosterHistoryQuery(game, kingdom), enabled: open });
  return (
    <Disclosed title={t('History')} open={open} change={setOpen}>
      <Loaded query={history} what={t('the history')} heights={['6rem']}>
        {({ edits }) =>
          edits.length === 0 ? (
            <p className={layout.quiet}>{t('Nobody changed this roster in the last year.')}</p>
          ) : (
            <ol className={layout.stack}>
              {edits.map(({ at, by, count, changes }) => (
                <li key={`${at} ${count}`}>
                  <T
                    of={by === 'user' ? '{time}, by you: {governors}' : '{time}, by an API key of yours: {governors}'}
                    time={<Time at={at} />}
                    governors={counted(count, 'governor')}
                  />
                  <Differences label={t('What changed')} of={changes.map((change) => differenceOf(change, known))} />
                </li>
              ))}
            </ol>
          )
        }
      </Loaded>
    </Disclosed>
  );
}
