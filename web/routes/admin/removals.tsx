import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import { GAME_NAMES } from '../../../domain/games/game-names.ts';
import { messageOf } from '../../api/client.ts';
import { decideRemoval, type Removal, removalsQuery } from '../../api/removals.ts';
import { Card } from '../../components/form-card.tsx';
import { GovernorLink } from '../../components/links.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Nothing } from '../../components/panel.tsx';
import { capital } from '../../format.ts';
import { flag, searchReader } from '../../search-params.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import layout from '../../ui/layout.module.css';
import { Notice } from '../../ui/notice.tsx';
import { Time } from '../../ui/time.tsx';
import styles from './reports.module.css';

/** With `all`, decided requests too. */
const removalsSearch = searchReader({ all: flag });

export const Route = createFileRoute('/admin/removals')({
  validateSearch: removalsSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => {
    void context.client.prefetchQuery(removalsQuery(!deps.all));
  },
  component: Removals,
});

function Removals() {
  const { all } = Route.useSearch();
  const removals = useQuery(removalsQuery(!all));
  return (
    <>
      <title>Removals · Muster</title>
      <p className={styles.choice}>
        <span>
          {all ? 'Open and decided requests, the newest 100.' : 'Requests that wait for a code or a decision.'}
        </span>
        <Link to="/admin/removals" search={all ? {} : { all: true }} className={buttonClass()}>
          {all ? 'Only open ones' : 'Decided ones too'}
        </Link>
      </p>
      <Loaded query={removals} what="the requests" heights={['16rem']}>
        {(listed) => (
          <>
            {listed.length === 0 && (
              <Nothing>{all ? 'Nobody has asked for removal.' : 'No request waits for a decision.'}</Nothing>
            )}
            {listed.map((removal) => (
              <Request key={removal.removal_id} removal={removal} />
            ))}
          </>
        )}
      </Loaded>
    </>
  );
}

const STATES = { open: 'Waits for the code', accepted: 'Accepted', refused: 'Refused' } as const;

function Request({ removal }: { removal: Removal }) {
  const { removal_id, game, governor_id, name, code, note, state, created_at, decided_at, decided_by } = removal;
  const client = useQueryClient();
  const deciding = useMutation({
    mutationFn: (decision: 'accepted' | 'refused') => decideRemoval(removal_id, decision),
    onSuccess: () => client.invalidateQueries({ queryKey: ['admin', 'removals'] }),
  });
  const { governor, name: gameName } = GAME_NAMES[game];
  const button = (decision: 'accepted' | 'refused', label: string) =>
    state !== decision && (
      <Button busy={deciding.isPending} onClick={() => !deciding.isPending && deciding.mutate(decision)}>
        {label}
      </Button>
    );
  return (
    <Card
      title={`${capital(governor.one)} ${governor_id}, ${gameName}`}
      about={
        <p className={layout.quiet}>
          <GovernorLink game={game} id={governor_id} name={name} /> · asked <Time at={created_at} /> · code {code}
        </p>
      }
    >
      {note && <blockquote className={styles.words}>{note}</blockquote>}
      <p>
        {STATES[state]}
        {decided_at && (
          <>
            {' '}
            <Time at={decided_at} />, {decided_by === 'code' ? 'by the code' : 'by an admin'}
          </>
        )}
      </p>
      {deciding.isError && <Notice tone="danger">{messageOf(deciding.error)}</Notice>}
      <p className={layout.wrap}>
        {button('accepted', 'Accept')}
        {button('refused', state === 'accepted' ? 'Show again' : 'Refuse')}
      </p>
    </Card>
  );
}
