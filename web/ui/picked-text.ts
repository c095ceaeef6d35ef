/**
 * Reads a text file that the user picked, of which at most `most` bytes. Excel saves csv in Windows-1252 or UTF-16 unless
 * the user chooses UTF-8.
 */
export async function pickedText(file: Blob, most = file.size): Promise<string> {
  const bytes = await file.slice(0, most).arrayBuffer();
  const [first, second] = new Uint8Array(bytes);
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  try {
    // Streaming accepts a first part that ends within a character.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: most < file.size });
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
