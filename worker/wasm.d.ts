/** WebAssembly files are imported as compiled modules, because a running Worker must not compile code. */
declare module '*.wasm' {
  const module: WebAssembly.Module;
  export default module;
}
