/** WebAssembly files are imported as compiled modules, because a running Worker must not compile code. */
declare module '*.wasm' {
  const module: WebAssembly.Module;
  export default module;
}

/** Built from web/server.tsx (vite.config.ts). */
declare module '*/dist/pages/render-page.js' {
  export const renderPage: import('../domain/service/rendered-page.ts').RenderPage;
}
