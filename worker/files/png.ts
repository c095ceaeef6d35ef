import { initWasm, Resvg } from '@resvg/resvg-wasm';

let ready: Promise<void> | undefined;

/** Compiled when the first picture is asked for, so that no other answer waits for it. */
function prepared(): Promise<void> {
  ready ??= import('@resvg/resvg-wasm/index_bg.wasm').then(({ default: module }) => initWasm(module));
  return ready;
}

/** Draws an SVG at its own size. Text takes the fonts given, Inter first. */
export async function drawPng(svg: string, fonts: Uint8Array[]): Promise<Uint8Array> {
  await prepared();
  const drawing = new Resvg(svg, { font: { fontBuffers: fonts, defaultFontFamily: 'Inter' } });
  const picture = drawing.render();
  try {
    return picture.asPng();
  } finally {
    // What lies in the module's own memory is not collected with the objects.
    picture.free();
    drawing.free();
  }
}
