/**
 * The table of nodes, fetched when it is first looked at: who comes for the map does not wait for
 * it.
 */
import { useSignal } from "@preact/signals";
import type { FunctionComponent } from "preact";
import { useEffect } from "preact/hooks";
import { EmptyState } from "../parts/empty-state.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import type { NodeTableProps } from "./node-table.tsx";

let loaded: FunctionComponent<NodeTableProps> | undefined;

async function load(): Promise<"there" | "missing"> {
  try {
    loaded = (await import("./node-table.tsx")).NodeTable;
    return "there";
  } catch {
    return "missing";
  }
}

export function LazyNodeTable(props: NodeTableProps) {
  const state = useSignal<"loading" | "there" | "missing">(loaded ? "there" : "loading");
  useEffect(() => {
    if (loaded === undefined) void load().then((outcome) => (state.value = outcome));
  }, []);
  if (state.value === "missing") {
    return (
      <EmptyState title="Cannot load the table.">
        The plane is unreachable, or its dashboard is newer than this one: reload the page.
      </EmptyState>
    );
  }
  const Table = loaded;
  return state.value === "there" && Table !== undefined ? (
    <Table {...props} />
  ) : (
    <Skeleton rows={10} label="Loading the table" />
  );
}
