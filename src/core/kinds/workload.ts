/** Workload: what a tenant wants to run, how often, and where. */
import { scaledWorkload } from "../model/autoscaler.ts";
import { REPLICAS_FINALIZER } from "../model/finalizers.ts";
import type { ObjectKey } from "../model/ids.ts";
import type { Autoscaler, Workload, WorkloadSpec } from "../model/objects.ts";
import type { ObjectIndex } from "../observe/object-index.ts";
import type { RolloutSpec } from "../model/rollout.ts";
import { sparesOf } from "../rules/recovery/spare-rooms.ts";
import { countBesideShare, emptyModel, wrongDevices } from "./fields/device-ask.ts";
import { count, usually } from "./fields/field.ts";
import { valueWithoutKey, wrongExpressions } from "./fields/placement-fields.ts";
import {
  readTemplate,
  TEMPLATE,
  writeTemplate,
  WRITTEN_TEMPLATE,
  type WrittenTemplate,
} from "./fields/template-fields.ts";
import { PARTS, REPLICAS, TYPE, type WorkloadParts } from "./fields/workload-fields.ts";
import { isolatedProcess, portsWithoutNetwork, writableNothing } from "./isolation-rules.ts";
import type { WrittenDefinition } from "./kind-definition.ts";
import {
  emptyProgram,
  keptAndReplaced,
  metricsOfNoPort,
  recoveryElsewhere,
  restartOfBatch,
  severalProbes,
  WORKLOAD_RULES,
} from "./workload-rules.ts";
import { writtenAs } from "./written-form.ts";

/** How people write it: the template stands among the other fields. */
interface WrittenWorkload extends WorkloadParts, WrittenTemplate {
  readonly type: WorkloadSpec["type"];
  readonly replicas?: number;
}

export const workloadDefinition: WrittenDefinition<"Workload"> = {
  kind: "Workload",
  plural: "workloads",
  shortNames: ["wl"],
  scope: "tenant",
  goesWithTenant: true,
  writer: "people",
  deletedBy: "user",
  guard: { finalizer: REPLICAS_FINALIZER, lifter: "admit", from: "creation" },
  applyStep: 90,
  about: "A service or batch of a tenant: its process, number of replicas and placement.",
  spec: {
    about: "The desired state.",
    fields: {
      type: TYPE,
      replicas: count("The number of replicas.", REPLICAS),
      template: TEMPLATE,
      ...PARTS,
    },
    written: writtenAs<WorkloadSpec, WrittenWorkload>({
      fields: {
        type: TYPE,
        replicas: usually(count("The number of replicas.", REPLICAS), 1),
        ...PARTS,
        ...WRITTEN_TEMPLATE,
      },
      read: readWorkload,
      write: writeWorkload,
      rules: [
        emptyProgram,
        ...WORKLOAD_RULES,
        (written) => recoveryElsewhere(written, written.placement),
        (written) => keptAndReplaced(written, written, "replaceAfterMs"),
        (written) => restartOfBatch(written, written, "restartedAt"),
        ({ resources }) => countBesideShare(resources.devices),
        ({ resources }) => emptyModel(resources.devices),
        ({ placement }) => wrongExpressions(placement, "placement"),
        ({ placement }) => valueWithoutKey(placement, "placement"),
        severalProbes,
        metricsOfNoPort,
        isolatedProcess,
        portsWithoutNetwork,
        writableNothing,
      ],
    }),
    unsupported: {
      template: "not used in Berth: write resources, placement and run directly under spec.",
      selector: "not used in Berth: a workload owns its replicas by name.",
    },
    example: {
      name: "risk-api",
      namespace: "payments",
      spec: {
        replicas: 3,
        priorityClass: "critical",
        resources: { cpu: "500m", memory: "256Mi" },
        placement: { regions: ["eu-west"], spread: [{ by: "zone", maxSkew: 1 }] },
        rollout: { maxSurge: 1, deadline: "5m" },
        run: { command: ["node", "server.js"] },
      },
    },
    rules: [
      ...WORKLOAD_RULES,
      (spec) => recoveryElsewhere(spec, spec.template.ask),
      (spec) => keptAndReplaced(spec, spec.template, "template.replaceAfterMs"),
      (spec) => restartOfBatch(spec, spec.template, "template.restartedAt"),
      ({ template: { ask } }) => wrongDevices(ask.device, ask.amounts.deviceMillis),
      ({ template: { ask } }) => wrongExpressions(ask, "template.ask"),
    ],
  },
  references: ({ template: { priorityClass } }) =>
    priorityClass === ""
      ? []
      : [{ key: `PriorityClass//${priorityClass}` as ObjectKey, mustStay: false }],
  /** Room that is kept for it (RV5), and what scales it (AS1). */
  dependents: (objects, workload) => [
    ...sparesOf(objects, workload),
    ...autoscalersOf(objects, workload),
  ],
};

function readWorkload(written: WrittenWorkload): WorkloadSpec {
  const { type, replicas, disruption, gang, rollout, recovery, batch, ...template } = written;
  return {
    type,
    replicas: replicas ?? batch?.completions ?? 1,
    template: readTemplate(template),
    ...(disruption === undefined ? {} : { disruption }),
    ...(gang === undefined ? {} : { gang }),
    ...(rollout === undefined ? {} : { rollout: withoutNoSteps(rollout) }),
    ...(recovery === undefined ? {} : { recovery }),
    ...(batch === undefined ? {} : { batch }),
  };
}

const withoutNoSteps = ({ steps = [], ...rollout }: RolloutSpec): RolloutSpec =>
  steps.length === 0 ? rollout : { ...rollout, steps };

/** Of a job, the completions say how many replicas there are. */
function writeWorkload({ replicas, template, ...parts }: WorkloadSpec): WrittenWorkload {
  return {
    ...(parts.batch === undefined ? { replicas } : {}),
    ...parts,
    ...writeTemplate(template),
  };
}

const autoscalersOf = (objects: ObjectIndex, workload: Workload): readonly Autoscaler[] =>
  [...objects.all("Autoscaler").values()]
    .filter((each) => scaledWorkload(each) === workload.key)
    .toSorted((a, b) => (a.key < b.key ? -1 : 1));
