import { Download } from 'lucide';
import type { ReactNode } from 'react';
import { locale } from '../../../domain/language/current.ts';
import { fileIn, LANGUAGES, SOURCE_LOCALE } from '../../../domain/language/locales.ts';
import { message, t, words } from '../../../domain/language/text.ts';
import type { CompareFileType } from '../../api/compare.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import layout from '../../ui/layout.module.css';

const TITLES: Readonly<Record<CompareFileType, string>> = {
  csv: 'csv',
  xlsx: 'xlsx',
  png: message('Picture of the top ten'),
  text: message('Text for in-game mail'),
};
/** File types that contain only scores. */
const OF_SCORES: readonly CompareFileType[] = ['png', 'text'];

/** Types with a header row, which is in English unless another language is asked for. */
const TITLED = ['csv', 'xlsx'] as const;

/** Download links of a comparison, with `children` in the same row. */
export const ComparedFiles = ({
  href,
  scores = true,
  children,
}: {
  href: (type: CompareFileType) => string;
  /** False if the comparison shows no scores. */
  scores?: boolean;
  children?: ReactNode;
}) => (
  <div className={layout.row}>
    {(Object.keys(TITLES) as CompareFileType[])
      .filter((type) => scores || !OF_SCORES.includes(type))
      .map((type) => (
        <a
          key={type}
          className={buttonClass()}
          href={OF_SCORES.includes(type) ? fileIn(locale(), href(type)) : href(type)}
          download
        >
          <Icon of={Download} size={14} />
          {words(TITLES[type])}
        </a>
      ))}
    {locale() !== SOURCE_LOCALE &&
      TITLED.map((type) => (
        <a key={`${type} titled`} href={fileIn(locale(), href(type))} download>
          {t('{type}, column names in {language}', { type, language: LANGUAGES[locale()].name })}
        </a>
      ))}
    {children}
  </div>
);
