type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const FIELDS = 'input:not([type=file], [type=hidden]), textarea, select';
const FOCUSABLE = 'a[href], button, input, textarea, select, summary, [tabindex]';

/** Fields that show the page's own state, such as its language, and not what the reader entered. */
const OWN_STATE = '[data-own-state]';

const isChecked = (field: Field): boolean | null =>
  field instanceof HTMLInputElement && /^(?:checkbox|radio)$/.test(field.type) ? field.checked : null;

/** Fields by kind and name, because other fields may be missing after the page is drawn again. */
function fieldsByName(): Map<string, Field[]> {
  const fields = new Map<string, Field[]>();
  for (const field of document.querySelectorAll<Field>(FIELDS)) {
    if (field.matches(OWN_STATE)) continue;
    const name = `${field.tagName} ${field.type} ${field.name}`;
    fields.set(name, [...(fields.get(name) ?? []), field]);
  }
  return fields;
}

/** Enters a value as a person does, so that React's handlers run. */
function enter(field: Field, value: string): void {
  // React replaces the setter of each field to remember what it wrote itself.
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, value);
  field.dispatchEvent(new Event(field instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }));
}

/** How long a page that is drawn again may take to be as tall as before, in ms. */
const PATIENCE_MS = 2000;

/**
 * Notes what the reader has typed, where they are on the page and what has the focus. Returns a function that restores
 * these once the same page was drawn again from nothing.
 */
export function keepPlace(): () => void {
  const kept = new Map(
    [...fieldsByName()].map(([name, fields]) => [
      name,
      fields.map((field) => ({ value: field.value, checked: isChecked(field) })),
    ]),
  );
  const { scrollX: left, scrollY: top } = window;
  const active = document.activeElement;
  // Counted from the end, because notices come and go at the top.
  const place = [...document.querySelectorAll(FOCUSABLE)].reverse().indexOf(active as Element);

  const restoreTyped = () => {
    for (const [name, fields] of fieldsByName())
      for (const [index, field] of fields.entries()) {
        const was = kept.get(name)?.[index];
        if (!was) continue;
        if (was.checked !== null && was.checked !== isChecked(field)) field.click();
        if (was.checked === null && was.value !== field.value) enter(field, was.value);
      }
  };
  const restorePlace = () => {
    scrollTo({ left, top, behavior: 'instant' });
    const there = [...document.querySelectorAll<HTMLElement>(FOCUSABLE)].reverse()[place];
    if (there?.tagName === active?.tagName) there?.focus({ preventScroll: true });
  };
  return () => {
    const until = performance.now() + PATIENCE_MS;
    const whenWhole = () => {
      const isTall = document.documentElement.scrollHeight >= top + innerHeight / 2;
      const isThere = [...kept.keys()].every((name) => fieldsByName().has(name));
      if (!(isTall && isThere) && performance.now() < until) return void requestAnimationFrame(whenWhole);
      restoreTyped();
      restorePlace();
    };
    requestAnimationFrame(whenWhole);
  };
}
