import { Download } from 'lucide';
import type { DownloadType } from '../../domain/orders/contract.ts';
import { downloadUrl, FILE_TYPES } from '../api/results.ts';
import { Icon } from '../ui/icon.tsx';
import styles from './download-links.module.css';

/** Links that save results as a file. `what` names them aloud. */
export const FileLinks = ({
  files,
  what,
}: {
  files: readonly { type: DownloadType; href: string }[];
  what: string;
}) => (
  <ul className={styles.links} aria-label={`Download ${what}`}>
    {files.map(({ type, href }) => (
      <li key={type}>
        <a href={href} download={`results.${type}`} className={styles.link}>
          <Icon of={Download} size={13} />
          <span className="visually-hidden">Download {what} as </span>
          {type}
        </a>
      </li>
    ))}
  </ul>
);

/** The files of an item, or with `all` of a whole order. */
export const DownloadLinks = ({ id, all = false, what }: { id: string; all?: boolean; what: string }) => (
  <FileLinks what={what} files={FILE_TYPES.map((type) => ({ type, href: downloadUrl(id, type, all) }))} />
);
