import { describe, expect, it } from "vitest";
import { readKeys } from "./read-keys.ts";
import { steer } from "./steer.ts";
import { NEW_READER, type Reader } from "./top-state.ts";

const counts = { rows: { nodes: 30, queue: 2, events: 0 } };

/** Presses what a terminal would send, one after the other. */
function pressed(text: string, from: Reader = NEW_READER): Reader | "quit" {
  let reader: Reader | "quit" = from;
  for (const key of readKeys(text)) {
    if (reader === "quit") return reader;
    reader = steer(reader, key, counts);
  }
  return reader;
}

describe("steer()", () => {
  it("goes through panes by tab and back, and to one by its number", () => {
    expect(pressed("\t")).toMatchObject({ pane: "queue" });
    expect(pressed("\t\t\t")).toMatchObject({ pane: "nodes" });
    expect(pressed("\u001B[Z")).toMatchObject({ pane: "events" });
    expect(pressed("2")).toMatchObject({ pane: "queue" });
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
      selected: { nodes: 0, queue: 9, events: 0 },
    } as const;
    expect(pressed("\u001B[A", beyond)).toMatchObject({ selected: { queue: 0 } });
    expect(pressed("3\u001B[B")).toMatchObject({ selected: { events: 0 } });
  });

  it("takes letters into the filter while one types, and only then", () => {
    expect(pressed("/qs1")).toMatchObject({ filter: "qs1", isTyping: true });
    expect(pressed("/ab\u007Fc\r")).toMatchObject({ filter: "ac", isTyping: false });
    expect(pressed("/ab\u001B")).toMatchObject({ filter: "", isTyping: false });
    expect(pressed("/ab\r\u001B")).toMatchObject({ filter: "" });
  });

  it("sorts the pane that is looked at in another way", () => {
    expect(pressed("s")).toMatchObject({ sorts: { nodes: "name", queue: "position" } });
    expect(pressed("2sss")).toMatchObject({ sorts: { queue: "position" } });
  });

  it("leaves by q, and by Ctrl-C whatever else is going on", () => {
    expect(pressed("q")).toBe("quit");
    expect(pressed("/q\u0003")).toBe("quit");
  });

  it("does nothing for unknown keys", () => {
    expect(pressed("\u001B[24~\u001B[1;5Cxyz\u0001")).toEqual(NEW_READER);
  });
});
