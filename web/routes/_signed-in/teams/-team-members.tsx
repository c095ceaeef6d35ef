import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { t, words } from '../../../../domain/language/text.ts';
import { ROLE_WORDS, type TeamStanding } from '../../../../domain/teams/roles.ts';
import { messageOf } from '../../../api/client.ts';
import { editMember, endMember, type Member, type Team, teamQuery, teamsQuery } from '../../../api/teams.ts';
import { Confirmation } from '../../../components/confirmation.tsx';
import { Panel } from '../../../components/panel.tsx';
import { counted } from '../../../format.ts';
import { Button } from '../../../ui/button.tsx';
import layout from '../../../ui/layout.module.css';
import { Notice } from '../../../ui/notice.tsx';
import { T } from '../../../ui/text.tsx';
import { Time } from '../../../ui/time.tsx';
import lists from '../account/-security/lists.module.css';

/** What the owner asks to be done with a member, before it is confirmed. */
interface Asked {
  member: Member;
  act: 'remove' | 'hand over';
}

/** The members. The owner changes roles, removes members and hands the team over. */
export function TeamMembers({ team: { team_id, role, members } }: { team: Team }) {
  const client = useQueryClient();
  const [asked, setAsked] = useState<Asked | null>(null);
  const again = () =>
    Promise.all([
      client.invalidateQueries({ queryKey: teamQuery(team_id).queryKey }),
      client.invalidateQueries({ queryKey: teamsQuery.queryKey, exact: true }),
    ]);
  const changing = useMutation({
    mutationFn: ({ member, to }: { member: Member; to: TeamStanding }) => editMember(team_id, member.user_id, to),
    onSettled: again,
  });
  const confirmed = useMutation<unknown, Error, void>({
    mutationFn: async () => {
      if (asked?.act === 'remove') await endMember(team_id, asked.member.user_id);
      else if (asked) await editMember(team_id, asked.member.user_id, 'owner');
    },
    onSettled: again,
  });
  const ask = (next: Asked) => {
    confirmed.reset();
    setAsked(next);
  };
  return (
    <Panel title={t('Members')} about={counted(members.length, 'member')}>
      {changing.error && <Notice tone="danger">{messageOf(changing.error)}</Notice>}
      <ul className={lists.list}>
        {members.map((member) => (
          <li key={member.user_id} className={lists.line}>
            <div className={lists.words}>
              <p className={lists.title}>
                {member.username}
                {member.you && t(' (you)')}
                <span className={lists.badge}>{words(ROLE_WORDS[member.role].label)}</span>
              </p>
              <p className={layout.quiet}>
                <T of="since {time}" time={<Time at={member.joined_at} />} />
              </p>
            </div>
            {role === 'owner' && !member.you && (
              <div className={layout.row}>
                <Button
                  busy={changing.isPending && changing.variables.member.user_id === member.user_id}
                  onClick={() => changing.mutate({ member, to: member.role === 'leader' ? 'viewer' : 'leader' })}
                >
                  {member.role === 'leader' ? t('Make viewer') : t('Make leader')}
                  <span className="visually-hidden">
                    {' '}
                    <T of="of {username}" username={member.username} />
                  </span>
                </Button>
                <Button onClick={() => ask({ member, act: 'hand over' })}>
                  <T
                    of="Hand over<span> to {username}</span>"
                    username={member.username}
                    span={(text) => <span className="visually-hidden">{text}</span>}
                  />
                </Button>
                <Button onClick={() => ask({ member, act: 'remove' })}>
                  <T
                    of="Remove<span> {username}</span>"
                    username={member.username}
                    span={(text) => <span className="visually-hidden">{text}</span>}
                  />
                </Button>
              </div>
            )}
          </li>
        ))}
      </ul>
      {asked && (
        <Confirmation
          title={
            asked.act === 'remove'
              ? t('Remove {username}?', { username: asked.member.username })
              : t('Hand over to {username}?', { username: asked.member.username })
          }
          action={asked.act === 'remove' ? t('Remove') : t('Hand over')}
          doing={confirmed}
          close={() => setAsked(null)}
        >
          {asked.act === 'remove'
            ? t('They no longer see the team or its orders, except those that they placed.')
            : t('They own the team and its balance from now on, and only they can give it back. You stay as a leader.')}
        </Confirmation>
      )}
    </Panel>
  );
}
