/**
 * `berth wait`: returns when an object has come as far as was asked for, or says how far it has
 * come.
 */
import type { Command } from "commander";
import { DURATION_FORM, formatDuration, parseDuration } from "../../quantity/duration.ts";
import { didYouMean } from "../../spelling/nearest.ts";
import type { ApiClient } from "../client/api-client.ts";
import { listOf, recordOf, type ShownObject, textOf, wantedOf } from "../../steering/api-object.ts";
import { connect } from "../client/connect.ts";
import { locate, parseReference } from "../client/locate.ts";
import { mirror } from "../client/mirror.ts";
import { collectionPath, type Located, shownName } from "../client/resources.ts";
import { addServerOptions, type ServerOptions } from "../client/server-options.ts";
import { UserError } from "../../shell/errors.ts";
import type { Terminal } from "../main.ts";
import { behindText } from "../text/stage-text.ts";

export interface WaitOptions extends ServerOptions {
  readonly namespace?: string;
  readonly for: string;
  readonly timeout?: string;
}

export function registerWait(program: Command, terminal: Terminal): void {
  const command = program
    .command("wait <kind/name> [name]")
    .description("wait for a state or condition of an object")
    .requiredOption(
      "--for <what>",
      "serving, succeeded, ready, deleted, or condition=TYPE[=STATUS]",
    )
    .option("--timeout <duration>", "maximum time to wait (default: 2m)")
    .option("-n, --namespace <tenant>", "tenant of the object");
  addServerOptions(command).action(
    async (first: string, second: string | undefined, options: WaitOptions) => {
      const what = parseGoal(options.for);
      const timeoutMs = readTimeout(options.timeout);
      const client = connect(options);
      const words = second === undefined ? [first] : [first, second];
      const target = await locate(client, parseReference(words, options.namespace));
      const met = await waitUntil(client, target, { what, timeoutMs });
      terminal.out(`${shownName(target)} ${met}\n`);
    },
  );
}

export type Goal =
  /** Another object of the same name may follow it, under another uid. */
  | { readonly kind: "deleted"; readonly uid?: string | undefined }
  /** Every replica that is wanted, or the replica or node itself. */
  | { readonly kind: "stage"; readonly stage: string }
  | { readonly kind: "condition"; readonly type: string; readonly status: string };

const STAGES = ["serving", "succeeded", "ready", "running"];

export function parseGoal(text: string): Goal {
  if (text === "deleted" || text === "delete") return { kind: "deleted" };
  if (STAGES.includes(text)) return { kind: "stage", stage: text };
  const [, type, status = "True"] = /^condition=(\w+)(?:=(\w+))?$/.exec(text) ?? [];
  if (type !== undefined) return { kind: "condition", type, status };
  const known = [...STAGES, "deleted"];
  throw new UserError(
    "bad-usage",
    `--for: found "${text}", expected ${known.join(", ")} or condition=TYPE.${didYouMean(text, known)}`,
  );
}

const DEFAULT_TIMEOUT_MS = 120_000;

export function readTimeout(text: string | undefined): number {
  if (text === undefined) return DEFAULT_TIMEOUT_MS;
  const ms = parseDuration(text);
  if (ms !== undefined && ms >= 0) return ms;
  throw new UserError("bad-usage", `--timeout: found "${text}", expected ${DURATION_FORM}.`);
}

/** What became true, in a few words. */
export async function waitUntil(
  client: ApiClient,
  target: Located,
  { what, timeoutMs }: { readonly what: Goal; readonly timeoutMs: number },
): Promise<string> {
  const { resource, namespace, name } = target;
  const found = new AbortController();
  const signal = AbortSignal.any([found.signal, AbortSignal.timeout(timeoutMs)]);
  let seen = "it was never observed";
  let met: string | undefined;
  await mirror(client, {
    path: collectionPath(resource, resource.isNamespaced ? namespace : undefined),
    query: { fieldSelector: `metadata.name=${name}` },
    signal,
    onChange: (objects) => {
      const [object] = objects.values();
      const answer = check(object, what);
      if (answer.isMet) {
        met = answer.text;
        found.abort();
      } else seen = answer.text;
      // A wait for a state does not wait for the object's creation.
      if (object === undefined && what.kind !== "deleted") found.abort();
    },
  });
  if (met !== undefined) return met;
  const sentence = `${shownName(target)} after ${formatDuration(timeoutMs)}: ${seen}.`;
  if (!found.signal.aborted) throw new UserError("timed-out", sentence);
  throw new UserError("not-found", `${shownName(target)} does not exist.`);
}

interface Checked {
  readonly isMet: boolean;
  readonly text: string;
}

export function check(object: ShownObject | undefined, goal: Goal): Checked {
  if (goal.kind === "deleted") {
    const isOther = goal.uid !== undefined && object?.metadata.uid !== goal.uid;
    if (object === undefined || isOther) return { isMet: true, text: "deleted" };
    const isAsked = object.metadata.deletionTimestamp !== undefined;
    return {
      isMet: false,
      text: isAsked ? "it is still being deleted" : "deletion was not requested",
    };
  }
  if (object === undefined) return { isMet: false, text: "it does not exist" };
  return goal.kind === "condition" ? checkCondition(object, goal) : checkStage(object, goal.stage);
}

function checkCondition(
  { status }: ShownObject,
  { type, status: wanted }: Extract<Goal, { kind: "condition" }>,
): Checked {
  const conditions = listOf(status?.["conditions"]).map(recordOf);
  const found = conditions.find(
    (each) => textOf(each["type"]).toLowerCase() === type.toLowerCase(),
  );
  if (found === undefined) {
    const known = conditions.map((each) => textOf(each["type"])).join(", ") || "none";
    return { isMet: false, text: `it has no condition ${type}; it has ${known}` };
  }
  const isMet = textOf(found["status"]).toLowerCase() === wanted.toLowerCase();
  const text = `${textOf(found["type"])} is ${textOf(found["status"])}`;
  return { isMet, text: isMet ? text : `${text}: ${textOf(found["message"]).replace(/\.$/, "")}` };
}

function checkStage(object: ShownObject, stage: string): Checked {
  const { spec, status } = object;
  const own = textOf(status?.["stage"] ?? status?.["health"]);
  if (own !== "") return { isMet: own === stage, text: own === stage ? own : `it is ${own}` };
  const wanted = wantedOf({ spec });
  const stages = Object.entries(recordOf(status?.["stages"]));
  const there = Number(recordOf(status?.["stages"])[stage] ?? 0);
  const shown =
    stages.map(([each, count]) => `${each} ${String(count)}`).join(", ") || "no replicas";
  const text = `${there} of ${wanted} ${stage}`;
  if (there >= wanted) return { isMet: true, text };
  const behind = behindText(object, Date.now());
  return { isMet: false, text: behind === "" ? `${text} (${shown})` : `${text}; ${behind}` };
}
