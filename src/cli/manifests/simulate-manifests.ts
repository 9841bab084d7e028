/**
 * `berth apply --simulate`: reads the whole plane as of one revision, applies the manifests to that
 * copy, and lets the plane's own controllers work on it in virtual time. Nothing is written.
 */
import { kindByName } from "../../api/kinds/all-kinds.ts";
import { definitionOf } from "../../core/kinds/kind-definitions.ts";
import { assert } from "../../core/model/assert.ts";
import { keyOf, operationId } from "../../core/model/ids.ts";
import type { IntentOf } from "../../core/protocol/command.ts";
import type { PlaneFleet } from "../../fleet/fleet.ts";
import { parseFleet } from "../../fleet/fleet-file.ts";
import { DURATION_FORM, parseDuration } from "../../quantity/duration.ts";
import { isRefused, rehearse } from "../../rehearsal/rehearse.ts";
import { UserError } from "../../shell/errors.ts";
import type { ApiClient } from "../client/api-client.ts";
import { ownName } from "../client/own-name.ts";
import { shownName } from "../client/resources.ts";
import type { Terminal } from "../main.ts";
import { rehearsalText, shownRehearsal, type Simulated } from "../text/rehearsal-text.ts";
import { type ApplyOf, type Compared, compareOne } from "./apply-manifests.ts";
import type { LocatedManifest } from "./locate-manifests.ts";
import { placeOfField } from "./place-of-field.ts";
import { type Mistake, throwMistakes } from "./read-manifests.ts";

export interface SimulateManifestsOptions {
  readonly output?: "table" | "json";
  readonly startTakes?: string;
  readonly watch?: string;
}

/** Rather long for a process that is on the node already, and short for one with an image. */
export const START_TAKES = "5s";
/** Longer than most rollouts; later than that much else has changed. */
export const WATCHED_FOR = "10m";

export async function simulateManifests(
  client: ApiClient,
  all: readonly LocatedManifest[],
  how: { readonly of: ApplyOf; readonly options: SimulateManifestsOptions },
  terminal: Terminal,
): Promise<void> {
  const { of, options } = how;
  const startMs = durationOf("--start-takes", options.startTakes ?? START_TAKES);
  const watchMs = durationOf("--watch", options.watch ?? WATCHED_FOR);
  const compared: (LocatedManifest & Compared)[] = [];
  for (const each of all) compared.push({ ...each, ...(await compareOne(client, each, of)) });
  const changed = compared.filter(({ change }) => change !== "unchanged");
  const mistakes: Mistake[] = [];
  const puts = changed.flatMap((each) => putOf(each, mistakes));
  throwMistakes("invalid-file", mistakes);
  const fleet = await readPlane(client);
  const sender = ownName(client.server) ?? "somebody";
  const made = rehearse({ fleet, puts, sender, pace: { startMs }, watchMs });
  if (isRefused(made)) {
    const { code, rule, field, expected, actual } = made.refusal;
    const text = `${field}: expected ${expected}, found ${actual} (${code}, rule ${rule}).`;
    const refused = changed[made.at];
    assert(refused !== undefined, "The rehearsal refused a put that it was not given.");
    throwMistakes("invalid-file", [mistakeOf(refused, "metadata.name", text)]);
    return;
  }
  const objects = compared.map(({ target, change }) => ({ object: shownName(target), change }));
  const simulated: Simulated = { objects, fleet, startMs, watchMs, ...made };
  const text =
    options.output === "json"
      ? `${JSON.stringify(shownRehearsal(simulated), undefined, 2)}\n`
      : rehearsalText(simulated);
  terminal.out(text);
}

/** The plane as it is at one revision. */
async function readPlane(client: ApiClient): Promise<PlaneFleet> {
  const { signal } = new AbortController();
  const parts: string[] = [];
  for await (const part of client.text("/fleet", {}, signal)) parts.push(part);
  const { source, objects, revision, atMs } = parseFleet(parts.join(""), `${client.url.href}fleet`);
  if (revision === undefined || atMs === undefined) {
    throw new UserError("plane-failed", "The plane sent a fleet without a revision. Upgrade it.");
  }
  return { source, objects, revision, atMs };
}

/** What the plane would be sent, in the core's form. */
function putOf(each: LocatedManifest & Compared, mistakes: Mistake[]): IntentOf<"put">[] {
  const { target, after } = each;
  const { metadata, spec } = after;
  const api = kindByName(target.resource.kind);
  if (api === undefined || definitionOf(api.kind).writer !== "people") {
    const text = `kind: a ${target.resource.kind} cannot be simulated. Leave it out with --simulate.`;
    mistakes.push(mistakeOf(each, "kind", text));
    return [];
  }
  const desired = api.toDesired(spec);
  if (!("kind" in desired)) {
    for (const { field, message } of desired as readonly { field: string; message: string }[]) {
      mistakes.push(mistakeOf(each, field, `${field}: ${message}`));
    }
    return [];
  }
  const { name, namespace } = target;
  const key = keyOf({ kind: api.kind, namespace, name });
  const { labels = {}, annotations = {}, finalizers = [] } = metadata;
  const operation = operationId(`simulate/${key}`);
  const meta = { labels, annotations, finalizers };
  return [{ kind: "put", operation, key, desired, ...meta, expect: {} }];
}

const mistakeOf = (each: LocatedManifest, field: string, text: string): Mistake => ({
  file: each.manifest.file,
  ...placeOfField(each.manifest, field),
  text,
});

function durationOf(option: string, text: string): number {
  const ms = parseDuration(text);
  if (ms !== undefined) return ms;
  throw new UserError("bad-usage", `${option}: found "${text}"; expected ${DURATION_FORM}.`);
}
