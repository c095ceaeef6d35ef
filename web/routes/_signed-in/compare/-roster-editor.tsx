import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { GameId } from '../../../../domain/games/game-names.ts';
import { messageOf } from '../../../api/client.ts';
import { rosterFile, rosterQuery, saveRoster } from '../../../api/compare.ts';
import { Loaded } from '../../../components/loaded.tsx';
import { counted } from '../../../format.ts';
import { Button } from '../../../ui/button.tsx';
import { Disclosed } from '../../../ui/disclosed.tsx';
import { TextAreaField } from '../../../ui/field.tsx';
import layout from '../../../ui/layout.module.css';
import { Notice } from '../../../ui/notice.tsx';

/**
 * Edits a kingdom's roster: farms and mains, governors who left, and exempt ones. Every comparison of the kingdom uses
 * it.
 */
export function RosterEditor({ game, kingdom }: { game: GameId; kingdom: string }) {
  const [open, setOpen] = useState(false);
  const roster = useQuery({ ...rosterQuery(game, kingdom), enabled: open });
  return (
    <Disclosed title={`Roster of ${kingdom}: mains, farms, left, exempt`} open={open} change={setOpen}>
      <Loaded query={roster} what="the roster" heights={['10rem']}>
        {(csv) => <Editor game={game} kingdom={kingdom} first={csv} />}
      </Loaded>
    </Disclosed>
  );
}

function Editor({ game, kingdom, first }: { game: GameId; kingdom: string; first: string }) {
  const [text, setText] = useState(first);
  const client = useQueryClient();
  const saving = useMutation({
    mutationFn: () => saveRoster(game, kingdom, text),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: rosterQuery(game, kingdom).queryKey });
      await client.invalidateQueries({ queryKey: ['compare'] });
    },
  });
  return (
    <>
      <TextAreaField
        label="Roster"
        rows={6}
        value={text}
        help="One per line: id, role (main, farm, left or exempt), for a farm its main’s id, and a note. Paste it from a spreadsheet, or choose a csv file below."
        error={saving.error ? messageOf(saving.error) : null}
        onChange={({ target }) => setText(target.value)}
      />
      {saving.data && <Notice>Saved: {counted(saving.data.entries.length, 'line')}.</Notice>}
      <p className={layout.row}>
        <Button look="primary" busy={saving.isPending} onClick={() => saving.mutate()}>
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
        <a href={rosterFile(game, kingdom)} download={`roster_${kingdom}.csv`}>
          csv
        </a>
      </p>
    </>
  );
}
