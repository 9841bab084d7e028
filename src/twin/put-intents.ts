/** What a person sends so that an object becomes as it is written: a put, or moves of a pointer. */
import type { Intent } from "../core/protocol/command.ts";
import { REPLICAS_FINALIZER } from "../core/model/finalizers.ts";
import { operationId } from "../core/model/ids.ts";
import type { AnyObject, ObjectOf } from "../core/model/objects.ts";
import type { ObjectIndex } from "../core/observe/object-index.ts";
import { UserError } from "../shell/errors.ts";

export interface Sent {
  readonly intent: Intent;
  readonly as: string;
}

const OPERATOR = "operator";
const REASON = "scenario of a twin";

/** `first` numbers the intents of one scenario: each is an operation of its own. */
export function putIntents(
  object: AnyObject,
  objects: ObjectIndex,
  first: number,
): readonly Sent[] {
  const { kind: of } = object;
  if (of === "Replica" || of === "Reservation" || of === "Lease" || of === "Join") {
    throw new UserError(
      "invalid-file",
      `A scenario cannot put ${object.key}: only the plane writes this kind.`,
    );
  }
  const held = objects.get(object.key);
  if (object.kind === "Policy" && held?.kind === "Policy" && held.spec.active !== undefined) {
    return moves(object, held, first);
  }
  const { key, kind, spec, meta } = object;
  const { labels, annotations } = meta;
  const intent = {
    kind: "put",
    operation: operationId(`user/${first}/put/${key}`),
    key,
    desired: { kind, spec },
    labels,
    ...(annotations === undefined ? {} : { annotations }),
    finalizers: finalizersOf(object),
    expect: {},
    ...(kind === "Node" ? { force: true } : {}),
  } as Extract<Intent, { kind: "put" }>;
  return [{ intent, as: ownerOf(held) ?? OPERATOR }];
}

/** A workload outlives its deletion until its replicas are gone. */
const finalizersOf = ({ kind, meta: { finalizers } }: AnyObject): readonly string[] =>
  kind !== "Workload" || finalizers.includes(REPLICAS_FINALIZER)
    ? finalizers
    : [...finalizers, REPLICAS_FINALIZER];

/** Only its owner extends an override. */
const ownerOf = (held: AnyObject | undefined): string | undefined =>
  held?.kind === "Override" ? held.status.owner : undefined;

/** Regions first: an activation everywhere is refused while a region has a revision of its own. */
function moves(
  wanted: ObjectOf<"Policy">,
  held: ObjectOf<"Policy">,
  first: number,
): readonly Sent[] {
  const sent: Sent[] = [];
  const move = (from: string, to: string, region?: string): void => {
    if (from === to) return;
    const operation = operationId(`user/${first + sent.length}/activate/${wanted.key}`);
    const where = region === undefined ? {} : { region };
    const policy = wanted.meta.name;
    const intent = { kind: "activate", operation, policy, ...where, from, to, reason: REASON };
    sent.push({ intent: intent as Extract<Intent, { kind: "activate" }>, as: OPERATOR });
  };
  const stages = new Map(held.spec.stages?.map(({ region, revision }) => [region, revision]));
  const active = held.spec.active ?? "";
  for (const { region, revision } of wanted.spec.stages ?? []) {
    move(stages.get(region) ?? active, revision, region);
    stages.delete(region);
  }
  for (const [region, revision] of stages) move(revision, active, region);
  move(active, wanted.spec.active ?? active);
  return sent;
}
