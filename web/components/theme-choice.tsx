import { useState } from 'react';
import { t } from '../../domain/language/text.ts';
import { chooseTheme, chosenTheme, THEMES } from '../theme.ts';
import { Select } from '../ui/select.tsx';
import { useHydrated } from '../ui/use-hydrated.ts';
import styles from './theme-choice.module.css';

/** Switches between system, light and dark theme. */
export function ThemeChoice() {
  const hydrated = useHydrated();
  const [theme, setTheme] = useState(chosenTheme);
  return (
    <label className={styles.choice}>
      {t('Theme')}
      <Select
        value={hydrated ? theme : 'system'}
        onChange={({ target }) => {
          const chosen = THEMES.find((each) => each === target.value) ?? 'system';
          chooseTheme(chosen);
          setTheme(chosen);
        }}
      >
        <option value="system">{t('System')}</option>
        <option value="light">{t('Light')}</option>
        <option value="dark">{t('Dark')}</option>
      </Select>
    </label>
  );
}
