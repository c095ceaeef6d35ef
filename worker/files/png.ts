import { initWasm, Resvg } from '@resvg/resvg-wasm';
import { Shared } from '../shared.ts';

let ready = false;
const preparing = new Shared<void>();

/** Compiled when the first picture is asked for, so that no other answer waits for it. */
async function prepare(): Promise<void> {
  if (ready) return;
  await preparing.get('', async () => {
    const { default: module } = await import('@resvg/resvg-wasm/index_bg.wasm');
    // Where the request that began it was cut off, it may have come this far.
    await initWasm(module).catch((error: unknown) => {
      if (!/already initialized/i.test(String(error))) throw error;
    });
  });
  ready = true;
}

/** Draws an SVG at its own size. Text takes the fonts given, Inter first. */
export async function drawPng(svg: string, fonts: Uint8Array[]): Promise<Uint8Array> {
  await prepare();
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
