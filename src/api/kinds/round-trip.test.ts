import * as fc from "fast-check";
import { expect, test } from "vitest";
import { aMeta } from "../../../test/builders/a-meta.ts";
import type { BatchSpec } from "../../core/model/batch.ts";
import { RECONCILES } from "../../core/model/disconnect.ts";
import type { Desired } from "../../core/protocol/command.ts";
import { type Kind, keyOf } from "../../core/model/ids.ts";
import type {
  Affinity,
  AnyObject,
  Ask,
  DeviceAsk,
  DevicePool,
  NodeExpression,
  NodeSpec,
  QuotaSpec,
  Toleration,
  WorkloadSpec,
} from "../../core/model/objects.ts";
import type { MetricsPage, Probe, RunOptions } from "../../core/model/run-options.ts";
import { ObjectIndex } from "../../core/observe/object-index.ts";
import { toApiObject } from "../metadata.ts";
import { checkObject } from "../schema/check-object.ts";
import { kindByName } from "./all-kinds.ts";

const amount = fc.oneof(fc.nat(), fc.integer({ min: 0, max: 2 ** 40 }));
const name = fc.stringMatching(/^[a-z0-9]([-a-z0-9.]{0,10}[a-z0-9])?$/);
const port = fc.stringMatching(/^[a-z]([-a-z0-9]{0,8}[a-z0-9])?$/);
const labelKey = fc.stringMatching(/^[A-Za-z0-9]([-A-Za-z0-9_.]{0,10}[A-Za-z0-9])?$/);
const labels = fc.dictionary(labelKey, fc.stringMatching(/^([A-Za-z0-9]{1,10})?$/), {
  noNullPrototype: true,
  maxKeys: 3,
});
const words = fc.string({ unit: "binary" }).filter((text) => !text.includes("\u0000"));
const program = words.filter((text) => text !== "");
const someOf = <T>(each: fc.Arbitrary<T>) => fc.array(each, { maxLength: 3 });

const model = fc.stringMatching(/^[A-Za-z0-9]([-A-Za-z0-9 ]{0,6}[A-Za-z0-9])?$/);
const whole = { models: someOf(model), shareMillis: fc.constant(1000) };
const device: fc.Arbitrary<DeviceAsk | undefined> = fc.oneof(
  fc.constant(undefined),
  fc.record({ class: program, count: fc.integer({ min: 1, max: 1024 }), ...whole }),
  fc.record({
    class: program,
    models: someOf(model),
    count: fc.constant(1),
    shareMillis: fc.integer({ min: 1, max: 1000 }),
  }),
);

