import * as fc from "fast-check";
import { expect, test } from "vitest";
import { aMeta } from "../../../test/builders/a-meta.ts";
import type { Desired } from "../../core/commit/command.ts";
import { type Kind, keyOf } from "../../core/model/ids.ts";
import type {
  AnyObject,
  Ask,
  NodeSpec,
  Probe,
  RunOptions,
  WorkloadSpec,
} from "../../core/model/objects.ts";
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

const devices = fc.oneof(
  fc.constant({ deviceClass: "", devices: 0 }),
  fc.record({ deviceClass: program, devices: fc.nat(1024) }),
);

const ask: fc.Arbitrary<Ask> = fc
  .record({
    cpuMillis: amount,
    memoryMiB: amount,
    devices,
    regions: someOf(name),
    zones: someOf(name),
    nodeSelector: labels,
    tolerations: someOf(fc.record({ key: program, value: words })),
  })
  .map(({ cpuMillis, memoryMiB, devices: { deviceClass, devices: count }, ...rest }) => ({
    amounts: { cpuMillis, memoryMiB, devices: count },
    deviceClass,
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

const workloadSpec: fc.Arbitrary<WorkloadSpec> = fc
  .option(run, { nil: undefined })
  .chain((options) =>
    fc
      .record({
        type: fc.constantFrom("service", "batch"),
        replicas: fc.nat(100_000),
        ask,
        spread: someOf(
          fc.record({
            by: fc.constantFrom("zone", "region", "node"),
            maxSkew: fc.integer({ min: 1, max: 100_000 }),
          }),
        ),
        priorityClass: fc.oneof(fc.constant(""), name),
        onDisconnect: fc.constantFrom("stop", "keep"),
        first: program,
        // Arguments come after the words of the command, of which there is at least one.
        rest: fc.array(words, { minLength: options?.argCount ?? 0, maxLength: 4 }),
        probe: fc.option(probeOf(options?.ports ?? []), { nil: undefined }),
      })
      .map(({ type, replicas, first, rest, probe, ...template }) => ({
        type,
        replicas,
        template: {
          ...template,
          command: [first, ...rest],
          ...(options === undefined ? {} : { run: options }),
          ...(probe === undefined ? {} : { probe }),
        },
      })),
  );

const nodeDevices = fc.oneof(
  fc.constant({ deviceClass: "", deviceIds: [] }),
  fc.record({ deviceClass: program, deviceIds: fc.uniqueArray(program, { maxLength: 4 }) }),
  fc.integer({ min: 1, max: 4 }).map((count) => ({
    deviceClass: "gpu",
    deviceIds: Array.from({ length: count }, (_, index) => `gpu-${index}`),
  })),
);

const nodeSpec: fc.Arbitrary<NodeSpec> = fc
  .record({
    region: name,
    zone: name,
    cpuMillis: amount,
    memoryMiB: amount,
    devices: nodeDevices,
    taints: someOf(fc.record({ key: program, value: words })),
    cordons: someOf(fc.record({ holder: program, reason: words })),
    draining: fc.boolean(),
  })
  .map(({ cpuMillis, memoryMiB, devices: units, ...rest }) => ({
    capacity: { cpuMillis, memoryMiB, devices: units.deviceIds.length },
    ...units,
    ...rest,
  }));

const STATUS: Partial<Record<Kind, unknown>> = {
  Node: { health: "ready", healthSinceMs: 0, session: 1, evidence: undefined },
  Workload: { templateGeneration: 1 },
};

/** Generated records may lack a prototype, which a strict comparison would take for a difference. */
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

test("property: a quota that is read and sent back is the same limit", () => {
  const limit = fc.record({ cpuMillis: amount, memoryMiB: amount, devices: fc.nat(1_000_000) });
  fc.assert(
    fc.property(plain(limit), (each) => {
      const quota: Desired = { kind: "Quota", spec: { limit: each } };
      expect(sentBack(quota)).toStrictEqual(quota);
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
      spec: fc.record({ value: fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }) }),
    }),
  );
  fc.assert(
    fc.property(plain(desired), (each) => {
      expect(sentBack(each)).toStrictEqual(each);
    }),
  );
});
