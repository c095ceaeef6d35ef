import { useState } from 'react';
import { TextField } from './field.tsx';

/**
 * A field that applies its value on blur or Enter, so that incomplete input filters nothing. An empty field is
 * undefined. If `read` returns null, the text stays with the message `wrong`.
 */
export function SettledField<Value>({
  label,
  placeholder,
  numeric = false,
  value,
  set,
  read,
  write,
  wrong,
}: {
  label: string;
  placeholder: string;
  /** Shows a numeric keyboard. */
  numeric?: boolean;
  value: Value | undefined;
  set: (value: Value | undefined) => void;
  read: (text: string) => Value | null;
  write: (value: Value) => string;
  wrong: string;
}) {
  const [text, setText] = useState<string | null>(null);
  const settled = text === null || text.trim() === '' ? undefined : read(text.trim());
  const leave = () => {
    if (text === null || settled === null) return;
    set(settled);
    setText(null);
  };
  return (
    <TextField
      label={label}
      inputMode={numeric ? 'numeric' : 'text'}
      autoComplete="off"
      placeholder={placeholder}
      value={text ?? (value === undefined ? '' : write(value))}
      error={text !== null && settled === null ? wrong : null}
      onChange={({ target }) => setText(target.value)}
      onBlur={leave}
      onKeyDown={({ key }) => key === 'Enter' && leave()}
    />
  );
}
