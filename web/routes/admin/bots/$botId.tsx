import { useQuery } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { t } from '../../../../domain/language/text.ts';
import { botQuery } from '../../../api/admin.ts';
import { Loaded } from '../../../components/loaded.tsx';
import { Panel } from '../../../components/panel.tsx';
import { BotFiles } from './-bot-files.tsx';
import { BotTable } from './-bot-table.tsx';
import { BotPanel } from './-bot-work.tsx';

export const Route = createFileRoute('/admin/bots/$botId')({
  loader: ({ context, params }) => {
    void context.client.prefetchQuery(botQuery(params.botId));
  },
  component: BotPage,
});

function BotPage() {
  const { botId } = Route.useParams();
  const bot = useQuery(botQuery(botId));
  return (
    <>
      <title>{t('Bot {botId} · Muster', { botId })}</title>
      <p>
        <Link to="/admin/bots">{t('All bots')}</Link>
      </p>
      <Loaded query={bot} what={t('the bot')} heights={['8rem']}>
        {(groups) =>
          Object.entries(groups).map(([group, bots]) => (
            <Panel key={group} title={group}>
              <BotTable label={t('Bot {botId} of {group}', { botId, group })} bots={bots} />
              {bots.map((each) => (
                <Fragment key={each.group_id}>
                  <BotPanel bot={each} />
                  <BotFiles bot={each} />
                </Fragment>
              ))}
            </Panel>
          ))
        }
      </Loaded>
    </>
  );
}
