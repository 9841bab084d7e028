/**
 * The core's own form of what somebody wants, as remote controllers send it back when they lift a
 * finalizer.
 */
import { type TSchema, Type } from "typebox";
import { WRITTEN_DEFINITIONS } from "../../core/kinds/kind-definitions.ts";
import { assert } from "../../core/model/assert.ts";
import type { WrittenKind } from "../../core/protocol/command.ts";
import { TAINT_EFFECTS } from "../../core/kinds/fields/node-fields.ts";
import { RECONCILES } from "../../core/model/disconnect.ts";
import { count, exactly, list, longText, oneOf, text, textMap, word } from "../http/wire-shapes.ts";
import { wireAmounts as amounts, wireFields } from "./wire-fields.ts";

const expressions = list(
  exactly({
    key: text,
    operator: oneOf(["in", "not-in", "exists", "does-not-exist", "gt", "lt"]),
    values: list(text),
  }),
);

const ask = exactly({
  amounts,
  device: Type.Optional(exactly({ class: text, models: list(text), count, shareMillis: count })),
  regions: list(text),
  zones: list(text),
  nodeSelector: textMap,
  nodeExpressions: Type.Optional(expressions),
  preferredNodes: Type.Optional(list(exactly({ weight: count, expressions }))),
  tolerations: list(
    exactly({ key: text, value: text, effect: Type.Optional(oneOf(["", ...TAINT_EFFECTS])) }),
  ),
});

const words = list(longText);

const run = exactly({
  env: textMap,
  workingDir: longText,
  user: text,
  ports: list(text),
  stopGraceMs: count,
  argCount: Type.Optional(count),
});

const probe = exactly({
  action: Type.Union([
    exactly({ kind: word("http"), port: text, path: longText }),
    exactly({ kind: word("tcp"), port: text }),
    exactly({ kind: word("exec"), command: words }),
  ]),
  timeoutMs: count,
});

const term = { by: text, labels: textMap, tenants: Type.Optional(list(text)) };
const terms = list(exactly(term));
const weightedTerms = list(exactly({ ...term, weight: count }));

const template = exactly({
  ask,
  spread: list(exactly({ by: text, maxSkew: count, soft: Type.Optional(Type.Boolean()) })),
  affinity: Type.Optional(
    exactly({
      required: terms,
      preferred: weightedTerms,
      antiRequired: terms,
      antiPreferred: weightedTerms,
    }),
  ),
  maxPerNode: Type.Optional(count),
  policy: Type.Optional(text),
  priorityClass: text,
  onDisconnect: oneOf(["stop", "keep"]),
  replaceAfterMs: Type.Optional(count),
  reconcile: Type.Optional(oneOf(RECONCILES)),
  command: words,
  run: Type.Optional(run),
  probe: Type.Optional(probe),
  metrics: Type.Optional(exactly({ port: text, path: text, requests: text })),
});

/** Which texts are percentages is for the check to say. */
const countOrText = Type.Union([count, text]);

const rollout = exactly({
  maxSurge: countOrText,
  maxUnavailable: countOrText,
  deadlineMs: count,
  steps: Type.Optional(list(exactly({ replicas: count, pauseMs: Type.Optional(count) }))),
  paused: Type.Optional(Type.Boolean()),
  onFailure: Type.Optional(oneOf(["rollback", "hold"])),
});

const batch = exactly({
  completions: count,
  parallelism: Type.Optional(count),
  backoffLimit: Type.Optional(count),
  perIndexRetries: Type.Optional(count),
  activeDeadlineMs: Type.Optional(count),
  ttlMs: Type.Optional(count),
});

/** Those of kinds that do not define their fields. */
const BY_HAND: Readonly<Partial<Record<WrittenKind, TSchema>>> = {
  Workload: exactly({
    type: oneOf(["service", "batch"]),
    replicas: count,
    template,
    disruption: Type.Optional(exactly({ maxUnavailable: count })),
    gang: Type.Optional(exactly({ deadlineMs: count })),
    rollout: Type.Optional(rollout),
    batch: Type.Optional(batch),
    recovery: Type.Optional(exactly({ withinMs: count, replicas: count, regions: list(text) })),
  }),
};

export const desiredSchema = Type.Union(
  WRITTEN_DEFINITIONS.map(({ kind, spec }) => {
    const schema = spec === undefined ? BY_HAND[kind] : wireFields(spec.fields);
    assert(schema !== undefined, `${kind} has no form on the wire.`);
    return exactly({ kind: word(kind), spec: schema });
  }),
);