const by = fc.oneof(fc.constantFrom("zone", "region", "node"), labelKey);
const effect = fc.constantFrom("no-schedule" as const, "prefer-no-schedule" as const);
const weight = fc.integer({ min: 1, max: 100 });
const expression: fc.Arbitrary<NodeExpression> = fc.oneof(
  fc.record({
    key: program,
    operator: fc.constantFrom("in" as const, "not-in" as const),
    values: fc.array(words, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({
    key: program,
    operator: fc.constantFrom("exists" as const, "does-not-exist" as const),
    values: fc.constant([]),
  }),
  fc.record({
    key: program,
    operator: fc.constantFrom("gt" as const, "lt" as const),
    values: fc.integer().map((number) => [`${number}`]),
  }),
);
const term = { by, labels, tenants: someOf(name) };
const terms = someOf(fc.record(term, { requiredKeys: ["by", "labels"] }));
const weightedTerms = someOf(
  fc.record({ weight, ...term }, { requiredKeys: ["weight", "by", "labels"] }),
);
const affinity: fc.Arbitrary<Affinity> = fc.record({
  required: terms,
  preferred: weightedTerms,
  antiRequired: terms,
  antiPreferred: weightedTerms,
});
const toleration: fc.Arbitrary<Toleration> = fc.oneof(
  fc.record({ key: program, value: words, effect }, { requiredKeys: ["key", "value"] }),
  fc.record({ key: fc.constant(""), value: fc.constant(""), effect }),
);
const labelled = fc.record(
  {
    nodeExpressions: someOf(expression),
    preferredNodes: someOf(fc.record({ weight, expressions: someOf(expression) })),
  },
  { requiredKeys: [] },
);
const together = fc.record(
  { affinity, maxPerNode: fc.integer({ min: 1, max: 100_000 }) },
  { requiredKeys: [] },
);

const ask: fc.Arbitrary<Ask> = fc
  .record({
    cpuMillis: amount,
    memoryMiB: amount,
    device,
    regions: someOf(name),
    zones: someOf(name),
    nodeSelector: labels,
    labelled,
    tolerations: someOf(toleration),
  })
  .map(({ cpuMillis, memoryMiB, device: asked, labelled: said, ...rest }) => ({
    ...said,
    amounts: {
      cpuMillis,
      memoryMiB,
      deviceMillis: asked === undefined ? 0 : asked.count * asked.shareMillis,
    },
    ...(asked === undefined ? {} : { device: asked }),
    ...rest,
  }));

const probeOf = (ports: readonly string[]): fc.Arbitrary<Probe> =>
  fc.record({
    action: fc.oneof(
      fc.record({ kind: fc.constant("exec" as const), command: fc.array(words, { minLength: 1 }) }),
      ...ports.flatMap((each) => [
        fc.record({
          kind: fc.constant("http" as const),
          port: fc.constant(each),
          path: words.map((text) => `/${text}`),
        }),
        fc.record({ kind: fc.constant("tcp" as const), port: fc.constant(each) }),
      ]),
    ),
    timeoutMs: fc.integer({ min: 1, max: 86_400_000 }),
  });

const metricsOf = (ports: readonly string[]): fc.Arbitrary<MetricsPage | undefined> =>
  ports.length === 0
    ? fc.constant(undefined)
    : fc.option(
        fc.record({
          port: fc.constantFrom(...ports),
          path: fc.stringMatching(/^\/[!-~]{0,20}$/),
          requests: fc.stringMatching(/^[a-zA-Z_:][a-zA-Z0-9_:]{0,20}$/),
        }),
        { nil: undefined },
      );

const envName = program.filter((text) => !text.includes("=") && text !== "__proto__");
const run: fc.Arbitrary<RunOptions> = fc.record(
  {
    env: fc.dictionary(envName, words, { noNullPrototype: true, maxKeys: 3 }),
    workingDir: words,
    user: words,
    ports: fc.uniqueArray(port, { maxLength: 3 }),
    stopGraceMs: fc.nat(86_400_000),
    argCount: fc.nat(2),
  },
  { requiredKeys: ["env", "workingDir", "user", "ports", "stopGraceMs"] },
);

const batch: fc.Arbitrary<BatchSpec> = fc.record(
  {
    completions: fc.integer({ min: 1, max: 100_000 }),
    parallelism: fc.integer({ min: 1, max: 100_000 }),
    backoffLimit: fc.nat(100_000),
    perIndexRetries: fc.nat(100_000),
    activeDeadlineMs: fc.integer({ min: 1, max: 31_536_000_000 }),
    ttlMs: fc.integer({ min: 0, max: 31_536_000_000 }),
  },
  { requiredKeys: ["completions"] },
);

/** Only of such a service is a replica replaced that is kept (DC4). */
const isLone = (type: string, gang: unknown, job: unknown): boolean =>
  type === "service" && gang === undefined && job === undefined;

const workloadSpec: fc.Arbitrary<WorkloadSpec> = fc
  .option(run, { nil: undefined })
  .chain((options) =>
    fc
      .record({
        type: fc.constantFrom("service", "batch"),
        replicas: fc.nat(100_000),
        ask,
        spread: someOf(
          fc.record(
            {
              by,
              maxSkew: fc.integer({ min: 1, max: 100_000 }),
              soft: fc.constant(true),
            },
            { requiredKeys: ["by", "maxSkew"] },
          ),
        ),
        together,
        priorityClass: fc.oneof(fc.constant(""), name),
        onDisconnect: fc.constantFrom("stop", "keep"),
        waiting: fc.record(
          {
            replaceAfterMs: fc.integer({ min: 1, max: 86_400_000 }),
            reconcile: fc.constantFrom(...RECONCILES),
          },
          { requiredKeys: [] },
        ),
        first: program,
        // Arguments come after the words of the command, of which there is at least one.
        rest: fc.array(words, { minLength: options?.argCount ?? 0, maxLength: 4 }),
        probe: fc.option(probeOf(options?.ports ?? []), { nil: undefined }),
        metrics: metricsOf(options?.ports ?? []),
        deadlineMs: fc.option(fc.integer({ min: 1, max: 86_400_000 }), { nil: undefined }),
        maxUnavailable: fc.option(fc.nat(100_000), { nil: undefined }),
        batch: fc.option(batch, { nil: undefined }),
      })
      .map(
        ({
          type,
          replicas,
          deadlineMs,
          maxUnavailable,
          first,
          rest,
          probe,
          metrics,
          together: others,
          waiting,
          batch: job,
          ...template
        }) => ({
          ...(job === undefined
            ? {
                type,
                replicas: deadlineMs === undefined ? replicas : replicas % 1_025,
                ...(deadlineMs === undefined ? {} : { gang: { deadlineMs } }),
                ...(maxUnavailable === undefined ? {} : { disruption: { maxUnavailable } }),
              }
            : { type: "batch" as const, replicas: job.completions, batch: job }),
          template: {
            ...template,
            ...others,
            ...(template.onDisconnect === "stop" || isLone(type, deadlineMs, job) ? waiting : {}),
            command: [first, ...rest],
            ...(options === undefined ? {} : { run: options }),
            ...(probe === undefined ? {} : { probe }),
            ...(metrics === undefined ? {} : { metrics }),
          },
        }),
      ),
  );

const maybeModel = fc.oneof(fc.constant(""), model);
const usualPool = (count: number, from: number): DevicePool => ({
  class: "gpu",
  model: `M${from}`,
  ids: Array.from({ length: count }, (_, index) => `gpu-${from + index}`),
});
const nodePools: fc.Arbitrary<readonly DevicePool[]> = fc.oneof(
  fc.constant([]),
  fc
    .record({ class: program, model: maybeModel, ids: fc.uniqueArray(program, { maxLength: 4 }) })
    .map((pool) => [pool]),
  fc
    .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 }))
    .map(([first, second]) => [usualPool(first, 0), usualPool(second, first)]),
  fc
    .tuple(program, program, maybeModel)
    .filter(([one, other]) => one !== other)
    .map(([one, other, its]) => [
      { class: "gpu", model: its, ids: [one] },
      { class: "fpga", model: "", ids: [other] },
    ]),
);

