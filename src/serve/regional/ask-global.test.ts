import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import type { RegionReport, RegionTerms } from "../../core/protocol/region-exchange.ts";
import { askGlobal, type AskGlobal } from "./ask-global.ts";

let server: Server | undefined;
let asking: AskGlobal | undefined;
afterEach(() => {
  asking?.close();
  server?.close();
});

const REPORT = { region: "eu" } as RegionReport;
const TERMS: RegionTerms = {
  global: 1,
  region: "eu",
  incarnation: 1,
  heard: { epoch: 1, revision: 5 },
  asked: { epoch: 1, ms: 9 },
  termMs: 60_000,
  grants: [],
  objects: [],
  objectsFrom: 0,
  objectsTo: 7,
};

/** What a region makes of this answer of a server that may be any server. */
async function answered(text: string, status = 200) {
  server = createServer((_, response) => response.writeHead(status).end(text));
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  asking = askGlobal({ urls: [new URL(`http://127.0.0.1:${port}`)], credentials: {} });
  const answer = await asking.exchange(REPORT, AbortSignal.timeout(5_000));
  return { answer, refusal: asking.refusal() };
}

test("[RG40] terms and rejections are handed on as they are", async () => {
  const terms = { kind: "terms", terms: TERMS };
  expect(await answered(JSON.stringify(terms))).toEqual({ answer: terms, refusal: undefined });
  const rejected = { kind: "rejected", code: "report-gap" };
  expect((await answered(JSON.stringify(rejected))).answer).toEqual(rejected);
});

test.each([
  ["{}", "an empty object"],
  ["null", "nothing"],
  ["<html>", "a page"],
  [JSON.stringify({ kind: "terms", terms: {} }), "terms without a field"],
  [JSON.stringify({ kind: "terms", terms: { ...TERMS, grants: [{}] } }), "a grant of nothing"],
  [JSON.stringify({ kind: "terms", terms: { ...TERMS, heard: null } }), "no position"],
])("[RG40] %s of a server that is no global plane is no answer: %s", async (text) => {
  const { answer, refusal } = await answered(text);
  expect(answer).toEqual({ kind: "unreachable" });
  expect(refusal).toMatch(/is not the answer of a global plane.*--global/);
});

test("[RG40] what the global plane says of a refusal is told", async () => {
  const { answer, refusal } = await answered(JSON.stringify({ message: "no role" }), 403);
  expect([answer, refusal]).toEqual([{ kind: "unreachable" }, "no role"]);
});
