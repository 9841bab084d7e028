/** Specs of workloads that the API accepts, with every field that a client may send. */
import * as fc from "fast-check";
import type { BatchSpec } from "../../../src/core/model/batch.ts";
import { RECONCILES } from "../../../src/core/model/disconnect.ts";
import type {
  Affinity,
  Ask,
  DeviceAsk,
  NodeExpression,
  WorkloadSpec,
} from "../../../src/core/model/objects.ts";
import type { Toleration } from "../../../src/core/model/node/taint.ts";
import type { MetricsPage, Probe, RunOptions } from "../../../src/core/model/run-options.ts";
import type { SecretRefs } from "../../../src/core/model/secret/secret-refs.ts";
import {
  anyAmount,
  anyEffect,
  anyLabelKey,
  anyLabels,
  anyModel,
  anyName,
  anyText,
  anyWord,
  someOf,
} from "./any-value.ts";

const port = fc.stringMatching(/^[a-z]([-a-z0-9]{0,8}[a-z0-9])?$/);

const whole = { models: someOf(anyModel), shareMillis: fc.constant(1000) };
const device: fc.Arbitrary<DeviceAsk | undefined> = fc.oneof(
  fc.constant(undefined),
  fc.record({ class: anyWord, count: fc.integer({ min: 1, max: 1024 }), ...whole }),
  fc.record({
    class: anyWord,
    models: someOf(anyModel),
    count: fc.constant(1),
    shareMillis: fc.integer({ min: 1, max: 1000 }),
  }),
);

const by = fc.oneof(fc.constantFrom("zone", "region", "node"), anyLabelKey);
const weight = fc.integer({ min: 1, max: 100 });
const expression: fc.Arbitrary<NodeExpression> = fc.oneof(
  fc.record({
    key: anyWord,
    operator: fc.constantFrom("in" as const, "not-in" as const),
    values: fc.array(anyText, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({
    key: anyWord,
    operator: fc.constantFrom("exists" as const, "does-not-exist" as const),
    values: fc.constant([]),
  }),
  fc.record({
    key: anyWord,
    operator: fc.constantFrom("gt" as const, "lt" as const),
    values: fc.integer().map((number) => [`${number}`]),
  }),
);
const term = { by, labels: anyLabels, tenants: someOf(anyName) };
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
  fc.record(
    { key: anyWord, value: anyText, effect: anyEffect },
    { requiredKeys: ["key", "value"] },
  ),
  fc.record({ key: fc.constant(""), value: fc.constant(""), effect: anyEffect }),
);
const labelled = fc.record(
  {
    nodeExpressions: someOf(expression),
    preferredNodes: someOf(fc.record({ weight, expressions: someOf(expression) })),
    fixedPorts: fc.record({ http: fc.integer({ min: 1, max: 65_535 }) }),
  },
  { requiredKeys: [] },
);
const together = fc.record(
  { affinity, maxPerNode: fc.integer({ min: 1, max: 100_000 }) },
  { requiredKeys: [] },
);

const ask: fc.Arbitrary<Ask> = fc
  .record({
    cpuMillis: anyAmount,
    memoryMiB: anyAmount,
    device,
    regions: someOf(anyName),
    zones: someOf(anyName),
    nodeSelector: anyLabels,
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
      fc.record({
        kind: fc.constant("exec" as const),
        command: fc.array(anyText, { minLength: 1 }),
      }),
      ...ports.flatMap((each) => [
        fc.record({
          kind: fc.constant("http" as const),
          port: fc.constant(each),
          path: anyText.map((text) => `/${text}`),
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

const envName = anyWord.filter((text) => !text.includes("=") && text !== "__proto__");
const refs = (names: RegExp): fc.Arbitrary<SecretRefs> =>
  fc.dictionary(
    fc.stringMatching(names),
    fc.record({ name: anyName, key: fc.stringMatching(/^[-._a-zA-Z0-9]{1,9}$/) }),
    { noNullPrototype: true, maxKeys: 2 },
  );
const run: fc.Arbitrary<RunOptions> = fc.record(
  {
    secretEnv: refs(/^X[A-Z_]{0,6}$/),
    secretFiles: refs(/^x[A-Za-z0-9._-]{0,6}$/),
    env: fc.dictionary(envName, anyText, { noNullPrototype: true, maxKeys: 3 }),
    workingDir: anyText,
    user: anyText,
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

/** A fixed port has the name of a port that the process is given. */
function withKnownPort<A extends Pick<Ask, "fixedPorts">>(
  { fixedPorts, ...rest }: A,
  [name]: readonly string[],
): Omit<A, "fixedPorts"> & Pick<Ask, "fixedPorts"> {
  const [fixed] = Object.values(fixedPorts ?? {});
  return fixed === undefined || name === undefined
    ? rest
    : { ...rest, fixedPorts: { [name]: fixed } };
}

/** Only in such a service does a replacement take over from a kept replica (DC4). */
const isLone = (type: string, gang: unknown, job: unknown): boolean =>
  type === "service" && gang === undefined && job === undefined;

export const anyWorkloadSpec: fc.Arbitrary<WorkloadSpec> = fc
  .option(run, { nil: undefined })
  .chain((options) =>
    fc
      .record({
        type: fc.constantFrom("service", "batch"),
        replicas: fc.nat(100_000),
        ask: ask.map((each) => withKnownPort(each, options?.ports ?? [])),
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
        priorityClass: fc.oneof(fc.constant(""), anyName),
        onDisconnect: fc.constantFrom("stop", "keep"),
        waiting: fc.record(
          {
            replaceAfterMs: fc.integer({ min: 1, max: 86_400_000 }),
            reconcile: fc.constantFrom(...RECONCILES),
          },
          { requiredKeys: [] },
        ),
        first: anyWord,
        // Arguments come after the words of the command, of which there is at least one.
        rest: fc.array(anyText, { minLength: options?.argCount ?? 0, maxLength: 4 }),
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
