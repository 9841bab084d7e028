/**
 * What is said between a plane and whatever makes machines for it: one request and one answer, the
 * same over the standard input of a program and over HTTP. docs/provisioning.md is this file for
 * people.
 */
import type { Amounts } from "../../core/model/amounts.ts";
import type { DevicePool, Labels } from "../../core/model/objects.ts";
import type { Taint } from "../../core/model/node/taint.ts";
import { sentence } from "../../core/model/text/sentence.ts";

/** Raised only when somebody who understands the version before would do something wrong. */
export const PROTOCOL_VERSION = 1;

/** An answer is one sentence; a longer text is not an answer. */
export const ANSWER_BYTES = 64 * 1_024;

export interface AskedNode {
  readonly name: string;
  /** Of this node object: a later one of the same name is another machine. */
  readonly uid: string;
  readonly region: string;
  readonly zone: string;
  readonly capacity: Amounts;
  /** Its exclusive devices, by class and model, with the names under which they are handed out. */
  readonly devices: readonly DevicePool[];
  readonly labels: Labels;
  readonly taints: readonly Taint[];
  /** How many replicas it takes at most; left out: as many as fit. */
  readonly maxReplicas?: number;
}

export interface ProvisionRequest {
  readonly version: typeof PROTOCOL_VERSION;
  readonly action: "create" | "delete";
  /** The same for every try of the same request, and of no other. */
  readonly key: string;
  readonly node: AskedNode;
  readonly pool: string;
  /** What `berth agent --server` on the machine is to be given. */
  readonly server: string;
  /** What its `--token-file` is to hold; left out where the plane has no tokens. */
  readonly joinToken?: string;
}

/**
 * `refused` is a no: nothing was done, and asking the same again is of no use. `doubtful` is
 * anything else that is not a yes: it may have been done, so the same key is asked about again.
 */
export type ProvisionAnswer =
  | { readonly kind: "accepted" }
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "doubtful"; readonly reason: string; readonly afterMs?: number };

export interface Provisioner {
  /** Never rejects. Ended early by the signal, it says that it is in doubt. */
  ask(request: ProvisionRequest, signal: AbortSignal): Promise<ProvisionAnswer>;
  /**
   * Told of all that it has when its plane begins to lead; left out where a machine goes on by
   * itself.
   */
  goOn?(requests: readonly ProvisionRequest[]): void;
  /** Its plane leads no more: the next leader goes on with them. */
  letGo?(): void;
  close(): Promise<void>;
}

export function requestKey(
  action: ProvisionRequest["action"],
  { name, uid }: Pick<AskedNode, "name" | "uid">,
): string {
  return `${action}-${name}-${uid}`;
}

export const accepted: ProvisionAnswer = { kind: "accepted" };
export const refused = (reason: string): ProvisionAnswer => ({
  kind: "refused",
  reason: told(reason),
});
export const doubtful = (reason: string): ProvisionAnswer => ({
  kind: "doubtful",
  reason: told(reason),
});

/** What an answer's text means; one that means nothing leaves everything open. */
export function readAnswer(text: string): ProvisionAnswer {
  const said = parsed(text);
  if (typeof said !== "object" || said === null) {
    return doubtful(`its answer is not a JSON object: ${shown(text)}`);
  }
  const { accepted: isAccepted, error } = said as { accepted?: unknown; error?: unknown };
  if (typeof error === "string" && error.trim() !== "") return refused(error);
  if (isAccepted === true && error === undefined) return accepted;
  return doubtful(
    `its answer has neither "accepted": true nor an "error" in words: ${shown(text)}`,
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Enough to recognise it by. */
const SHOWN_CHARACTERS = 120;

function shown(text: string): string {
  const line = oneLine(text);
  if (line === "") return "it is empty";
  return line.length <= SHOWN_CHARACTERS ? line : `${line.slice(0, SHOWN_CHARACTERS)}…`;
}

/**
 * Somebody else's words stand in the log and on terminals: one line, no control characters, and not
 * too many.
 */
function told(reason: string): string {
  return sentence(oneLine(reason)) ?? "it gave no reason";
}

export const oneLine = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ")
    .replaceAll(/ {2,}/g, " ")
    .trim();
