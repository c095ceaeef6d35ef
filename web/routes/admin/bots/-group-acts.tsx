import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { actOnGroup, groupsQuery, makeGroup, replaceToken } from '../../../api/admin-fleet.ts';
import { textOf } from '../../../components/entry-page.tsx';
import { counted } from '../../../format.ts';
import { TextField } from '../../../ui/field.tsx';
import layout from '../../../ui/layout.module.css';
import { Notice } from '../../../ui/notice.tsx';
import { Act } from '../-act.tsx';

interface Made {
  group_id: string;
  token: string;
}

/** A new token, shown until the page is left. */
const Token = ({ group_id, token }: Made) => (
  <Notice>
    The token of {group_id} is shown only now: <code>{token}</code>
  </Notice>
);

/** All groups, with what can be done with each. */
export function Groups() {
  const groups = useQuery(groupsQuery).data ?? [];
  const [made, setMade] = useState<Made | null>(null);
  return (
    <>
      {made && <Token {...made} />}
      <ul className={layout.stack}>
        {groups.map(({ group_id, name, bot_count, online_count, paused_at, revoked_at }) => (
          <li key={group_id} className={layout.row}>
            <strong>{name}</strong>
            <span className={layout.quiet}>
              {group_id} · {counted(bot_count, 'bot')}, {online_count} online
              {revoked_at !== null ? ' · retired' : paused_at !== null ? ' · paused' : ''}
            </span>
            <Act
              label={paused_at === null ? 'Pause' : 'Resume'}
              title={`${paused_at === null ? 'Pause' : 'Resume'} the group ${name}`}
              about={
                paused_at === null
                  ? 'Its bots finish what they hold and get no more work until the group is resumed.'
                  : 'Its bots get work again.'
              }
              disabled={revoked_at !== null}
              act={async (form) =>
                (await actOnGroup(group_id, paused_at === null ? 'pause' : 'resume', textOf(form, 'reason'))).msg
              }
            />
            <Act
              label="New token"
              title={`Replace the token of ${name}`}
              about="The present token stops working within ten seconds. A retired group works again with the new one."
              proof
              act={async (form) => {
                const said = { reason: textOf(form, 'reason'), code: textOf(form, 'code') || undefined };
                setMade(await replaceToken(group_id, said));
                return null;
              }}
            />
            <Act
              label="Retire"
              title={`Retire the group ${name}`}
              about="Its token is refused, and what its bots hold goes to others."
              disabled={revoked_at !== null}
              act={async (form) => (await actOnGroup(group_id, 'retire', textOf(form, 'reason'))).msg}
            />
          </li>
        ))}
      </ul>
      <div>
        <Act
          label="New group"
          title="Make a group of bots"
          about="Its bots sign in with a token that is shown once."
          action="Make the group"
          act={async (form) => {
            const [group_id, name, reason] = ['group_id', 'name', 'reason'].map((field) => textOf(form, field));
            setMade(await makeGroup({ group_id: group_id ?? '', name: name ?? '', reason: reason ?? '' }));
            return null;
          }}
        >
          <TextField
            label="Id"
            name="group_id"
            autoComplete="off"
            required
            maxLength={31}
            help="Small letters, digits and dashes."
          />
          <TextField label="Name" name="name" autoComplete="off" required maxLength={60} />
        </Act>
      </div>
    </>
  );
}
