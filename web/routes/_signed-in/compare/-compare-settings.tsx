import { lazy, Suspense, useState } from 'react';
import { t } from '../../../../domain/language/text.ts';
import { Disclosed } from '../../../ui/disclosed.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import type { SettingsProps } from './-compare-setting-rows.tsx';

const CompareSettingRows = lazy(async () => ({
  default: (await import('./-compare-setting-rows.tsx')).CompareSettingRows,
}));

/** Settings of the scoring: goals by power bracket, zeroed governors, farms and mains. */
export function CompareSettings(props: SettingsProps) {
  const { scoring } = props;
  const [open, setOpen] = useState(Boolean(scoring.flaws.goals ?? scoring.flaws.zeroed ?? scoring.flaws.verified));
  const said = [
    scoring.goals.length > 0 && t('goals'),
    Object.keys(scoring.zeroed).length > 0 && t('zeroed'),
    Object.keys(scoring.verified).length > 0 && t('verified deads'),
    scoring.farms !== null && t('farms'),
    scoring.power_off > 0 && t('power off'),
  ].filter(Boolean);
  return (
    <Disclosed
      title={
        said.length > 0
          ? t('Goals, zeroed, verified deads, farms: {list} set', { list: said.join(', ') })
          : t('Goals, zeroed, verified deads, farms')
      }
      open={open}
      change={setOpen}
    >
      <Suspense fallback={<Skeleton height="20rem" />}>
        <CompareSettingRows {...props} />
      </Suspense>
    </Disclosed>
  );
}
