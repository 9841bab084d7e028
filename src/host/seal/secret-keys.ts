/**
 * The operator's keys for secrets: the first seals, all of them open. A key has no name of its own:
 * its id follows from it, so that no file can give another key the id of one that is in use.
 */
import { createHmac } from "node:crypto";

export const KEY_BYTES = 32;
/** Several rotations; a file with more is a mistake. */
const KEYS_MOST = 16;

export interface SecretKey {
  readonly id: string;
  readonly bytes: Buffer;
}

export interface SecretKeys {
  /** Seals what is written from now on. */
  readonly first: SecretKey;
  find(id: string): SecretKey | undefined;
  readonly ids: readonly string[];
}

/** The keys in force: a file that changes while the plane runs gives others. */
export interface HeldSecretKeys {
  /** Undefined: the plane was started without any. */
  readonly current: SecretKeys | undefined;
  /** Reads them again. Left out: they never change. */
  reload?(): Promise<void>;
}

export const keyOfBytes = (bytes: Buffer): SecretKey => ({
  id: `k${createHmac("sha256", bytes).update("berth secret key id").digest("hex").slice(0, 16)}`,
  bytes,
});

/** The text of a key file or of a command's output: one key in base64 per line, `#` comments. */
export function parseSecretKeys(text: string): SecretKeys | { readonly mistake: string } {
  const lines = text.split("\n").map((line, at) => ({ text: line.trim(), number: at + 1 }));
  const given = lines.filter((line) => line.text !== "" && !line.text.startsWith("#"));
  if (given.length > KEYS_MOST) {
    return { mistake: `it has ${given.length} keys; at most ${KEYS_MOST} are allowed` };
  }
  const keys: SecretKey[] = [];
  for (const line of given) {
    const bytes = Buffer.from(line.text, "base64");
    // The text of a key must not come into a message.
    if (!/^[A-Za-z0-9+/]+={0,2}$/.test(line.text) || bytes.length !== KEY_BYTES) {
      return { mistake: `line ${line.number} is not a key of ${KEY_BYTES} bytes in base64` };
    }
    keys.push(keyOfBytes(bytes));
  }
  const [first] = keys;
  if (first === undefined) return { mistake: "it has no key" };
  const byId = new Map(keys.map((key) => [key.id, key]));
  return { first, find: (id) => byId.get(id), ids: [...byId.keys()] };
}
