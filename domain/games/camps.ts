import { message } from '../language/text.ts';

/** A camp in the games' wars. */
export interface Camp {
  name: string;
  /**
   * Its colour on light backgrounds; `dark` is for dark ones, because no shade stands out from both. Colour-blind
   * people can tell the camps apart in either set (test/domain/camps.test.ts).
   */
  colour: string;
  dark: string;
}

/** The camps of both games (specification, section 9). */
export const CAMPS: readonly Camp[] = [
  { name: message('Fire'), colour: '#bc1b0c', dark: '#e42e01' },
  { name: message('Earth'), colour: '#441903', dark: '#ef9e32' },
  { name: message('Water'), colour: '#0e1f5e', dark: '#6d9ff0' },
  { name: message('Wind'), colour: '#3790ae', dark: '#64dce4' },
  { name: message('Daybreak'), colour: '#a87f1e', dark: '#f9de3d' },
  { name: message('Greenwood'), colour: '#276c4e', dark: '#bff8bc' },
  { name: message('East Anglia'), colour: '#8523a8', dark: '#ab1dfd' },
  { name: message('Wessex'), colour: '#f53292', dark: '#b2496d' },
  { name: message('Mercia'), colour: '#3e414a', dark: '#a3a49a' },
  { name: message('Northumbria'), colour: '#7928f8', dark: '#6470b0' },
];

const byName = new Map(CAMPS.map((camp) => [camp.name, camp]));

/** Returns a camp's colour as CSS, for either colour scheme. */
export function campColour(name: string): string | undefined {
  const camp = byName.get(name);
  return camp && `light-dark(${camp.colour}, ${camp.dark})`;
}
