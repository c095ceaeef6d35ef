import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { campColour } from '../../domain/games/camps.ts';
import { GAMES } from '../../domain/games/games.ts';

type Three = [number, number, number];

/** How people without one kind of cones see linear light (Machado, Oliveira, Fernandes 2009, severity 1). */
const VIEWS: Readonly<Record<string, readonly Three[]>> = {
  everyone: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

const linear = (colour: string): Three =>
  [1, 3, 5].map((at) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as Three;

const times = (matrix: readonly Three[], [r, g, b]: Three): Three =>
  matrix.map(([x, y, z]) => Math.min(1, Math.max(0, x * r + y * g + z * b))) as Three;

/** Oklab (Ottosson 2020): a step of 0.02 is about the least that can be seen. */
function oklab([r, g, b]: Three): Three {
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

const luminance = (colour: string): number => {
  const [r, g, b] = linear(colour);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrast = (a: string, b: string): number => {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
};

const { camps } = GAMES.rok;

test('both games have the ten camps of the specification, in the same colours', () => {
  expect(camps.map(({ name }) => name).sort()).toEqual(
    [
      'Water',
      'Fire',
      'Wind',
      'Earth',
      'Daybreak',
      'Greenwood',
      'East Anglia',
      'Wessex',
      'Mercia',
      'Northumbria',
    ].sort(),
  );
  expect(GAMES.cod.camps).toEqual(camps);
});

const SHADES = ['colour', 'dark'] as const;

test.each(SHADES.flatMap((shade) => Object.keys(VIEWS).map((view) => [shade, view] as const)))(
  'any two camps can be told apart by colour: %s, %s',
  (shade, view) => {
    const seen = camps.map((camp) => ({ name: camp.name, at: oklab(times(VIEWS[view] ?? [], linear(camp[shade]))) }));
    const close = seen.flatMap((one, index) =>
      seen
        .slice(index + 1)
        .filter((other) => Math.hypot(...one.at.map((value, axis) => value - (other.at[axis] ?? 0))) < 0.09)
        .map((other) => `${one.name} and ${other.name}`),
    );
    expect(close).toEqual([]);
  },
);

/** The grounds of the pages that camps' lines and marks stand on, in light and in dark. */
const tokens = readFileSync('web/ui/tokens.css', 'utf8');
const GROUNDS = ['ground', 'surface', 'raised', 'sunken', 'hover'].map((name) => {
  const [, light = '', dark = ''] = tokens.match(new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`)) ?? [];
  return { light, dark };
});

test.each(camps)('$name has the contrast that WCAG asks of graphics, on every light and dark background', (camp) => {
  for (const { light, dark } of GROUNDS) {
    expect(contrast(camp.colour, light)).toBeGreaterThanOrEqual(3);
    expect(contrast(camp.dark, dark)).toBeGreaterThanOrEqual(3);
  }
});

test('a page uses the shade for its background', () => {
  for (const { name, colour, dark } of camps) expect(campColour(name)).toBe(`light-dark(${colour}, ${dark})`);
  expect(campColour('Nobody')).toBeUndefined();
});
