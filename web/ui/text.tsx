import { Fragment, isValidElement, type ReactNode } from 'react';
import { isolated, isRightToLeft, POP_ISOLATE, RIGHT_TO_LEFT_ISOLATE } from '../../domain/language/formats.ts';
import type { Part } from '../../domain/language/message.ts';
import { caseOf, partsOf } from '../../domain/language/text.ts';
import { exact } from '../format.ts';

type Value = ReactNode | ((content: ReactNode) => ReactNode);

/**
 * Writes a message with elements in it, in the reader's language. A tag of the message is a function of its content:
 * `<T of="Read <faq>the FAQ</faq>." faq={(text) => <Link to="/faq">{text}</Link>} />`.
 */
export const T = ({ of, ...values }: { of: string } & Readonly<Record<string, Value>>): ReactNode =>
  drawn(partsOf(of), values);

function shown(value: Value): ReactNode {
  if (typeof value === 'function') return value(null);
  if (typeof value === 'string') return isolated(value);
  if (!isValidElement(value) || !isRightToLeft()) return value;
  return (
    <>
      {RIGHT_TO_LEFT_ISOLATE}
      {value}
      {POP_ISOLATE}
    </>
  );
}

function drawn(parts: readonly Part[], values: Readonly<Record<string, Value>>, count?: number): ReactNode {
  return parts.map((part, index) => {
    if (typeof part === 'string') return part;
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a message never change their order.
    return <Fragment key={index}>{one(part, values, count)}</Fragment>;
  });
}

function one(part: Exclude<Part, string>, values: Readonly<Record<string, Value>>, count?: number): ReactNode {
  if (part.kind === 'number') return count === undefined ? null : exact(count);
  if (part.kind === 'value') return shown(values[part.name]);
  if (part.kind === 'tag') {
    const wrap = values[part.name];
    const content = drawn(part.content, values, count);
    return typeof wrap === 'function' ? wrap(content) : content;
  }
  const value = values[part.name];
  return drawn(caseOf(part, value), values, part.kind === 'plural' ? Number(value) : count);
}
