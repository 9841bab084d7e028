/**
 * The key and the certificate with which a plane signs certificates of agents. A plane makes them
 * at its first start; planes that share a log are given the same pair.
 */
import { createPrivateKey, X509Certificate } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { NodeSigner } from "../api/identity/node-signer.ts";
import type { KeyAndCertificate } from "../shell/certificates/sign-certificate.ts";
import { UserError } from "../shell/errors.ts";
import { makeDataFolder } from "../shell/private-folder.ts";
import { readInput } from "../shell/read-input.ts";
import { writeDurably } from "../shell/write-durably.ts";

const DAY_MS = 86_400_000;
/** Every agent needs a new bootstrap token when the authority changes. */
const VALID_MS = 3_650 * DAY_MS;

export interface SignerFiles {
  readonly cert: string;
  readonly key: string;
}

export async function openSigner(
  folder: string,
  given: SignerFiles | undefined,
): Promise<NodeSigner> {
  const own = { cert: join(folder, "signer.crt"), key: join(folder, "signer.key") };
  const files = given ?? own;
  makeDataFolder(folder);
  // The key is written first: a certificate without its key was never used.
  if (given === undefined && !existsSync(own.cert)) await makePair(own);
  const pair = readPair(files);
  return new NodeSigner(pair);
}

async function makePair(files: SignerFiles): Promise<void> {
  const { makeAuthority } = await import("../shell/certificates/sign-certificate.ts");
  const nowMs = Date.now();
  const life = { fromMs: nowMs - DAY_MS, untilMs: nowMs + VALID_MS };
  const made = await makeAuthority("berth agents", life);
  writeDurably(files.key, made.key);
  writeDurably(files.cert, made.cert);
}

function readPair({ cert: file, key: keyFile }: SignerFiles): KeyAndCertificate {
  const pair = { cert: readInput(file), key: readInput(keyFile) };
  try {
    const certificate = new X509Certificate(pair.cert);
    if (!certificate.ca) throw new Error("it is of no authority");
    if (certificate.checkPrivateKey(createPrivateKey(pair.key))) return pair;
    throw new Error(`${keyFile} is the key of another`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError("invalid-file", `It cannot sign certificates of agents: ${reason}.`, {
      file,
    });
  }
}
