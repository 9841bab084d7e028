/**
 * Kubernetes' Event. `kubectl describe` lists the events of whatever it describes and fails without an
 * answer; Berth explains itself by decision records instead, so the list is always empty.
 */
import { defineKind } from "../kinds/define-kind.ts";
import { fields } from "../schema/shapes.ts";
import { coreSchema } from "./core-schema.ts";
import type { ServedKind } from "./served-kind.ts";

/** What clients select events by. There are none, so nothing is ever read. */
const SELECTABLE = [
  "involvedObject.kind",
  "involvedObject.namespace",
  "involvedObject.name",
  "involvedObject.uid",
  "involvedObject.apiVersion",
  "involvedObject.fieldPath",
  "reason",
  "reportingComponent",
  "source",
  "type",
];

const DESCRIPTION = "Always empty: Berth explains itself by decision records.";

const api = defineKind({
  // Any kind would do: no object is ever shown as an event.
  kind: "Lease",
  plural: "events",
  shortNames: ["ev"],
  isNamespaced: true,
  description: DESCRIPTION,
  spec: fields("Unused.", {}),
  columns: [],
  selectableFields: Object.fromEntries(SELECTABLE.map((field) => [field, () => ""])),
  toApi: () => ({ spec: undefined, status: undefined }),
});

export const eventKind: ServedKind = {
  group: "",
  apiVersion: "v1",
  name: "Event",
  api: { ...api, singular: "event", schema: coreSchema("Event", DESCRIPTION) },
  isEmpty: true,
  metadata: (metadata) => metadata,
};
