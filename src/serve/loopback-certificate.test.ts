import { X509Certificate } from "node:crypto";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ensureLoopbackCertificate } from "./loopback-certificate.ts";

const NOW_MS = Date.UTC(2026, 0, 15);
const YEAR_MS = 365 * 86_400_000;

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "berth-certificate-"))));
afterEach(() => rmSync(folder, { recursive: true }));

test("[AP322] a plane keeps its certificate, which is for this machine's own addresses", () => {
  const made = ensureLoopbackCertificate(folder, NOW_MS);
  const read = new X509Certificate(made.cert);
  expect(read.checkIP("127.0.0.1")).toBe("127.0.0.1");
  expect(read.checkIP("::1")).toBe("::1");
  expect(read.checkHost("localhost")).toBe("localhost");
  expect(read.verify(read.publicKey)).toBe(true);
  expect(ensureLoopbackCertificate(folder, NOW_MS + YEAR_MS)).toEqual(made);
  expect(statSync(join(folder, "loopback.key")).mode & 0o077).toBe(0);
});

test("[AP322] a plane makes a new one before the old one ends, or if a file is damaged", () => {
  const made = ensureLoopbackCertificate(folder, NOW_MS);
  const later = ensureLoopbackCertificate(folder, NOW_MS + 10 * YEAR_MS);
  expect(later.cert).not.toBe(made.cert);
  writeFileSync(later.certFile, made.cert);
  expect(ensureLoopbackCertificate(folder, NOW_MS).cert).not.toBe(made.cert);
});
