import { Copy } from 'lucide';
import { useEffect, useState } from 'react';
import { t } from '../../domain/language/text.ts';
import { T } from '../ui/text.tsx';
import { Button, type ButtonLook } from './button.tsx';
import { copyText } from './copy.ts';
import { Icon } from './icon.tsx';

/** How long the result is shown, in ms. */
const SAID = 4_000;

/** Copies a text and shows whether that worked. `what` names the text for screen readers. */
export function CopyButton({ text, what, look }: { text: string; what: string; look?: ButtonLook }) {
  const [copied, setCopied] = useState<boolean | null>(null);
  useEffect(() => {
    if (copied === null) return;
    const timer = setTimeout(() => setCopied(null), SAID);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <>
      <Button look={look} onClick={() => void copyText(text).then(setCopied)}>
        <Icon of={Copy} size={16} />
        <span>
          <T of="Copy{span}" span={<span className="visually-hidden"> {what}</span>} />
        </span>
      </Button>
      <span role="status">
        {copied === null ? '' : copied ? t('Copied') : t('Not copied: select the text instead.')}
      </span>
    </>
  );
}
