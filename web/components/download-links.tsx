import { Download } from 'lucide-react';
import { downloadUrl, FILE_TYPES } from '../api/results.ts';
import styles from './download-links.module.css';

/** Links that save results as a file: of an item, or with `all` of a whole order. `what` names them aloud. */
export const DownloadLinks = ({ id, all = false, what }: { id: string; all?: boolean; what: string }) => (
  <ul className={styles.links} aria-label={`Download ${what}`}>
    {FILE_TYPES.map((type) => (
      <li key={type}>
        <a href={downloadUrl(id, type, all)} download={`results.${type}`} className={styles.link}>
          <Download size={13} aria-hidden />
          <span className="visually-hidden">Download {what} as </span>
          {type}
        </a>
      </li>
    ))}
  </ul>
);
