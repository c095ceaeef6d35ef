import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { message, t } from '../../../../domain/language/text.ts';
import type { Cents } from '../../../../domain/money/money.ts';
import { centsIn } from '../../../../domain/money/typed-cents.ts';
import { refetchMoney } from '../../../api/balance.ts';
import { fieldError } from '../../../api/client.ts';
import { limitTeam, type Team, teamQuery, teamsQuery, topUpTeam } from '../../../api/teams.ts';
import { textOf } from '../../../components/entry-page.tsx';
import { Cards, FormCard } from '../../../components/form-card.tsx';
import { Facts, Panel } from '../../../components/panel.tsx';
import { money, usd } from '../../../format.ts';
import { TextField } from '../../../ui/field.tsx';

/** The shared balance and this month's limit; for the owner, with the forms that change them. */
export function TeamBalance({ team }: { team: Team }) {
  const { role, balance, spendable, monthly_limit, spent } = team;
  return (
    <>
      <Panel
        title={t('Shared balance')}
        about={t('The owner fills it. It pays the orders that leaders place with it.')}
      >
        <Facts
          facts={[
            [t('Balance'), usd(balance)],
            [t('Limit of leaders a month'), usd(monthly_limit)],
            [t('Spent by leaders this month'), usd(spent)],
            ...(role === 'viewer' ? [] : ([[t('You can order for'), usd(spendable)]] as const)),
          ]}
        />
      </Panel>
      {role === 'owner' && (
        <Cards>
          <TopUp team={team} />
          <Limit team={team} />
        </Cards>
      )}
    </>
  );
}

/** @throws ApiError that is shown at the field if it is not an amount. */
function centsOf(form: FormData, name: string): Cents {
  const amount = centsIn(textOf(form, name));
  if (amount === null) throw fieldError(name, message('must be an amount in dollars, such as 25 or 12.50.'));
  return amount;
}

function TopUp({ team: { team_id } }: { team: Team }) {
  const client = useQueryClient();
  // One key for all attempts of this form, so that a repeat moves nothing again.
  const [key, setKey] = useState(() => crypto.randomUUID());
  const moving = useMutation({
    mutationFn: async (form: FormData) => {
      const amount = centsOf(form, 'amount');
      await topUpTeam(team_id, amount, key);
      return amount;
    },
    onSuccess: async () => {
      setKey(crypto.randomUUID());
      await Promise.all([client.invalidateQueries({ queryKey: teamsQuery.queryKey }), refetchMoney(client)]);
    },
  });
  return (
    <FormCard
      clears
      title={t('Add to the shared balance')}
      about={t('The amount leaves your own balance at once. What is left returns to it if you close the team.')}
      action={t('Move to the team')}
      look="primary"
      sending={moving}
      onSubmit={moving.mutate}
      done={moving.isSuccess && t('{money} moved.', { money: money(moving.data) })}
    >
      <TextField
        label={t('Amount in USD')}
        name="amount"
        inputMode="decimal"
        autoComplete="off"
        required
        onChange={() => {
          if (moving.isError) setKey(crypto.randomUUID());
          moving.reset();
        }}
      />
    </FormCard>
  );
}

function Limit({ team: { team_id, monthly_limit } }: { team: Team }) {
  const client = useQueryClient();
  const setting = useMutation({
    mutationFn: async (form: FormData) => limitTeam(team_id, centsOf(form, 'monthly_limit')),
    onSuccess: () => client.invalidateQueries({ queryKey: teamQuery(team_id).queryKey }),
  });
  return (
    <FormCard
      title={t('Monthly limit')}
      about={t('What all leaders together may spend in a calendar month (UTC). It does not limit you.')}
      action={t('Save the limit')}
      sending={setting}
      onSubmit={setting.mutate}
      done={setting.isSuccess && t('Saved.')}
    >
      <TextField
        label={t('Limit in USD')}
        name="monthly_limit"
        inputMode="decimal"
        autoComplete="off"
        required
        defaultValue={monthly_limit.toFixed(2)}
        onChange={() => setting.reset()}
      />
    </FormCard>
  );
}
