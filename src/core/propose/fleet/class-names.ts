/**
 * Names for ask classes: the same for all that ask for the same and have the same neighbours to
 * mind.
 */
import type { Replica, Template } from "../../model/objects.ts";
import type { Neighbours } from "../../observe/neighbours.ts";
import type { ObjectIndex } from "../../observe/object-index.ts";
import { spreadInForce } from "../../observe/policy-in-force.ts";
import { hasRegionQuota } from "./region-rule.ts";

export class ClassNames {
  private readonly byTemplate = new WeakMap<Template, string>();

  of({ meta, spec }: Replica, neighbours: Neighbours, objects: ObjectIndex): string {
    const { template } = spec;
    let name = this.ofTemplate(template);
    const spreads = spreadInForce(objects, template).length > 0;
    if (spreads || template.maxPerNode !== undefined) {
      name += ` ${spec.workloadUid}/${spec.generation}`;
    }
    if (template.affinity !== undefined || neighbours.hasGuards) {
      name += ` ${meta.namespace} ${JSON.stringify(meta.labels)}`;
    }
    if (hasRegionQuota(objects, meta.namespace)) name += ` in ${meta.namespace}`;
    return name;
  }

  private ofTemplate(template: Template): string {
    let name = this.byTemplate.get(template);
    if (name === undefined) {
      const { ask, spread, maxPerNode, affinity, policy } = template;
      name = JSON.stringify([ask, spread, maxPerNode ?? 0, affinity ?? 0, policy ?? ""]);
      this.byTemplate.set(template, name);
    }
    return name;
  }
}
