/**
 * Which plane, who leads, how far the log is and how fast it grows; and whether the data below is
 * current.
 */
import { ageText } from "../../api/age.ts";
import { isWaiting } from "./queue-pane.ts";
import { line, type StyledLine } from "./styled-line.ts";
import type { Connection, TopState } from "./top-state.ts";

export function headerLines(state: TopState): readonly StyledLine[] {
  const { plane, revision } = state;
  const at = revision === undefined ? "" : `  revision ${revision}`;
  return [
    line({ text: "berth top", tone: "title" }, `  ${plane}${leaderText(state)}${at}`),
    connectionLine(state),
    line(`${nodesText(state)}   ${queueText(state)}`),
  ];
}

function leaderText({ leader, epoch }: TopState): string {
  if (epoch === undefined) return "";
  return leader === undefined ? `  epoch ${epoch}` : `  ${leader} leads (epoch ${epoch})`;
}

/** One figure behind the point while that says something. */
const rate = (perSecond: number): string =>
  perSecond < 10 ? perSecond.toFixed(1) : String(Math.round(perSecond));

type Lost = Extract<Connection, { readonly kind: "lost" }>;

/** The age of stale data, or the rate of commits. */
function connectionLine(state: TopState): StyledLine {
  const { connections, nowMs, bindsPerSecond, writesPerSecond } = state;
  const all = Object.values(connections);
  const lost = all.filter((each): each is Lost => each.kind === "lost");
  const [first] = lost.toSorted((a, b) => a.sinceMs - b.sinceMs);
  if (first !== undefined) {
    const since = new Date(first.sinceMs).toTimeString().slice(0, 8);
    return line(
      { text: "CONNECTION LOST", tone: "bad" },
      ` since ${since}, ${ageText(nowMs - first.sinceMs)} ago; showing the last state, retrying.`,
    );
  }
  const rates = `  ${rate(writesPerSecond)} writes/s  ${rate(bindsPerSecond)} binds/s`;
  const isLive = all.every(({ kind }) => kind === "live");
  return line(
    isLive ? { text: "live", tone: "good" } : { text: "connecting …", tone: "dim" },
    rates,
  );
}

function nodesText({ nodes }: TopState): string {
  const counts = new Map<string, number>();
  for (const { health } of nodes) {
    for (const word of health.split(",")) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const words = [...counts].toSorted(([a], [b]) => order(a) - order(b) || (a < b ? -1 : 1));
  const told = words.map(([word, count]) => `${count} ${word}`).join(", ");
  return `${nodes.length} ${nodes.length === 1 ? "node" : "nodes"}${told === "" ? "" : `: ${told}`}`;
}

const HEALTH = ["ready", "suspect", "unknown", "fenced"];
const order = (word: string): number => {
  const at = HEALTH.indexOf(word);
  return at < 0 ? HEALTH.length : at;
};

function queueText({ waits }: TopState): string {
  const waiting = waits.filter(isWaiting);
  const replicas = waiting.reduce((sum, { count }) => sum + (count ?? 0), 0);
  const who = `${replicas} ${replicas === 1 ? "replica" : "replicas"} of ${waiting.length}`;
  return waiting.length === 0
    ? "queue empty"
    : `${who} ${waiting.length === 1 ? "workload" : "workloads"} waiting`;
}
