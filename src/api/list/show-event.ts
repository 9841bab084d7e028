/** Watch events in the form the client asked for. */
import type { Revision } from "../../core/model/ids.ts";
import type { AnyObject } from "../../core/model/objects.ts";
import type { ApiContext } from "../http/api-context.ts";
import { showOne, type Showing } from "./show.ts";
import type { Shape } from "./shown-event.ts";

export const eventLine = (type: string, object: unknown): Buffer =>
  eventOf(type, JSON.stringify(object));

const eventOf = (type: string, object: string): Buffer =>
  Buffer.from(`{"type":"${type}","object":${object}}\n`);

/** Objects that a watch begins with are often at hand, and change seldom. */
function textOf(
  context: ApiContext,
  showing: Showing,
  object: AnyObject,
  revision: Revision,
): string {
  const { kind, form } = showing;
  const known = form === "object" ? context.texts.known(kind, object, revision) : undefined;
  return known ?? JSON.stringify(showOne(context, showing, object, revision));
}

export function shapeOf(context: ApiContext, showing: Showing): Shape {
  const { kind, form, includeObject } = showing;
  return {
    id: `${kind.apiVersion}/${kind.name} ${form} ${form === "table" ? includeObject : ""}`,
    isVeiled: (object) => context.veil(object) !== object,
    encode: (type, object, revision) => eventOf(type, textOf(context, showing, object, revision)),
    encodeStanding: (object, revision) =>
      eventOf(
        "ADDED",
        form === "object" && context.shown.of(object) === revision
          ? context.texts.of(kind, object)
          : textOf(context, showing, object, revision),
      ),
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
