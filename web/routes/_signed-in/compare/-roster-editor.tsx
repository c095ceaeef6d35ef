import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { GameId } from '../../../../domain/games/game-names.ts';
import { messageOf } from '../../../api/client.ts';
import { rosterQuery, saveRoster } from '../../../api/compare.ts';
import { LineFlaw } from '../../../components/difference/lines.ts';
import { Loaded } from '../../../components/loaded.tsx';
import { counted } from '../../../format.ts';
import { Button } from '../../../ui/button.tsx';
import { Disclosed } from '../../../ui/disclosed.tsx';
import { TextAreaField } from '../../../ui/field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import styles from './-compare.module.css';
import { rosterOf, rosterText } from './-roster-text.ts';

/** Who is whose farm, who left and who is exempt in a kingdom: kept for every comparison of it. */
export function RosterEditor({ game, kingdom }: { game: GameId; kingdom: string }) {
  const [open, setOpen] = useState(false);
  const roster = useQuery({ ...rosterQuery(game, kingdom), enabled: open });
  return (
    <Disclosed title={`Roster of ${kingdom}: mains, farms, left, exempt`} open={open} change={setOpen}>
      <Loaded query={roster} what="the roster" heights={['10rem']}>
        {({ entries }) => <Editor key={entries.length} game={game} kingdom={kingdom} first={rosterText(entries)} />}
      </Loaded>
    </Disclosed>
  );
}

function Editor({ game, kingdom, first }: { game: GameId; kingdom: string; first: string }) {
  const [text, setText] = useState(first);
  const [flaw, setFlaw] = useState<string | null>(null);
  const client = useQueryClient();
  const saving = useMutation({
    mutationFn: (entries: ReturnType<typeof rosterOf>) => saveRoster(game, kingdom, entries),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['roster', game, kingdom] });
      await client.invalidateQueries({ queryKey: ['compare'] });
    },
  });
  const save = () => {
    try {
      setFlaw(null);
      saving.mutate(rosterOf(text));
    } catch (error) {
      if (!(error instanceof LineFlaw)) throw error;
      setFlaw(error.message);
    }
  };
  const file = `data:text/csv;charset=utf-8,${encodeURIComponent(text)}`;
  return (
    <>
      <TextAreaField
        label="Roster"
        rows={6}
        value={text}
        help="A line each: id, role (main, farm, left or exempt), for a farm its main’s id, and a note. Paste it from a spreadsheet, or choose a csv file below."
        error={flaw}
        onChange={({ target }) => setText(target.value)}
      />
      {saving.error && <Notice tone="danger">{messageOf(saving.error)}</Notice>}
      {saving.data && <Notice>Saved: {counted(saving.data.entries.length, 'line')}.</Notice>}
      <p className={styles.files}>
        <Button look="primary" busy={saving.isPending} onClick={save}>
          Save the roster
        </Button>
        <input
          type="file"
          accept=".csv,.txt"
          aria-label={`Roster of ${kingdom} from a file`}
          onChange={async ({ target }) => {
            const picked = target.files?.[0];
            if (picked) setText(await picked.text());
          }}
        />
        <a href={file} download={`roster_${kingdom}.csv`}>
          csv
        </a>
      </p>
    </>
  );
}
