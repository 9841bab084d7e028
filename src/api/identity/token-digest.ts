/**
 * The form in which a token is kept. A token that Berth makes has 256 random bits, so that its
 * SHA-256 says nothing about it and needs no salt; one that people choose must be as hard to guess.
 */
import { createHash, randomBytes } from "node:crypto";

const STORED = /^sha256:([0-9a-f]{64})$/;
/** Programs that search texts for secrets that have leaked know a token by its first letters. */
const PREFIX = "berth_";
const RANDOM_BYTES = 32;
/** Enough to tell tokens apart in the audit trail, and too few to guess a token from. */
const ID_DIGITS = 8;

export const newToken = (): string => PREFIX + randomBytes(RANDOM_BYTES).toString("base64url");

export const digestOf = (token: string): string => createHash("sha256").update(token).digest("hex");

/** As a line of a list holds it. */
export const storedForm = (token: string): string => `sha256:${digestOf(token)}`;

/** The digest that a line states, where it does not state the token itself. */
export const statedDigest = (word: string): string | undefined => STORED.exec(word)?.[1];

/** Of a token, or of its stored form. */
export const digestOfStated = (word: string): string => statedDigest(word) ?? digestOf(word);

/** As the audit and `berth token list` name it. */
export const tokenIdOf = (digest: string): string => digest.slice(0, ID_DIGITS);
