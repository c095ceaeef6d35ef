/**
 * Reads a text file that the user picked, or its first part. Excel saves csv in Windows-1252 or UTF-16 unless the user
 * chooses UTF-8.
 */
export async function pickedText(file: Blob): Promise<string> {
  const bytes = await file.arrayBuffer();
  const [first, second] = new Uint8Array(bytes);
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  try {
    // Streaming accepts a first part that ends within a character.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
