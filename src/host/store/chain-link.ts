/**
 * What makes the log a chain that a person can vouch for: each batch begins with the hash of the
 * batch before it, which begins with the hash of the one before that, so one hash stands for all
 * that was ever written up to it. It is part of the batch's own bytes, and not of a table or a key
 * beside it: it goes wherever the batch goes, through backups and from one kind of store to
 * another, and a version that does not know of it reads over it (docs/adr/0011).
 *
 * The checksums of the stores find what broke; they are shorter, differ from store to store and
 * begin anew with a restore.
 */
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import type { Revision } from "../../core/model/ids.ts";

/** SHA-256 over the bytes of a batch, as 64 hexadecimal digits. */
export type ChainHash = string;

/** All that the log holds up to the end of the batch that ends at this revision. */
export interface ChainHead {
  readonly revision: Revision;
  readonly hash: ChainHash;
}

const HEX_DIGITS = 64;
/** What the first batch of all hangs on. */
export const CHAIN_GENESIS: ChainHead = { revision: 0, hash: "0".repeat(HEX_DIGITS) };

const PREFIX = '{"link":"';
const SUFFIX = '",';
const LINK_BYTES = PREFIX.length + HEX_DIGITS + SUFFIX.length;

export const hashOf = (body: Uint8Array): ChainHash =>
  createHash("sha256").update(body).digest("hex");

/**
 * The batch of `encodeBatch` with the hash of the one before it; as it is where that is not known.
 */
export function linked(link: ChainHash | undefined, body: Uint8Array): Uint8Array {
  if (link === undefined) return body;
  // It is the first member of the object, so nothing has to be read to find it or to put it there.
  return Buffer.concat([Buffer.from(`${PREFIX}${link}${SUFFIX}`), body.subarray(1)]);
}

/**
 * Undefined for a batch of a version that did not know of it, or that did not know what was before.
 */
export function linkOf(body: Uint8Array): ChainHash | undefined {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString(
    "latin1",
    0,
    LINK_BYTES,
  );
  const link = text.slice(PREFIX.length, -SUFFIX.length);
  const isLinked = text.startsWith(PREFIX) && text.endsWith(SUFFIX);
  return isLinked && isHash(link) ? link : undefined;
}

/**
 * A piece of a snapshot that says what the next batch hangs on, for a log of which nothing but the
 * snapshot is kept.
 */
export const linkChunk = ({ revision, hash }: ChainHead): Uint8Array =>
  Buffer.from(`${PREFIX}${hash}${SUFFIX}"revision":${revision}}`);

export function linkInChunk(chunk: Uint8Array): ChainHead | undefined {
  const hash = linkOf(chunk);
  if (hash === undefined) return undefined;
  const { revision } = JSON.parse(Buffer.from(chunk).toString()) as { readonly revision?: unknown };
  return Number.isSafeInteger(revision) ? { revision: Number(revision), hash } : undefined;
}

export const headText = ({ revision, hash }: ChainHead): string => `${revision}:${hash}`;

/** `REVISION:HASH`, as people keep it. */
export function readHeadText(text: string): ChainHead | undefined {
  const [revision = "", hash = "", ...rest] = text.trim().split(":");
  if (!/^\d{1,15}$/.test(revision) || !isHash(hash) || rest.length > 0) return undefined;
  return { revision: Number(revision), hash };
}

export const isHash = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);
