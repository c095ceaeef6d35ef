import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../../../../domain/language/text.ts';
import { actOnGroup, groupsQuery, makeGroup, replaceToken } from '../../../api/admin-fleet.ts';
import { textOf } from '../../../components/entry-page.tsx';
import { Loaded } from '../../../components/loaded.tsx';
import { counted } from '../../../format.ts';
import { TextField } from '../../../ui/field.tsx';
import layout from '../../../ui/layout.module.css';
import { Notice } from '../../../ui/notice.tsx';
import { T } from '../../../ui/text.tsx';
import { Act, saidIn } from '../-act.tsx';

interface Made {
  group_id: string;
  token: string;
}

/** A new token, shown until the page is left. */
const Token = ({ group_id, token }: Made) => (
  <Notice>
    <T of="The token of {group_id} is shown only now: {code}" group_id={group_id} code={<code>{token}</code>} />
  </Notice>
);

/** All groups, with what can be done with each. */
export function Groups() {
  const groups = useQuery(groupsQuery);
  const [made, setMade] = useState<Made | null>(null);
  return (
    <>
      {made && <Token {...made} />}
      <Loaded query={groups} what={t('the groups')} heights={['8rem']}>
        {(all) => (
          <ul className={layout.stack}>
            {all.map(({ group_id, name, bot_count, online_count, paused_at, revoked_at }) => (
              <li key={group_id} className={layout.row}>
                <strong>{name}</strong>
                <span className={layout.quiet}>
                  {group_id} · {t('{bots}, {online} online', { bots: counted(bot_count, 'bot'), online: online_count })}
                  {revoked_at !== null ? ` · ${t('retired')}` : paused_at !== null ? ` · ${t('paused')}` : ''}
                </span>
                <Act
                  label={paused_at === null ? t('Pause') : t('Resume')}
                  title={
                    paused_at === null ? t('Pause the group {name}', { name }) : t('Resume the group {name}', { name })
                  }
                  about={
                    paused_at === null
                      ? t('Its bots finish what they hold and get no more work until the group is resumed.')
                      : t('Its bots get work again.')
                  }
                  disabled={revoked_at !== null}
                  act={async (form) =>
                    (await actOnGroup(group_id, paused_at === null ? 'pause' : 'resume', textOf(form, 'reason'))).msg
                  }
                />
                <Act
                  label={t('New token')}
                  title={t('Replace the token of {name}', { name })}
                  about={t(
                    'The present token stops working within ten seconds. A retired group works again with the new one.',
                  )}
                  proof
                  act={async (form) => {
                    setMade(await replaceToken(group_id, saidIn(form)));
                    return null;
                  }}
                />
                <Act
                  label={t('Retire')}
                  title={t('Retire the group {name}', { name })}
                  about={t('Its token is refused, and what its bots hold goes to others.')}
                  disabled={revoked_at !== null}
                  act={async (form) => (await actOnGroup(group_id, 'retire', textOf(form, 'reason'))).msg}
                />
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      <div>
        <Act
          label={t('New group')}
          title={t('Make a group of bots')}
          about={t('Its bots sign in with a token that is shown once.')}
          action={t('Make the group')}
          act={async (form) => {
            const [group_id, name, reason] = ['group_id', 'name', 'reason'].map((field) => textOf(form, field));
            setMade(await makeGroup({ group_id: group_id ?? '', name: name ?? '', reason: reason ?? '' }));
            return null;
          }}
        >
          <TextField
            label={t('Id')}
            name="group_id"
            autoComplete="off"
            required
            maxLength={31}
            help={t('Small letters, digits and dashes.')}
          />
          <TextField label={t('Name')} name="name" autoComplete="off" required maxLength={60} />
        </Act>
      </div>
    </>
  );
}
