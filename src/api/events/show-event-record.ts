/**
 * Events as Kubernetes clients read them: core/v1 Event, and the table that `kubectl get events`
 * prints.
 */
import { ageText } from "../age.ts";
import { API_VERSION } from "../group-version.ts";
import { rfc3339 } from "../rfc3339.ts";
import type { IncludeObject } from "../table.ts";
import type { EventRecord } from "./event-log.ts";

export function showEventRecord({ about, ...record }: EventRecord) {
  const { name, namespace } = record.meta;
  return {
    apiVersion: "v1",
    kind: "Event",
    metadata: {
      name,
      namespace,
      uid: `${about.uid}.${name}`,
      resourceVersion: String(record.version),
      creationTimestamp: rfc3339(record.firstMs),
    },
    involvedObject: {
      kind: about.kind,
      ...(about.namespace === "" ? {} : { namespace: about.namespace }),
      name: about.name,
      uid: about.uid,
      apiVersion: about.apiVersion ?? API_VERSION,
    },
    reason: record.reason,
    message: record.message,
    source: { component: record.source },
    firstTimestamp: rfc3339(record.firstMs),
    lastTimestamp: rfc3339(record.lastMs),
    count: record.count,
    type: record.type,
    eventTime: null,
    reportingComponent: record.source,
    reportingInstance: "",
  };
}

interface Column {
  readonly name: string;
  readonly type?: "string" | "integer";
  readonly description: string;
  readonly isWide?: boolean;
  readonly cell: (record: EventRecord, nowMs: number) => string | number;
}

const COLUMNS: readonly Column[] = [
  {
    name: "Last Seen",
    description: "Time since the last occurrence.",
    cell: ({ lastMs }, nowMs) => ageText(nowMs - lastMs),
  },
  { name: "Type", description: "Normal or Warning.", cell: ({ type }) => type },
  { name: "Reason", description: "The reason, in one word.", cell: ({ reason }) => reason },
  {
    name: "Object",
    description: "The object concerned.",
    cell: ({ about }) => `${about.kind.toLowerCase()}/${about.name}`,
  },
  {
    name: "Source",
    description: "The component that reported it.",
    isWide: true,
    cell: ({ source }) => source,
  },
  { name: "Message", description: "A description for people.", cell: ({ message }) => message },
  {
    name: "First Seen",
    description: "Time since the first occurrence.",
    isWide: true,
    cell: ({ firstMs }, nowMs) => ageText(nowMs - firstMs),
  },
  {
    name: "Count",
    type: "integer",
    description: "The number of occurrences.",
    isWide: true,
    cell: ({ count }) => count,
  },
  {
    name: "Name",
    description: "The name of the event.",
    isWide: true,
    cell: ({ meta }) => meta.name,
  },
];

export function showEventTable(
  records: readonly EventRecord[],
  of: {
    readonly metadata: Readonly<Record<string, string>>;
    readonly includeObject: IncludeObject;
    readonly nowMs: number;
  },
) {
  return {
    kind: "Table",
    apiVersion: "meta.k8s.io/v1",
    metadata: of.metadata,
    columnDefinitions: COLUMNS.map(({ name, type = "string", description, isWide }) => ({
      name,
      type,
      format: name === "Name" ? "name" : "",
      description,
      priority: isWide === true ? 1 : 0,
    })),
    rows: records.map((record) => ({
      cells: COLUMNS.map(({ cell }) => cell(record, of.nowMs)),
      ...(of.includeObject === "None" ? {} : { object: rowObject(record, of.includeObject) }),
    })),
  };
}

function rowObject(record: EventRecord, include: IncludeObject): unknown {
  const shown = showEventRecord(record);
  return include === "Object" ? shown : partialEvent(shown);
}

export const partialEvent = ({ metadata }: ReturnType<typeof showEventRecord>) => ({
  kind: "PartialObjectMetadata",
  apiVersion: "meta.k8s.io/v1",
  metadata,
});
