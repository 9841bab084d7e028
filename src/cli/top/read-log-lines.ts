/** Follows the log of one replica through its restarts, and keeps the last lines. */
import { AGENT_ENDINGS, AGENT_STAGES } from "../../core/model/stage.ts";
import { statusText } from "../../steering/api-object.ts";
import type { ApiClient } from "../client/api-client.ts";
import { mirror } from "../client/mirror.ts";
import { LogFollower, type ProcessText } from "../logs/log-follower.ts";
import type { Reading } from "./opened-sources.ts";

/** As much as a reader scrolls back through. */
const LINES_KEPT = 2_000;
const FIRST_LINES = "500";

/** Also of a process that has ended: what it wrote last says why. */
const STAGES: ReadonlySet<string> = new Set([...AGENT_STAGES, "unknown", ...AGENT_ENDINGS]);

export async function readLogLines(client: ApiClient, of: Reading): Promise<void> {
  const { path, fieldSelector } = of.source;
  const { signal } = of;
  let rows: readonly string[] = [];
  let note = "";
  const tell = (): void => of.tell({ log: { rows, isLoading: false, note } });
  const add = (lines: readonly string[]): void => {
    if (lines.length === 0) return;
    rows = [...rows, ...lines].slice(-LINES_KEPT);
    tell();
  };
  const follower = new LogFollower(client, {
    path,
    query: { follow: "true", tailLines: FIRST_LINES },
    signal,
    stages: STAGES,
    open: () => linesInto(add),
    complain: (_, message) => add([message]),
  });
  await mirror(client, {
    path,
    query: { fieldSelector },
    signal,
    onChange: (replicas) => {
      const [replica] = replicas.values();
      note = replica === undefined ? "The replica is gone." : statusText(replica, "message");
      tell();
      follower.look(replicas);
    },
  });
}

function linesInto(add: (lines: readonly string[]) => void): ProcessText {
  let rest = "";
  return {
    add: (text) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      add(lines);
    },
    end: () => {
      if (rest !== "") add([rest]);
      rest = "";
    },
  };
}
