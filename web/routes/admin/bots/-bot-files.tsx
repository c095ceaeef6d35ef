import { useQuery } from '@tanstack/react-query';
import { t } from '../../../../domain/language/text.ts';
import { reportLines } from '../../../../domain/scans/report-lines.ts';
import { type Bot, botFilesQuery } from '../../../api/admin.ts';

/** Shows what a bot read from each of its scan files. */
export function BotFiles({ bot: { bot_id, group_id } }: { bot: Bot }) {
  const files = useQuery(botFilesQuery(bot_id)).data?.find((each) => each.group_id === group_id)?.files ?? [];
  if (files.length === 0) return null;
  return (
    <>
      <h3>{t('Scan files')}</h3>
      {files.map((file) => (
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
    </>
  );
}
