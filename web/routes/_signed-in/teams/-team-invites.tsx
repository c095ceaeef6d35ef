import { useMutation, useQueryClient } from '@tanstack/react-query';
import { labelled, t, words } from '../../../../domain/language/text.ts';
import { INVITE_DAYS, ROLE_WORDS, TEAM_ROLES, type TeamStanding } from '../../../../domain/teams/roles.ts';
import { messageOf } from '../../../api/client.ts';
import { type Invite, makeInvite, revokeInvite, type Team, teamQuery } from '../../../api/teams.ts';
import { textOf } from '../../../components/entry-page.tsx';
import { FormCard } from '../../../components/form-card.tsx';
import { Nothing, Panel } from '../../../components/panel.tsx';
import { inSentence } from '../../../format.ts';
import { Button } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import layout from '../../../ui/layout.module.css';
import { Notice } from '../../../ui/notice.tsx';
import { T } from '../../../ui/text.tsx';
import { Time } from '../../../ui/time.tsx';
import lists from '../account/-security/lists.module.css';

const labelOf = (role: TeamStanding): string => words(ROLE_WORDS[role].label);

/** The owner's invite links. */
export function TeamInvites({ team: { team_id, invites } }: { team: Team }) {
  const client = useQueryClient();
  const again = () => client.invalidateQueries({ queryKey: teamQuery(team_id).queryKey });
  const making = useMutation({
    mutationFn: (form: FormData) => {
      const role = TEAM_ROLES.find((each) => labelOf(each) === textOf(form, 'role')) ?? 'viewer';
      return makeInvite(team_id, role, Number(textOf(form, 'days')));
    },
    onSettled: again,
  });
  const revoking = useMutation({ mutationFn: (id: string) => revokeInvite(team_id, id), onSettled: again });
  return (
    <>
      <Panel title={t('Open invites')} about={t('Each link lets one person in. Send it to them yourself.')}>
        {revoking.error && <Notice tone="danger">{messageOf(revoking.error)}</Notice>}
        {invites.length === 0 ? (
          <Nothing>{t('No invite is open. Make one below.')}</Nothing>
        ) : (
          <ul className={lists.list}>
            {invites.map((invite) => (
              <InviteLine
                key={invite.invite_id}
                invite={invite}
                busy={revoking.isPending && revoking.variables === invite.invite_id}
                onRevoke={() => revoking.mutate(invite.invite_id)}
              />
            ))}
          </ul>
        )}
      </Panel>
      <FormCard title={t('New invite')} action={t('Make the link')} sending={making} onSubmit={making.mutate}>
        <SelectField
          label={t('Role')}
          name="role"
          options={TEAM_ROLES.map(labelOf)}
          help={TEAM_ROLES.map((role) => labelled(labelOf(role), words(ROLE_WORDS[role].help))).join(' ')}
        />
        <TextField
          label={t('Days that it works')}
          name="days"
          type="number"
          min={1}
          max={30}
          defaultValue={INVITE_DAYS}
          required
        />
      </FormCard>
    </>
  );
}

function InviteLine({ invite, busy, onRevoke }: { invite: Invite; busy: boolean; onRevoke: () => void }) {
  const address = new URL(invite.path, location.origin).href;
  return (
    <li className={lists.line}>
      <div className={lists.words}>
        <p className={lists.title}>
          {labelOf(invite.role)}
          <span className={layout.quiet}>
            <T of="until {time}" time={<Time at={invite.expires_at} />} />
          </span>
        </p>
        <p className={lists.key}>{address}</p>
      </div>
      <div className={layout.row}>
        <CopyButton text={address} what={t('the invite link')} />
        <Button busy={busy} onClick={onRevoke}>
          <T
            of="Revoke<span> the {role} invite</span>"
            role={inSentence(labelOf(invite.role))}
            span={(text) => <span className="visually-hidden">{text}</span>}
          />
        </Button>
      </div>
    </li>
  );
}
