import { initWasm, Resvg } from '@resvg/resvg-wasm';
import { SingleFlight } from '../isolate/single-flight.ts';

let ready = false;
const preparing = new SingleFlight<void>();

/** Compiles the renderer when the first image is requested, so that other responses do not wait for it. */
async function prepare(): Promise<void> {
  if (ready) return;
  await preparing.get('', async () => {
    const { default: module } = await import('@resvg/resvg-wasm/index_bg.wasm');
    // A request that was cut off may already have initialised it.
    await initWasm(module).catch((error: unknown) => {
      if (!/already initialized/i.test(String(error))) throw error;
    });
  });
  ready = true;
}

/** Renders an SVG at its own size with the given fonts, Inter first. */
export async function drawPng(svg: string, fonts: Uint8Array[]): Promise<Uint8Array> {
  await prepare();
  const drawing = new Resvg(svg, { font: { fontBuffers: fonts, defaultFontFamily: 'Inter' } });
  const picture = drawing.render();
  try {
    return picture.asPng();
  } finally {
    // The module's own memory is not garbage-collected with the objects.
    picture.free();
    drawing.free();
  }
}
