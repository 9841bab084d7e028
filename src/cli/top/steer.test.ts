import { describe, expect, it } from "vitest";
import { readKeys } from "./read-keys.ts";
import { logOfReplica, replicasOfWorkload } from "./openings.ts";
import { type Rows, steer } from "./steer.ts";
import { NEW_READER, type Opening, type Pane, type Reader } from "./top-state.ts";

const COUNTS: Readonly<Record<Pane, number>> = {
  ...NEW_READER.selected,
  nodes: 30,
  workloads: 3,
  queue: 2,
  replicas: 12,
  log: 40,
};
const ROW_OPENS: Readonly<Partial<Record<Pane, (at: number) => Opening>>> = {
  workloads: (at) => replicasOfWorkload(`shop/w${at}`),
  replicas: (at) => logOfReplica("shop", `w.1.${at}`),
};

function rowsOf(pane: Pane): Rows {
  const opens = ROW_OPENS[pane];
  return { count: COUNTS[pane], ...(opens && { opens }) };
}

/** Presses what a terminal would send, one after the other. */
function pressed(text: string, from: Reader = NEW_READER): Reader | "quit" {
  let reader: Reader | "quit" = from;
  for (const key of readKeys(text)) {
    if (reader === "quit") return reader;
    reader = steer(reader, key, rowsOf(reader.pane));
  }
  return reader;
}

describe("steer()", () => {
  it("goes through panes by tab and back, and to one by its number", () => {
    expect(pressed("\t")).toMatchObject({ pane: "workloads" });
    expect(pressed("\t\t\t\t")).toMatchObject({ pane: "nodes" });
    expect(pressed("\u001B[Z")).toMatchObject({ pane: "events" });
    expect(pressed("3")).toMatchObject({ pane: "queue" });
    expect(pressed("9")).toEqual(NEW_READER);
  });

  it("moves within the rows there are, also when some have gone", () => {
    expect(pressed("\u001B[B\u001B[B\u001BOA")).toMatchObject({ selected: { nodes: 1 } });
    expect(pressed("\u001B[6~\u001B[6~\u001B[6~\u001B[6~")).toMatchObject({
      selected: { nodes: 29 },
    });
    expect(pressed("\u001B[F\u001B[5~")).toMatchObject({ selected: { nodes: 19 } });
    const beyond = {
      ...NEW_READER,
      pane: "queue",
      selected: { ...NEW_READER.selected, queue: 9 },
    } as const;
    expect(pressed("\u001B[A", beyond)).toMatchObject({ selected: { queue: 0 } });
    expect(pressed("4\u001B[B")).toMatchObject({ selected: { events: 0 } });
    expect(pressed("jjjk")).toMatchObject({ selected: { nodes: 2 } });
    expect(pressed("Gkg")).toMatchObject({ selected: { nodes: 0 } });
  });

  it("takes letters into the filter while one types, and only then", () => {
    expect(pressed("/qs1")).toMatchObject({ filter: "qs1", isTyping: true });
    expect(pressed("/ab\u007Fc\r")).toMatchObject({ filter: "ac", isTyping: false });
    expect(pressed("/ab\u001B")).toMatchObject({ filter: "", isTyping: false });
    expect(pressed("/ab\r\u001B")).toMatchObject({ filter: "" });
  });

  it("sorts the pane that is looked at in another way", () => {
    expect(pressed("s")).toMatchObject({ sorts: { nodes: "name", queue: "position" } });
    expect(pressed("3sss")).toMatchObject({ sorts: { queue: "position" } });
  });

  it("opens a workload, then a replica, and goes back to the same rows", () => {
    const replicas = pressed("2j\r");
    expect(replicas).toMatchObject({
      pane: "replicas",
      opened: { opening: { title: "replicas of shop/w1" } },
    });
    const log = pressed("2j\rjj\r");
    expect(log).toMatchObject({ pane: "log", opened: { opening: { title: "log of shop/w.1.2" } } });
    expect(pressed("2j\rjj\r\u001B")).toEqual(pressed("2j\rjj"));
    expect(pressed("2j\rjj\r\u007F\u007F")).toEqual(pressed("2j"));
    expect(pressed("2j\rjj\r1")).toMatchObject({ ...NEW_READER, selected: { workloads: 1 } });
    expect(pressed("1\u001B\u007F")).toEqual(NEW_READER);
  });

  it("keeps the filter of each level, which Esc removes before it goes back", () => {
    expect(pressed("2/w\r\r")).toMatchObject({ pane: "replicas", filter: "" });
    expect(pressed("2/w\r\r/x\r\u001B")).toMatchObject({ pane: "replicas", filter: "" });
    expect(pressed("2/w\r\r/x\r\u001B\u001B")).toMatchObject({ pane: "workloads", filter: "w" });
  });

  it("follows the end of a log until the reader goes up, and again from its last line", () => {
    const end = Number.POSITIVE_INFINITY;
    expect(pressed("2\r\r")).toMatchObject({ selected: { log: end } });
    expect(pressed("2\r\rkk")).toMatchObject({ selected: { log: 37 } });
    expect(pressed("2\r\rkkjj")).toMatchObject({ selected: { log: end } });
  });

  it("shows the keys over any level, and takes them away by the same key", () => {
    expect(pressed("2\r?")).toMatchObject({ pane: "help" });
    expect(pressed("2\r??")).toEqual(pressed("2\r"));
    expect(pressed("/?")).toMatchObject({ filter: "?" });
  });

  it("leaves by q, and by Ctrl-C whatever else is going on", () => {
    expect(pressed("q")).toBe("quit");
    expect(pressed("/q\u0003")).toBe("quit");
  });

  it("does nothing for unknown keys", () => {
    expect(pressed("\u001B[24~\u001B[1;5Cxyz\u0001")).toEqual(NEW_READER);
  });
});
