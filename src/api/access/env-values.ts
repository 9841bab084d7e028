/**
 * Values of environment variables are for callers with the power `env` (AZ49). All others see the
 * names, and a placeholder in place of each value, which a write may bring back.
 */
import type { PastTemplate } from "../../core/model/rollout.ts";
import type { AnyObject, Template } from "../../core/model/objects.ts";
import { fieldOf, isJsonObject, type JsonObject } from "../http/json-value.ts";

/** What a caller is shown in place of an object. */
export type Veil = (object: AnyObject) => AnyObject;

export const unveiled: Veil = (object) => object;

export const HIDDEN = "<hidden>";
/** Of an earlier template, so that a write that goes back to it brings that value back. */
const hiddenOf = (generation: number): string => `<hidden, of generation ${generation}>`;
const PLACEHOLDER = /^<hidden(?:, of generation (\d{1,15}))?>$/;

export interface Placeholder {
  /** Undefined: the present template. */
  readonly generation: number | undefined;
}

export function placeholderIn(value: unknown): Placeholder | undefined {
  const found = typeof value === "string" ? PLACEHOLDER.exec(value) : null;
  if (found === null) return undefined;
  return { generation: found[1] === undefined ? undefined : Number(found[1]) };
}

/** `kubectl apply` keeps the manifest that it applied here, values and all. */
export const APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

/** An object is shown to many callers: the same one for as long as it is there. */
const made = new WeakMap<AnyObject, AnyObject>();

export function withoutValues(object: AnyObject): AnyObject {
  const known = made.get(object) ?? hidden(object);
  made.set(object, known);
  return known;
}

/** The object itself where there is no value in it. */
function hidden(object: AnyObject): AnyObject {
  if (object.kind === "Replica") {
    const template = hiddenTemplate(object.spec.template);
    if (template === object.spec.template && !hasApplied(object)) return object;
    return { ...object, meta: hiddenMeta(object.meta), spec: { ...object.spec, template } };
  }
  if (object.kind !== "Workload") return object;
  const { spec, status } = object;
  const template = hiddenTemplate(spec.template);
  const history = status.history?.map(hiddenPast);
  const isSame = history?.every((past, at) => past === status.history?.[at]) ?? true;
  if (template === spec.template && isSame && !hasApplied(object)) return object;
  return {
    ...object,
    meta: hiddenMeta(object.meta),
    spec: { ...spec, template },
    status: history === undefined ? status : { ...status, history },
  };
}

function hiddenPast(past: PastTemplate): PastTemplate {
  const template = hiddenTemplate(past.template, hiddenOf(past.generation));
  return template === past.template ? past : { ...past, template };
}

function hiddenTemplate(template: Template, placeholder = HIDDEN): Template {
  const { run } = template;
  if (run === undefined || Object.keys(run.env).length === 0) return template;
  const names = Object.keys(run.env).map((name) => [name, placeholder]);
  return { ...template, run: { ...run, env: Object.fromEntries(names) as typeof run.env } };
}

const hasApplied = ({ meta }: AnyObject): boolean => meta.annotations?.[APPLIED] !== undefined;

function hiddenMeta<Meta extends AnyObject["meta"]>(meta: Meta): Meta {
  const applied = meta.annotations?.[APPLIED];
  if (applied === undefined) return meta;
  return { ...meta, annotations: { ...meta.annotations, [APPLIED]: hiddenApplied(applied) } };
}

/** kubectl needs only the names, to see which ones a later manifest leaves out. */
export function hiddenApplied(text: string): string {
  let manifest: unknown;
  try {
    manifest = JSON.parse(text);
  } catch {
    // No reader can tell a value in it.
    return HIDDEN;
  }
  if (!isJsonObject(manifest)) return HIDDEN;
  const { spec } = manifest;
  const shown = isJsonObject(spec) ? { ...manifest, spec: mapEnv(spec, () => HIDDEN) } : manifest;
  const isNested = appliedIn(manifest) !== undefined;
  return `${JSON.stringify(isNested ? withApplied(shown, HIDDEN) : shown)}\n`;
}

export const appliedIn = (object: JsonObject): unknown =>
  fieldOf(fieldOf(object["metadata"], "annotations"), APPLIED);

export function withApplied(object: JsonObject, text: string): JsonObject {
  const { metadata } = object;
  const annotations = fieldOf(metadata, "annotations");
  if (!isJsonObject(metadata) || !isJsonObject(annotations)) return object;
  return { ...object, metadata: { ...metadata, annotations: { ...annotations, [APPLIED]: text } } };
}

/** The variables of a spec as clients write it. */
export function envIn(spec: unknown): JsonObject | undefined {
  const env = fieldOf(fieldOf(spec, "run"), "env");
  return isJsonObject(env) ? env : undefined;
}

export function mapEnv(
  spec: JsonObject,
  as: (name: string, value: unknown) => unknown,
): JsonObject {
  const env = envIn(spec);
  const { run } = spec;
  if (env === undefined || !isJsonObject(run)) return spec;
  const entries = Object.entries(env).map(([name, value]) => [name, as(name, value)]);
  return { ...spec, run: { ...run, env: Object.fromEntries(entries) as JsonObject } };
}
