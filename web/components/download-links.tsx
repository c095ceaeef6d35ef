import { ChevronDown, Download } from 'lucide';
import { locale } from '../../domain/language/current.ts';
import { LANGUAGES } from '../../domain/language/locales.ts';
import { t } from '../../domain/language/text.ts';
import type { DownloadType } from '../../domain/scans/results.ts';
import { downloadUrl, FILE_TYPES } from '../api/results.ts';
import { Disclosure } from '../ui/disclosure.tsx';
import { Icon } from '../ui/icon.tsx';
import { T } from '../ui/text.tsx';
import styles from './download-links.module.css';

/** Links that download results. `what` names them for screen readers. */
export const FileLinks = ({
  files,
  what,
}: {
  files: readonly { type: DownloadType; href: string }[];
  what: string;
}) => (
  <ul className={styles.links} aria-label={t('Download {what}', { what })}>
    {files.map(({ type, href }) => (
      <li key={type}>
        <a href={href} download={`results.${type}`} className={styles.link}>
          <Icon of={Download} size={13} />
          <span className="visually-hidden">
            <T of="Download {what} as" what={what} />{' '}
          </span>
          {type}
        </a>
      </li>
    ))}
  </ul>
);

/** Files whose header row can be in the reader's language. */
const TITLED = ['csv', 'xlsx'] as const;

/** Downloads of an item, or with `all` of a whole order, under the standard name or named by kingdom and day. */
export const DownloadLinks = ({ id, all = false, what }: { id: string; all?: boolean; what: string }) => (
  <span className={styles.group}>
    <FileLinks what={what} files={FILE_TYPES.map((type) => ({ type, href: downloadUrl(id, type, all) }))} />
    <Disclosure
      label={t('More ways to download {what}', { what })}
      className={styles.more ?? ''}
      align="end"
      button={<Icon of={ChevronDown} size={14} />}
    >
      {FILE_TYPES.map((type) => (
        <li key={type}>
          <a href={`${downloadUrl(id, type, all)}&named=true`} download>
            <T of="{type}, named by kingdom and day" type={type} />
          </a>
        </li>
      ))}
      <li>
        <a href={`${downloadUrl(id, 'csv', all)}&named=true&bom=true`} download>
          {t('csv for Excel')}
        </a>
      </li>
      {TITLED.map((type) => (
        <li key={`${type} titled`}>
          <a
            href={`${downloadUrl(id, type, all)}&named=true&headers=${locale()}${type === 'csv' ? '&bom=true' : ''}`}
            download
          >
            <T of="{type}, column names in {language}" type={type} language={LANGUAGES[locale()].name} />
          </a>
        </li>
      ))}
    </Disclosure>
  </span>
);
