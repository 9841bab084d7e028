/**
 * Kubernetes' Event as discovery and schemas know it. Its objects are told by the event log, not
 * kept.
 */
import { Type } from "typebox";
import type { EventRecord } from "../events/event-log.ts";
import { API_VERSION } from "../group-version.ts";
import { defineKind } from "../kinds/define-kind.ts";
import { choice, fields, text, time } from "../schema/shapes.ts";
import { coreSchema } from "../http/core-schema.ts";
import type { SelectableFields } from "./field-selector.ts";
import type { ServedKind } from "./served-kind.ts";

/** What clients select events by; `kubectl describe` asks for those of one object. */
export const EVENT_FIELDS: SelectableFields<EventRecord> = {
  "involvedObject.kind": ({ about }) => about.kind,
  "involvedObject.namespace": ({ about }) => about.namespace,
  "involvedObject.name": ({ about }) => about.name,
  "involvedObject.uid": ({ about }) => about.uid,
  "involvedObject.apiVersion": ({ about }) => about.apiVersion ?? API_VERSION,
  "involvedObject.fieldPath": () => "",
  reason: ({ reason }) => reason,
  reportingComponent: ({ source }) => source,
  source: ({ source }) => source,
  type: ({ type }) => type,
};

const DESCRIPTION =
  "An event of an object, and how often it occurred. Written by the control plane or by a client, and kept for a while.";

const schema = coreSchema("Event", DESCRIPTION, {
  involvedObject: fields("The object concerned.", {
    kind: text("The kind of the object."),
    namespace: Type.Optional(text("Its namespace.")),
    name: text("Its name."),
    uid: text("Its uid."),
    apiVersion: text("The group and version of its kind."),
  }),
  reason: text("The reason, in one word."),
  message: text("A description for people."),
  source: fields("The component that reported it.", { component: text("Its name.") }),
  firstTimestamp: time("The time of the first occurrence."),
  lastTimestamp: time("The time of the last occurrence."),
  count: Type.Integer({ description: "The number of occurrences." }),
  type: choice("Normal, or Warning if it may need attention.", ["Normal", "Warning"]),
  eventTime: time("Kept for Kubernetes clients; Berth does not use it."),
  reportingComponent: text("The component that reported it."),
  reportingInstance: text("Kept for Kubernetes clients; Berth does not use it."),
});

const api = defineKind({
  // Discovery names a kind of the core's; no object of it is ever shown as an event.
  kind: "Lease",
  servedAs: {
    plural: "events",
    singular: "event",
    shortNames: ["ev"],
    isNamespaced: true,
  },
  description: DESCRIPTION,
  spec: fields("Unused.", {}),
  columns: [],
  toApi: () => ({ spec: undefined, status: undefined }),
});

export const eventKind: ServedKind = {
  group: "",
  apiVersion: "v1",
  name: "Event",
  api: { ...api, isWritable: true, schema },
  metadata: (metadata) => metadata,
};
