import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { anIncident } from "../an-incident.ts";
import { readIncident } from "./read-incident.ts";

const json = JSON.stringify(anIncident());
const page = (inside: string): string =>
  `<!doctype html><script type="application/json" id="incident">${inside}</script>`;

describe("readIncident()", () => {
  it("reads a document, a compressed one, and a page that holds either", async () => {
    const packed = JSON.stringify({ gzip: gzipSync(json).toString("base64") });
    for (const text of [json, packed, page(json), page(packed)]) {
      const read = await readIncident(text);
      expect(read.kind === "read" && read.document.turns.length).toBe(12);
    }
  });

  it("knows a page that waits for its document", async () => {
    expect(await readIncident(page(""))).toEqual({ kind: "empty" });
  });

  it.each([
    ["a trace", '{"berthTrace":1}\n{"turn":1}', "not a complete document"],
    ["JSON of something else", '{"kind":"Pod"}', "not a Berth incident"],
    ["a newer document", '{"berthIncident":2}', "has format 2"],
    ["half a document", '{"berthIncident":1,"lanes":[]}', "has no turns"],
    ["some other page", "<html></html>", "has no incident in it"],
    ["a damaged page", page('{"gzip":"AAAA"}'), "not a complete document"],
  ])("says of %s what it is and what to do", async (_, text, says) => {
    const read = await readIncident(text);
    expect(read.kind).toBe("unreadable");
    if (read.kind !== "unreadable") return;
    expect(read.says).toContain(says);
    expect(read.todo).not.toBe("");
  });
});
