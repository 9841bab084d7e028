/** Every pane of `berth top`: where its rows come from, and what it says without any. */
import { ownCommand } from "../text/own-command.ts";
import { eventsPane } from "./events-pane.ts";
import { helpPane } from "./help-pane.ts";
import { logPane } from "./log-pane.ts";
import { nodesPane } from "./nodes-pane.ts";
import type { PaneRows } from "./pane-rows.ts";
import { queuePane } from "./queue-pane.ts";
import { replicasPane } from "./replicas-pane.ts";
import type { Pane, Reader, Stream, TopState } from "./top-state.ts";
import { workloadsPane } from "./workloads-pane.ts";

interface PaneView {
  rows(state: TopState, reader: Reader, size: { readonly width: number }): PaneRows;
  /** In place of rows; the filter is not the cause. */
  empty(state: TopState): string;
}

const CONNECTING = "Connecting …";

const once =
  (stream: Stream, text: () => string) =>
  ({ connections }: TopState): string =>
    connections[stream].kind === "connecting" ? CONNECTING : text();

export const PANE_VIEWS: Readonly<Record<Pane, PaneView>> = {
  nodes: {
    rows: nodesPane,
    empty: once("fleet", () => `No nodes yet: start one with \`${ownCommand()} agent\`.`),
  },
  workloads: {
    rows: workloadsPane,
    empty: once(
      "workloads",
      () => `No workloads yet: create one with \`${ownCommand()} apply -f FILE\`.`,
    ),
  },
  queue: { rows: queuePane, empty: once("queue", () => "The queue is empty.") },
  events: { rows: eventsPane, empty: once("audit", () => "No events yet.") },
  replicas: {
    rows: replicasPane,
    empty: ({ replicas: { isLoading, note } }) =>
      isLoading ? CONNECTING : note || "There are no replicas.",
  },
  log: {
    rows: logPane,
    empty: ({ log }) => (log.isLoading ? CONNECTING : "The log is empty."),
  },
  help: { rows: (_, reader) => helpPane(reader), empty: () => "" },
};
