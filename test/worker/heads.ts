/** The head of a page as browsers, search engines and chats read it. */
export interface PageHead {
  title: string;
  description: string;
  /** Everything in a `property`, and the names `robots` and `twitter:*`. */
  told: Record<string, string>;
  canonical: string;
  /** `how path` of the answers that the page preloads. */
  preloads: string[];
  /** The heading that shows until the script draws the page. */
  heading: string;
}

const MARKS: Readonly<Record<string, string>> = { quot: '"', lt: '<', gt: '>', '#39': "'", amp: '&' };
const read = (text = ''): string => text.replace(/&(quot|lt|gt|#39|amp);/g, (_, mark: string) => MARKS[mark] ?? '');

export function headOf(html: string): PageHead {
  const one = (pattern: RegExp): string => read(pattern.exec(html)?.[1]);
  const told = [...html.matchAll(/<meta (?:property|name)="((?:og|twitter):[^"]+|robots)" content="([^"]*)">/g)];
  const asked = html.matchAll(/<link rel="preload" as="fetch" crossorigin="([^"]+)" href="([^"]+)">/g);
  return {
    title: one(/<title>([^<]*)</),
    description: one(/<meta\s+name="description"\s+content="([^"]*)"/),
    told: Object.fromEntries(told.map(([, name, content]) => [name, read(content)])),
    canonical: one(/<link rel="canonical" href="([^"]+)">/),
    preloads: [...asked].map(([, how, path]) => `${how} ${read(path)}`),
    heading: one(/<h1>([^<]*)</),
  };
}
