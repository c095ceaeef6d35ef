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
    scoring.goals.length > 0 && 'goals',
    Object.keys(scoring.zeroed).length > 0 && 'zeroed',
    Object.keys(scoring.verified).length > 0 && 'verified deads',
    scoring.farms !== null && 'farms',
    scoring.power_off > 0 && 'power off',
  ].filter(Boolean);
  return (
    <Disclosed
      title={t('Goals, zeroed, verified deads, farms{value}', {
        value: said.length > 0 ? `: ${said.join(', ')} set` : '',
      })}
      open={open}
      change={setOpen}
    >
      <Suspense fallback={<Skeleton height="20rem" />}>
        <CompareSettingRows {...props} />
      </Suspense>
    </Disclosed>
  );
}
