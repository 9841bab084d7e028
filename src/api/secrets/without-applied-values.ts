/**
 * `kubectl apply` keeps the manifest that it applied in an annotation, values and all. The values
 * in it are replaced as in the object itself (SE2): kubectl needs only their keys to see which ones
 * a later manifest leaves out.
 */
import { zeroBytes } from "../../core/kinds/secret.ts";
import { fieldOf, isJsonObject, type JsonObject } from "../http/json-value.ts";

const APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

export function withoutAppliedValues(object: JsonObject): JsonObject {
  const { metadata } = object;
  const annotations = fieldOf(metadata, "annotations");
  const applied = fieldOf(annotations, APPLIED);
  if (applied === undefined || !isJsonObject(metadata) || !isJsonObject(annotations)) return object;
  const { [APPLIED]: _, ...others } = annotations;
  const kept = typeof applied === "string" ? withoutValues(applied) : undefined;
  return {
    ...object,
    metadata: {
      ...metadata,
      annotations: kept === undefined ? others : { ...others, [APPLIED]: kept },
    },
  };
}

/** Undefined for a text that is no object: no reader can tell a value in it. */
function withoutValues(text: string): string | undefined {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isJsonObject(read)) return undefined;
  const { data, stringData, ...rest } = read;
  const { apiVersion, kind, metadata, type, immutable } = rest;
  return `${JSON.stringify({
    apiVersion,
    kind,
    metadata: isJsonObject(metadata) ? withoutAppliedValues({ metadata })["metadata"] : undefined,
    type,
    immutable,
    ...(isJsonObject(data) ? { data: hidden(data, "base64") } : {}),
    ...(isJsonObject(stringData) ? { stringData: hidden(stringData, "utf8") } : {}),
  })}\n`;
}

const hidden = (values: JsonObject, encoding: "base64" | "utf8"): JsonObject =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const bytes = typeof value === "string" ? Buffer.byteLength(value, encoding) : 0;
      return [name, encoding === "base64" ? zeroBytes(bytes) : ""];
    }),
  );
