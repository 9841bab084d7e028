/**
 * A user puts an object of its own tenant whose spec is drawn from the definition of its kind: some
 * are rejected, and all others must be served, or wait with a reason, like any honest object.
 */
import { WRITTEN_DEFINITIONS } from "../../core/kinds/kind-definitions.ts";
import type { WrittenDefinition } from "../../core/kinds/kind-definition.ts";
import type { ObjectKey } from "../../core/model/ids.ts";
import type { WorkloadSpec } from "../../core/model/objects.ts";
import type { Desired, IntentOf } from "../../core/protocol/command.ts";
import { worldWorkload } from "../world/build-world.ts";
import { drawSpec } from "./draw-spec.ts";
import type { Lie, Scene } from "./hostile-sender.ts";

/** So many names are used again and again. */
const NAMES = 4;
/** A workload is otherwise an ordinary one, or its fields would contradict each other each time. */
const CHANGED_PARTS = 2;
const TINY = { cpuMillis: 10, memoryMiB: 8 };

/** A class of another band would preempt honest work, which a tenant may do today. */
const KEPT_PARTS: ReadonlySet<string> = new Set(["template", "priorityClass"]);

/** A quota is what its operator grants, so no tenant writes its own. */
const OWN_KINDS: readonly WrittenDefinition[] = WRITTEN_DEFINITIONS.filter(
  ({ scope, kind }) => scope === "tenant" && kind !== "Quota",
);

export const strangePut: Lie = (scene) => {
  const definition = scene.pick("kind", OWN_KINDS);
  if (definition === undefined) return [];
  const { kind } = definition;
  const name = `strange-${scene.at % NAMES}`;
  const spec =
    kind === "Workload"
      ? strangeWorkload(definition, scene)
      : drawSpec(definition.spec.fields, scene.draw);
  const put: IntentOf<"put"> = {
    kind: "put",
    operation: scene.operation,
    key: `${kind}/${scene.own}/${name}` as ObjectKey,
    // Drawn by the fields of its kind, which are checked against the type of its spec.
    desired: { kind, spec } as unknown as Desired,
    labels: {},
    finalizers: [],
    expect: {},
  };
  return [put];
};

/** An ordinary workload with some parts of its spec and of its template drawn. */
function strangeWorkload(definition: WrittenDefinition, { own, draw }: Scene): WorkloadSpec {
  const { spec } = worldWorkload({ tenant: own, name: "strange", replicas: 2, amounts: TINY });
  const drawn = drawSpec(definition.spec.fields, draw) as unknown as WorkloadSpec;
  const parts = [drawn, drawn.template].flatMap((from, at) =>
    Object.entries(from)
      .filter(([name]) => !KEPT_PARTS.has(name))
      .map(([name, value]) => ({ isOfTemplate: at === 1, name, value: value as unknown })),
  );
  const changes = Array.from(
    { length: CHANGED_PARTS },
    (_, at) => parts[draw(`part ${at}`, parts.length)],
  );
  return changes.reduce<WorkloadSpec>((made, change) => {
    if (change === undefined) return made;
    const { isOfTemplate, name, value } = change;
    return isOfTemplate
      ? { ...made, template: { ...made.template, [name]: value } }
      : { ...made, [name]: value };
  }, spec);
}
