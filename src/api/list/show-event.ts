/** Watch events in the form the client asked for. */
import type { Revision } from "../../core/model/ids.ts";
import type { ApiContext } from "../http/api-context.ts";
import { showOne, type Showing } from "./show.ts";
import type { Shape } from "./shown-event.ts";

export const eventLine = (type: string, object: unknown): Buffer =>
  Buffer.from(`${JSON.stringify({ type, object })}\n`);

export function shapeOf(context: ApiContext, showing: Showing): Shape {
  const { kind, form, includeObject } = showing;
  return {
    id: `${kind.apiVersion}/${kind.name} ${form} ${form === "table" ? includeObject : ""}`,
    isVeiled: (object) => context.veil(object) !== object,
    encode: (type, object, revision) =>
      eventLine(type, showOne(context, showing, object, revision)),
  };
}

/** Says how far the stream has come; `initial-end` also says that all present objects were sent. */
export function showBookmark(
  { kind, form }: Showing,
  at: Revision,
  what: "progress" | "initial-end" = "progress",
): Buffer {
  const metadata = {
    resourceVersion: String(at),
    ...(what === "initial-end" ? { annotations: { "k8s.io/initial-events-end": "true" } } : {}),
  };
  switch (form) {
    case "object":
      return eventLine("BOOKMARK", { kind: kind.name, apiVersion: kind.apiVersion, metadata });
    case "partial":
      return eventLine("BOOKMARK", {
        kind: "PartialObjectMetadata",
        apiVersion: "meta.k8s.io/v1",
        metadata,
      });
    case "table":
      return eventLine("BOOKMARK", {
        kind: "Table",
        apiVersion: "meta.k8s.io/v1",
        metadata,
        columnDefinitions: [],
        rows: [],
      });
  }
}
