/** A WebAssembly file is imported as a compiled module: nothing may be compiled while a Worker runs. */
declare module '*.wasm' {
  const module: WebAssembly.Module;
  export default module;
}
