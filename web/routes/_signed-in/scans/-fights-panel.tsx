import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { listed, t } from '../../../../domain/language/text.ts';
import { deleteFight, type Fight, fightsQuery } from '../../../api/compare.ts';
import { Confirmation } from '../../../components/confirmation.tsx';
import { Moments } from '../../../components/difference/made-from.tsx';
import { Loaded } from '../../../components/loaded.tsx';
import { Nothing, Panel } from '../../../components/panel.tsx';
import { counted } from '../../../format.ts';
import type { Column } from '../../../table/column.ts';
import { Table } from '../../../table/table.tsx';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { T } from '../../../ui/text.tsx';
import styles from './-scans.module.css';
import { idsIn, type ScansSearch, toggled } from './-scans-search.ts';

const kingdomsOf = ({ from, to }: Fight): string =>
  listed([...new Set([...from, ...to].map(({ kingdom_id }) => kingdom_id))].sort((a, b) => a - b));

/** Named fights, which can be added up within one game. */
export function FightsPanel({ search, change }: { search: ScansSearch; change: (part: Partial<ScansSearch>) => void }) {
  const fights = useQuery(fightsQuery);
  const [toDelete, setToDelete] = useState<Fight | null>(null);
  const all = fights.data?.fights ?? [];
  const chosen = all.filter(({ fight_id }) => idsIn(search.fights).includes(fight_id));
  const game = chosen[0]?.game;
  const columns: Column<Fight>[] = [
    {
      id: 'name',
      title: t('Name'),
      grow: true,
      sticky: true,
      cell: ({ fight_id, name, game: of }) => (
        <label className={styles.fight}>
          <input
            type="checkbox"
            checked={idsIn(search.fights).includes(fight_id)}
            disabled={game !== undefined && of !== game}
            onChange={() => change({ fights: toggled(search.fights, fight_id) })}
          />
          {name}
        </label>
      ),
    },
    { id: 'kingdoms', title: t('Kingdoms'), cell: kingdomsOf },
    { id: 'from', title: t('From'), cell: ({ from }) => <Moments side={from} /> },
    { id: 'to', title: t('To'), cell: ({ to }) => <Moments side={to} /> },
    {
      id: 'delete',
      title: t('Delete'),
      cell: (fight) => (
        <Button onClick={() => setToDelete(fight)}>
          <T
            of="Delete<span> the fight {name}</span>"
            name={fight.name}
            span={(text) => <span className="visually-hidden">{text}</span>}
          />
        </Button>
      ),
    },
  ];
  return (
    <Panel title={t('Fights')} about={t('Named ranges. Choose several to score their total.')}>
      <Loaded query={fights} what={t('the fights')} heights={['6rem']}>
        {() =>
          all.length === 0 ? (
            <Nothing>{t('None yet. Compare two scans and choose “Save as a fight”.')}</Nothing>
          ) : (
            <Table label={t('Fights')} columns={columns} rows={all} rowId={({ fight_id }) => fight_id} />
          )
        }
      </Loaded>
      {chosen.length > 0 && (
        <p>
          <Link
            to="/compare"
            search={{ fights: chosen.map(({ fight_id }) => fight_id).join() }}
            className={buttonClass('primary')}
          >
            <T of="Score {length}" length={counted(chosen.length, 'fight')} />
          </Link>
        </p>
      )}
      {toDelete && (
        <Removal
          fight={toDelete}
          close={() => setToDelete(null)}
          gone={() =>
            idsIn(search.fights).includes(toDelete.fight_id) &&
            change({ fights: toggled(search.fights, toDelete.fight_id) })
          }
        />
      )}
    </Panel>
  );
}

function Removal({
  fight: { fight_id, name },
  close,
  gone,
}: {
  fight: Fight;
  close: () => void;
  /** Called after deletion. */
  gone: () => void;
}) {
  const client = useQueryClient();
  const removing = useMutation({
    mutationFn: () => deleteFight(fight_id),
    onSuccess: async () => {
      gone();
      await client.invalidateQueries({ queryKey: fightsQuery.queryKey });
    },
  });
  return (
    <Confirmation title={t('Delete “{name}”?', { name })} action={t('Delete')} doing={removing} close={close}>
      {t('The scans stay in your library, and reports made from it stay as they are.')}
    </Confirmation>
  );
}
