/** A zip archive, made in the browser (PKWARE’s APPNOTE.TXT, sections 4.3 and 4.4). */

/** A file of an archive: its text comes in pieces, so that it is never in memory as a whole before it is compressed. */
export interface Part {
  name: string;
  pieces: AsyncIterable<string> | Iterable<string>;
}

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
/** Version 2.0, which knows deflation; names in UTF-8; deflated; at midnight of 1 January 1980, the first day there is. */
const ABOUT = { version: 20, flags: 0x0800, method: 8, time: 0, date: 0x21 };
/** Of a file or an archive, without the extension for larger ones. */
const MOST_BYTES = 0xffffffff;

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
  return rest;
});

/** CRC-32 of what came before and `bytes`, both without the final complement. */
function crc32(before: number, bytes: Uint8Array): number {
  let crc = before;
  for (const byte of bytes) crc = (TABLE[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
  return crc;
}

interface Packed {
  name: Uint8Array<ArrayBuffer>;
  content: Blob;
  crc: number;
  size: number;
}

async function packed({ name, pieces }: Part): Promise<Packed> {
  let crc = 0xffffffff;
  let size = 0;
  const encoder = new TextEncoder();
  async function* bytes(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    for await (const piece of pieces) {
      const encoded = encoder.encode(piece);
      crc = crc32(crc, encoded);
      size += encoded.length;
      yield encoded;
    }
  }
  const waiting = bytes();
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const { done, value } = await waiting.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
  const content = await new Response(stream.pipeThrough(new CompressionStream("deflate-raw"))).blob();
  return { name: encoder.encode(name), content, crc: ~crc >>> 0, size };
}

/** Numbers of two or four bytes, the lowest byte first. */
function record(...fields: readonly (readonly [bytes: 2 | 4, value: number])[]): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(fields.reduce((sum, [bytes]) => sum + bytes, 0)));
  let at = 0;
  for (const [bytes, value] of fields) {
    if (bytes === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += bytes;
  }
  return new Uint8Array(view.buffer);
}

/** What both headers of a file say. */
function description({ name, content, crc, size }: Packed): (readonly [2 | 4, number])[] {
  const { flags, method, time, date } = ABOUT;
  return [
    [2, flags],
    [2, method],
    [2, time],
    [2, date],
    [4, crc],
    [4, content.size],
    [4, size],
    [2, name.length],
    [2, 0],
  ];
}

export async function zip(parts: readonly Part[], type: string): Promise<Blob> {
  const pieces: (Blob | Uint8Array<ArrayBuffer>)[] = [];
  const central: Uint8Array<ArrayBuffer>[] = [];
  let offset = 0;
  for (const part of parts) {
    const file = await packed(part);
    const about = description(file);
    const local = record([4, LOCAL], [2, ABOUT.version], ...about);
    pieces.push(local, file.name, file.content);
    central.push(
      record([4, CENTRAL], [2, ABOUT.version], [2, ABOUT.version], ...about, [2, 0], [2, 0], [2, 0], [4, 0], [4, offset]),
      file.name,
    );
    offset += local.length + file.name.length + file.content.size;
    if (Math.max(file.size, offset) > MOST_BYTES) throw new Error("the file would be larger than 4 GB");
  }
  const size = central.reduce((sum, piece) => sum + piece.length, 0);
  const end = record([4, END], [2, 0], [2, 0], [2, parts.length], [2, parts.length], [4, size], [4, offset], [2, 0]);
  return new Blob([...pieces, ...central, end], { type });
}
