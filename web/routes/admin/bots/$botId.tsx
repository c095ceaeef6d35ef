import { useQuery } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import { t } from '../../../../domain/language/text.ts';
import { reportLines } from '../../../../domain/scans/report-lines.ts';
import { botFilesQuery, botQuery } from '../../../api/admin.ts';
import { Loaded } from '../../../components/loaded.tsx';
import { Panel } from '../../../components/panel.tsx';
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
  const folder = useQuery(botFilesQuery(botId));
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
                <BotPanel key={each.group_id} bot={each} />
              ))}
            </Panel>
          ))
        }
      </Loaded>
      {folder.data && folder.data.files.length > 0 && (
        <Panel title={t('Scan files')}>
          {folder.data.files.map((file) => (
            <details key={file.path} open={file.refused !== null}>
              <summary>{reportLines(file)[0]}</summary>
              <ul>
                {reportLines(file)
                  .slice(1)
                  .map((line) => (
                    <li key={line}>{line.trim()}</li>
                  ))}
              </ul>
            </details>
          ))}
        </Panel>
      )}
    </>
  );
}
