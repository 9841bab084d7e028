/**
 * A batch as the value of its key: one line of JSON that a person can read, then the body. Its
 * checksum hangs on that of the batch before, which stands in the line too, so a batch can be
 * checked by itself wherever a read begins. A body too large for one request lies in parts, and
 * then the line alone is the value.
 */
import { Buffer } from "node:buffer";
import type { Epoch, Revision } from "../../../core/model/ids.ts";
import { type Checksum, chained } from "../checksum.ts";
import type { Encoding, Packed } from "./compression.ts";
import type { Head } from "./stored-values.ts";

export interface BatchLine {
  readonly first: Revision;
  readonly last: Revision;
  readonly epoch: Epoch;
  readonly encoding: Encoding;
  /** What it hangs on. */
  readonly previous: Checksum;
  readonly checksum: Checksum;
  /** Where the body is when it is not here. */
  readonly parts?: { readonly attempt: number; readonly count: number };
}

export interface BatchValue {
  readonly line: BatchLine;
  readonly body: Uint8Array;
}

const NEW_LINE = 10;

/** Half a mebibyte below what etcd takes, for the keys, the line and what goes around a request. */
export const PART_BYTES = 1024 * 1024;

export function lineOf(
  end: Head,
  of: Pick<BatchLine, "first" | "last" | "epoch">,
  { encoding, body }: Packed,
): BatchLine {
  const line = { ...of, encoding, previous: end.checksum };
  return { ...line, checksum: checksumOf(line, body) };
}

export function encodeValue(line: BatchLine, body: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from(`${JSON.stringify(line)}\n`), body]);
}

/** Undefined when it is not the value of a batch. */
export function decodeValue(value: Uint8Array): BatchValue | undefined {
  const at = value.indexOf(NEW_LINE);
  try {
    const line = JSON.parse(
      Buffer.from(value.subarray(0, Math.max(0, at))).toString(),
    ) as BatchLine;
    const isBatch = Number.isSafeInteger(line.first) && Number.isSafeInteger(line.last);
    return isBatch ? { line, body: value.subarray(at + 1) } : undefined;
  } catch {
    return undefined;
  }
}

export const isIntact = ({ line, body }: BatchValue): boolean =>
  line.checksum === checksumOf(line, body);

export function splitBody(body: Uint8Array): Uint8Array[] {
  const parts: Uint8Array[] = [];
  for (let at = 0; at < body.length; at += PART_BYTES)
    parts.push(body.subarray(at, at + PART_BYTES));
  return parts;
}

function checksumOf(line: Omit<BatchLine, "checksum" | "parts">, body: Uint8Array): Checksum {
  const { first, last, epoch, encoding, previous } = line;
  return chained(previous, `batch ${first} ${last} ${epoch} ${encoding}`, body);
}
