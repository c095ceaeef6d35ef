import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { GAME_NAMES } from '../../../../domain/games/game-names.ts';
import { message, t, words } from '../../../../domain/language/text.ts';
import { messageOf } from '../../../api/client.ts';
import { libraryQuery, shareWithTeam, type Team, takeFromTeam } from '../../../api/teams.ts';
import { textOf } from '../../../components/entry-page.tsx';
import { FormCard } from '../../../components/form-card.tsx';
import { Loaded } from '../../../components/loaded.tsx';
import { Nothing, Panel } from '../../../components/panel.tsx';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import layout from '../../../ui/layout.module.css';
import { Notice } from '../../../ui/notice.tsx';
import { T } from '../../../ui/text.tsx';
import { Time } from '../../../ui/time.tsx';
import lists from '../account/-security/lists.module.css';

const KIND = { results: message('Results'), report: message('Report') } as const;

/** Results and reports that members chose to share with the team. */
export function TeamLibrary({ team: { team_id, role } }: { team: Team }) {
  const client = useQueryClient();
  const library = useQuery(libraryQuery(team_id));
  const again = () => client.invalidateQueries({ queryKey: libraryQuery(team_id).queryKey });
  const sharing = useMutation({
    mutationFn: (form: FormData) => shareWithTeam(team_id, textOf(form, 'link')),
    onSuccess: again,
  });
  const taking = useMutation({ mutationFn: (id: string) => takeFromTeam(team_id, id), onSettled: again });
  return (
    <>
      <Panel title={t('Shared library')} about={t('What members chose to share. Each stays until its link ends.')}>
        {taking.error && <Notice tone="danger">{messageOf(taking.error)}</Notice>}
        <Loaded query={library} what={t('the library')} heights={['4rem']}>
          {(links) =>
            links.length === 0 ? (
              <Nothing>
                {t('Nothing is shared yet. Make a link with Share on your results or report, and add it below.')}
              </Nothing>
            ) : (
              <ul className={lists.list}>
                {links.map(({ link_id, kind, game, title, by, yours, expires_at, path }) => (
                  <li key={link_id} className={lists.line}>
                    <div className={lists.words}>
                      <p className={lists.title}>
                        <a href={path}>
                          <bdi>{title}</bdi>
                        </a>
                      </p>
                      <p className={layout.quiet}>
                        <T
                          of="{kind} of {name}, shared by {value} until {time}"
                          kind={words(KIND[kind])}
                          name={GAME_NAMES[game].name}
                          value={yours ? t('you') : by}
                          time={<Time at={expires_at} />}
                        />
                      </p>
                    </div>
                    {(yours || role === 'owner') && (
                      <Button
                        busy={taking.isPending && taking.variables === link_id}
                        onClick={() => taking.mutate(link_id)}
                      >
                        <T of="Take out{span}" span={<span className="visually-hidden"> {title}</span>} />
                      </Button>
                    )}
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
      </Panel>
      <FormCard
        clears
        title={t('Share with the team')}
        action={t('Add to the library')}
        sending={sharing}
        onSubmit={sharing.mutate}
        done={sharing.isSuccess && t('Shared.')}
      >
        <TextField
          label={t('Link')}
          name="link"
          autoComplete="off"
          required
          help={t('The short address of a link that you made with Share. Members open it until it ends.')}
        />
      </FormCard>
    </>
  );
}
