/**
 * The certificate of a plane that has tokens and serves only its own machine. kubectl sends a token
 * over TLS only, so such a plane speaks TLS beside plain HTTP. The plane keeps the pair in its
 * folder, because a kubeconfig that was written once names the certificate.
 */
import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { TlsFiles } from "../api/http/create-api-server.ts";
import { makeDataFolder } from "../shell/private-folder.ts";
import { writeDurably } from "../shell/write-durably.ts";
import { selfSignedCertificate } from "./self-signed-certificate.ts";

const DAY_MS = 86_400_000;
/** A machine with a slow clock must not find that it begins tomorrow. */
const BEFORE_MS = DAY_MS;
/** It guards the way within one machine, and every kubeconfig has to be written again after it. */
const VALID_MS = 3_650 * DAY_MS;
/** A plane that starts with less makes a new one. */
const LEAST_LEFT_MS = 90 * DAY_MS;

const ADDRESSES = [Buffer.from([127, 0, 0, 1]), Buffer.from([...Array(15).fill(0), 1])];

export interface LoopbackCertificate extends TlsFiles {
  /** Where the certificate is, for clients on this machine. */
  readonly certFile: string;
}

export const loopbackCertificateIn = (folder: string): string => resolve(folder, "loopback.crt");

/** Makes the pair that is not there yet, is unreadable or ends soon. */
export function ensureLoopbackCertificate(folder: string, nowMs: number): LoopbackCertificate {
  const certFile = loopbackCertificateIn(folder);
  const keyFile = resolve(folder, "loopback.key");
  const known = readPair(certFile, keyFile);
  if (known !== undefined && endOf(known) - nowMs > LEAST_LEFT_MS) return { ...known, certFile };
  const times = { fromMs: nowMs - BEFORE_MS, untilMs: nowMs + VALID_MS };
  const made = selfSignedCertificate({ name: "localhost", addresses: ADDRESSES, ...times });
  makeDataFolder(folder);
  writeDurably(keyFile, made.key);
  writeDurably(certFile, made.cert);
  return { ...made, certFile };
}

function readPair(certFile: string, keyFile: string): TlsFiles | undefined {
  try {
    return { cert: readFileSync(certFile, "utf8"), key: readFileSync(keyFile, "utf8") };
  } catch {
    return undefined;
  }
}

/** 0 if it is none, or not that of the key: a crash may have come between the two files. */
function endOf({ cert, key }: TlsFiles): number {
  try {
    const read = new X509Certificate(cert);
    return read.checkPrivateKey(createPrivateKey(key)) ? Date.parse(read.validTo) : 0;
  } catch {
    return 0;
  }
}