const nodeSpec: fc.Arbitrary<NodeSpec> = fc
  .record({
    region: name,
    zone: name,
    cpuMillis: amount,
    memoryMiB: amount,
    pools: nodePools,
    taints: someOf(fc.record({ key: program, value: words, effect })),
    cordons: someOf(fc.record({ holder: program, reason: words })),
    draining: fc.boolean(),
    limits: fc.record(
      { maxReplicas: fc.nat(100_000), supply: fc.constant("soft" as const) },
      { requiredKeys: [] },
    ),
  })
  .map(({ cpuMillis, memoryMiB, pools, limits, ...rest }) => ({
    ...limits,
    capacity: {
      cpuMillis,
      memoryMiB,
      deviceMillis: pools.reduce((sum, { ids }) => sum + 1000 * ids.length, 0),
    },
    pools,
    ...rest,
  }));

const STATUS: Partial<Record<Kind, unknown>> = {
  Budget: { owner: "ana", sinceMs: 0, untilMs: 1, extensions: 0 },
  Node: { health: "ready", healthSinceMs: 0, session: 1, evidence: undefined },
  Workload: { templateGeneration: 1 },
};

/**
 * Generated records may lack a prototype, which a strict comparison would take for a difference.
 */
const plain = <T>(each: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  each.map((value) => structuredClone(value));

/** Through JSON, as a client would send back what it has read. */
function sentBack(desired: Desired): Desired | readonly unknown[] {
  const kind = kindByName(desired.kind)!;
  const key = keyOf({
    kind: desired.kind,
    namespace: kind.isNamespaced ? "t" : "",
    name: desired.kind === "Quota" ? "default" : "x",
  });
  const object = { ...desired, key, meta: aMeta(key), status: STATUS[desired.kind] ?? {} };
  const shown = toApiObject(kind, object as AnyObject, new ObjectIndex());
  const read = JSON.parse(JSON.stringify(shown)) as { spec: unknown };
  expect(checkObject(kind, read)).toEqual({ unknownFields: [], mistakes: [] });
  return kind.toDesired(read.spec);
}

test("property: a workload that is read and sent back is the same wish", () => {
  fc.assert(
    fc.property(plain(workloadSpec), (spec) => {
      expect(sentBack({ kind: "Workload", spec })).toStrictEqual({ kind: "Workload", spec });
    }),
  );
});

test("property: a node that is read and sent back is the same node", () => {
  fc.assert(
    fc.property(plain(nodeSpec), (spec) => {
      expect(sentBack({ kind: "Node", spec })).toStrictEqual({ kind: "Node", spec });
    }),
  );
});

test("property: a quota that is read and sent back is the same, limit, group and parts", () => {
  const some = fc.record({
    cpuMillis: amount,
    memoryMiB: amount,
    deviceMillis: fc.nat(1_000_000_000),
  });
  const parts = fc.dictionary(name, some, { noNullPrototype: true, maxKeys: 3 });
  const alone = {
    limit: some,
    regions: parts,
    classes: parts,
    weight: fc.integer({ min: 1, max: 1_000_000 }),
    shrink: fc.constantFrom("wait" as const, "drain" as const),
  };
  const spec: fc.Arbitrary<QuotaSpec> = fc.oneof(
    fc.record(alone, { requiredKeys: ["limit"] }),
    fc.record({ ...alone, group: name, borrow: some }, { requiredKeys: ["limit", "group"] }),
  );
  fc.assert(
    fc.property(plain(spec), (each) => {
      const quota: Desired = { kind: "Quota", spec: each };
      expect(sentBack(quota)).toStrictEqual(quota);
    }),
  );
});

test("property: budgets, and policy revisions that grant them, are the same when they are read and sent back", () => {
  const some = fc
    .tuple(amount, amount, fc.nat(1_000_000))
    .map(([cpuMillis, memoryMiB, deviceMillis]) => ({ cpuMillis, memoryMiB, deviceMillis }));
  const names = fc.uniqueArray(name, { minLength: 1, maxLength: 4 }).map((list) => list.toSorted());
  const granted = {
    region: name,
    amounts: some,
    tenants: names,
    classes: names,
    ttlMs: fc.integer({ min: 1_000, max: 604_800_000 }),
  };
  const needed = ["region", "amounts", "ttlMs"] as const;
  const budget = fc.record(
    { ...granted, reason: program },
    { requiredKeys: [...needed, "reason"] },
  );
  const recovery = fc.record(
    {
      fairnessWindowMs: fc.integer({ min: 1_000, max: 3_600_000 }),
      grants: someOf(fc.record(granted, { requiredKeys: [...needed] })),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(plain(budget), plain(recovery), (spec, rules) => {
      expect(sentBack({ kind: "Budget", spec })).toStrictEqual({ kind: "Budget", spec });
      // A grant that is more than the reserve is refused, and is no subject here.
      const reserve = { cpuMillis: 2 ** 40, memoryMiB: 2 ** 40, deviceMillis: 1_000_000 };
      const revision: Desired = {
        kind: "PolicyRevision",
        spec: { scoring: "best-fit", recovery: { ...rules, reserve } },
      };
      expect(sentBack(revision)).toStrictEqual(revision);
    }),
  );
});

test("property: regions, tenants and priority classes that are read and sent back are the same", () => {
  const desired: fc.Arbitrary<Desired> = fc.oneof(
    fc.record({
      kind: fc.constant("Region" as const),
      spec: fc.record({ zones: fc.uniqueArray(name, { maxLength: 4 }) }),
    }),
    fc.record({
      kind: fc.constant("Tenant" as const),
      spec: fc.record({ displayName: fc.string() }),
    }),
    fc.record({
      kind: fc.constant("PriorityClass" as const),
      spec: fc.record(
        {
          value: fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }),
          preempts: fc.constantFrom("lower" as const, "never" as const),
          band: fc.string(),
          preemptible: fc.boolean(),
        },
        { requiredKeys: ["value"] },
      ),
    }),
  );
  fc.assert(
    fc.property(plain(desired), (each) => {
      expect(sentBack(each)).toStrictEqual(each);
    }),
  );
});
