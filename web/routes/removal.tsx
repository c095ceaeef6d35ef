import { useMutation } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import { GAME_IDS, GAME_NAMES, type GameId } from '../../domain/games/game-names.ts';
import { t, words } from '../../domain/language/text.ts';
import { type Asked, askRemoval } from '../api/removals.ts';
import { textOf } from '../components/entry-page.tsx';
import { Card, Cards, FormCard } from '../components/form-card.tsx';
import { Page } from '../components/page.tsx';
import { capital, nameOr } from '../format.ts';
import { otherGame, searchReader, wholeFrom } from '../search-params.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { SelectField, TextAreaField, TextField } from '../ui/field.tsx';
import { PlayerName } from '../ui/player-name.tsx';
import { T } from '../ui/text.tsx';
import { Time } from '../ui/time.tsx';

export const Route = createFileRoute('/removal')({
  validateSearch: searchReader({ game: otherGame, id: wholeFrom(1) }),
  component: RemovalPage,
});

/** Form of a player who does not want to be shown on public pages. */
function RemovalPage() {
  const { game = 'rok', id } = Route.useSearch();
  const asking = useMutation({
    mutationFn: (form: FormData) =>
      askRemoval({
        game: textOf(form, 'game') as GameId,
        governor_id: Number(textOf(form, 'governor_id')),
        note: textOf(form, 'note'),
      }),
  });
  return (
    <Page
      title={t('Removal from public pages')}
      about={
        <p>
          {t(
            'For players who do not want a public page. Your page and your search entry go, and the boards no longer name you. Your figures stay in the sums of your alliance and kingdom. Customers still find you in the scans that they bought.',
          )}
        </p>
      }
    >
      <Cards>
        <FormCard
          title={t('Ask for removal')}
          action={t('Ask')}
          look="primary"
          sending={asking}
          onSubmit={asking.mutate}
        >
          <SelectField
            label={t('Game')}
            name="game"
            options={GAME_IDS}
            shown={(each) => GAME_NAMES[each].name}
            defaultValue={game}
          />
          <TextField
            label={t('Your id in the game')}
            name="governor_id"
            inputMode="numeric"
            pattern="[0-9]{1,15}"
            title={t('The number in your profile')}
            autoComplete="off"
            required
            defaultValue={id}
          />
          <TextAreaField
            label={t('Note (optional)')}
            name="note"
            rows={3}
            maxLength={500}
            help={t(
              'If you cannot change your name: say how we can tell that you are the player, and how to reach you.',
            )}
          />
        </FormCard>
        {asking.data && <Next asked={asking.data} />}
      </Cards>
    </Page>
  );
}

/** What the player does next. */
function Next({ asked: { game, governor_id, name, code, ends_at } }: { asked: Asked }) {
  const { governor } = GAME_NAMES[game];
  if (code === null || ends_at === null)
    return (
      <Card title={t('You are not shown')}>
        <p>
          <T
            of="{one} {governor_id} was removed from the public pages. Write to the address in the <link>imprint</link> if you want to be shown again."
            one={words(capital(governor.one))}
            governor_id={String(governor_id)}
            link={(text) => <Link to="/imprint">{text}</Link>}
          />
        </p>
      </Card>
    );
  return (
    <Card title={t('Show that it is you')}>
      <p>
        <T
          of="Put this code into the name of {playername} in the game, anywhere in it, before {time}:"
          playername={<PlayerName name={nameOr(name, String(governor_id))} />}
          time={<Time at={ends_at} />}
        />
      </p>
      <p>
        <strong className="tabular">{code}</strong> <CopyButton text={code} what={t('the code')} />
      </p>
      <p>
        <T
          of="The next scan of your {one} that reads the code removes you within a few minutes. Then you can change your name back. Copies that others keep may last for a day."
          one={words(GAME_NAMES[game].kingdom.one)}
        />
      </p>
      <p>
        {t('You cannot change your name? An admin reads your note and decides. Ask again here to see the code again.')}
      </p>
    </Card>
  );
}
