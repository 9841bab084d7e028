/**
 * A certificate that a server signs for itself: a name, its addresses, a validity, an Ed25519 key
 * and its signature. Node can read certificates and make keys, but write no certificate, so the few
 * fields of X.509 that TLS needs are written here.
 */
import { generateKeyPairSync, randomBytes, sign } from "node:crypto";
import type { TlsFiles } from "../api/http/create-api-server.ts";

export interface CertificateOf {
  readonly name: string;
  /** The bytes of the addresses that the name stands for: 4 of IPv4, 16 of IPv6. */
  readonly addresses?: readonly Buffer[];
  /** In milliseconds. */
  readonly fromMs: number;
  readonly untilMs: number;
}

const hex = (text: string): Buffer => Buffer.from(text, "hex");
const ED25519 = hex("300506032b6570");
const COMMON_NAME = hex("0603550403");
/** X.509 counts from 0: this is the third version, the first with extensions. */
const VERSION_3 = hex("a003020102");
const ALTERNATIVE_NAMES = hex("0603551d11");
/** Clients trust it as the authority that signed it. */
const IS_AUTHORITY = hex("300f0603551d130101ff040530030101ff");

export function selfSignedCertificate(of: CertificateOf): TlsFiles {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const name = Buffer.from(of.name, "utf8");
  const subject = sequence(tagged(0x31, sequence(COMMON_NAME, tagged(0x0c, name))));
  const validity = sequence(time(of.fromMs), time(of.untilMs));
  const spki = publicKey.export({ type: "spki", format: "der" });
  // Positive and without leading zeros, as its encoding demands.
  const serial = tagged(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)]));
  const addresses = (of.addresses ?? []).map((address) => tagged(0x87, address));
  const names = tagged(0x04, sequence(tagged(0x82, name), ...addresses));
  const extensions = tagged(0xa3, sequence(sequence(ALTERNATIVE_NAMES, names), IS_AUTHORITY));
  const parts = [VERSION_3, serial, ED25519, subject, validity, subject, spki, extensions];
  const signed = sequence(...parts);
  const signature = Buffer.concat([Buffer.from([0]), sign(null, signed, privateKey)]);
  const der = sequence(signed, ED25519, tagged(0x03, signature));
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${linesOf(der)}-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

/** Some readers take no longer lines. */
const linesOf = (der: Buffer): string => der.toString("base64").replaceAll(/.{1,64}/g, "$&\n");

const time = (atMs: number): Buffer =>
  tagged(0x18, Buffer.from(`${new Date(atMs).toISOString().replaceAll(/[-:T]|\..*/g, "")}Z`));

const sequence = (...parts: readonly Buffer[]): Buffer => tagged(0x30, Buffer.concat(parts));

/** Tag, length, value; everything here is shorter than 64 KiB. */
function tagged(tag: number, value: Buffer): Buffer {
  const { length } = value;
  const size =
    length < 0x80
      ? [length]
      : length < 0x100
        ? [0x81, length]
        : [0x82, Math.floor(length / 0x100), length % 0x100];
  return Buffer.concat([Buffer.from([tag, ...size]), value]);
}
