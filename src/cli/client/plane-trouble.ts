/**
 * What can go wrong between a command and a plane: in words, and whether another try may go better.
 */
import { isPassingStatus } from "../../shell/retry-pause.ts";
import { UserError } from "../../shell/errors.ts";
import { ownCommand } from "../text/own-command.ts";
import type { Server } from "./find-server.ts";
import { Refusal } from "./refusal.ts";

/**
 * Failures in the middle of a connection that was there: it may have been an old one that was kept
 * open.
 */
const BROKEN: ReadonlySet<string> = new Set(["ECONNRESET", "EPIPE", "ERR_SOCKET_CLOSED"]);
const SILENT_CODES: ReadonlySet<string> = new Set(["TimeoutError", "AbortError", "ABORT_ERR"]);

interface Found {
  readonly found: string;
  readonly next?: string;
}

const UNTRUSTED: Found = {
  found: "its certificate is not trusted",
  next: "Pass the CA certificate with --ca-file.",
};
const SILENT: Found = { found: "timed out" };
const NO_NAME: Found = { found: "unknown host" };

const FOUND: Readonly<Record<string, Found>> = {
  ECONNREFUSED: { found: "connection refused" },
  ENOTFOUND: NO_NAME,
  EAI_AGAIN: NO_NAME,
  TimeoutError: SILENT,
  AbortError: SILENT,
  ABORT_ERR: SILENT,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
};

const start = (): string =>
  `Start a plane with \`${ownCommand()} plane\` or \`${ownCommand()} up\`, or pass its address with --server.`;

/** A no that stays a no wherever one asks, and mistakes of the caller's own. */
export const isFinal = (error: unknown): boolean =>
  !(error instanceof Error) || (error instanceof UserError && !isPassing(error));

/**
 * Worth another try: the connection broke, or the plane says that it cannot serve at the moment.
 */
export function isPassing(error: unknown): boolean {
  if (error instanceof Refusal) return isPassingStatus(error.status.code);
  return error instanceof Error && isBroken(error);
}

export const isBroken = (error: Error): boolean => BROKEN.has(codeOf(error) ?? "");

export const isSilence = (error: unknown): boolean =>
  error instanceof Error && SILENT_CODES.has(codeOf(error) ?? error.name);

export const isRefused = (error: unknown): boolean =>
  error instanceof Error && codeOf(error) === "ECONNREFUSED";

/** How long the plane, or a proxy before it, asks to be left alone. */
export const askedMsOf = (error: unknown): number =>
  error instanceof Refusal ? (error.status.details.retryAfterSeconds ?? 0) * 1_000 : 0;

/** What the network has to say, with where we tried and what can be done. */
export function explained(error: unknown, url: URL, { origin }: Server): unknown {
  if (error instanceof UserError || !(error instanceof Error)) return error;
  const { found, next = start() } = foundIn(error);
  return new UserError("plane-unreachable", `${url.origin} (from ${origin}): ${found}. ${next}`);
}

/** The same of several planes: what happened at each, in the order in which they were asked. */
export function explainedOfAll(
  happened: ReadonlyMap<URL, unknown>,
  { urls, origin }: Server,
): UserError {
  const lines = [...happened].map(([url, error]) => `  ${url.origin}: ${foundText(error)}`);
  const answers = [...happened.values()].filter((error) => error instanceof Refusal);
  const untrusted = [...happened.values()].some((error) => nextOf(error) === UNTRUSTED.next);
  const advice = untrusted
    ? UNTRUSTED.next
    : answers.length > 0
      ? "Try again in a moment."
      : start();
  return new UserError(
    answers.length > 0 ? "plane-failed" : "plane-unreachable",
    [`Tried ${lines.length} of ${urls.length} planes (from ${origin}):`, ...lines, advice].join(
      "\n",
    ),
  );
}

function foundText(error: unknown): string {
  if (error instanceof Refusal) return `HTTP ${error.status.code}: ${error.status.message}`;
  return error instanceof Error ? foundIn(error).found : String(error);
}

const nextOf = (error: unknown): string | undefined =>
  error instanceof Error ? foundIn(error).next : undefined;

const foundIn = (error: Error): Found =>
  FOUND[codeOf(error) ?? error.name] ?? { found: error.message };

function codeOf(error: Error): string | undefined {
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === "string" ? code : undefined;
}
