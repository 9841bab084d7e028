/**
 * A fleet without what may be secret: values of environments, and what clients wrote beside the
 * specs. No decision reads either, so a fleet without them behaves the same.
 */
import type { AnyObject, Template } from "../core/model/objects.ts";
import type { Fleet } from "./fleet.ts";

export const withoutSecrets = ({ source, objects }: Fleet): Fleet => ({
  source,
  objects: objects.map(withoutItsSecrets),
});

function withoutItsSecrets(object: AnyObject): AnyObject {
  const { annotations: _, managedFields: __, ...meta } = object.meta;
  return { ...withBareTemplates(object), meta };
}

function withBareTemplates(object: AnyObject): AnyObject {
  if (object.kind === "Replica") {
    return { ...object, spec: { ...object.spec, template: bare(object.spec.template) } };
  }
  if (object.kind !== "Workload") return object;
  const { spec, status } = object;
  const history = status.history?.map((past) => ({ ...past, template: bare(past.template) }));
  return {
    ...object,
    spec: { ...spec, template: bare(spec.template) },
    status: history === undefined ? status : { ...status, history },
  };
}

/** The names stay: they are part of what a person recognizes. */
function bare(template: Template): Template {
  if (template.run === undefined) return template;
  const env = Object.fromEntries(Object.keys(template.run.env).map((name) => [name, ""]));
  return { ...template, run: { ...template.run, env } };
}
