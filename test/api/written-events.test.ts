/** Events that other people's controllers write. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { EVENT_BOUNDS } from "../../src/api/events/event-limits.ts";
import { EventLog, type WrittenEvent } from "../../src/api/events/event-log.ts";
import { anApiWithTenant, type AnyJson, type Api } from "./an-api.ts";

let api: Api;
beforeEach(async () => {
  api = await anApiWithTenant();
});
afterEach(() => api.close());

const EVENTS = "/api/v1/namespaces/payments/events";
const event = (name: string, more: object = {}) => ({
  apiVersion: "v1",
  kind: "Event",
  metadata: { name },
  involvedObject: { apiVersion: "x.dev/v1", kind: "Thing", name: "one", namespace: "payments" },
  reason: "Tested",
  message: "A client wrote it.",
  source: { component: "tester" },
  type: "Warning",
  ...more,
});
const namesOf = (json: AnyJson): readonly unknown[] =>
  (json["items"] as unknown as AnyJson[]).map((each) => each["metadata"]!["name"]);

it("[AP325] a client writes, repeats, replaces and deletes an event about any object", async () => {
  const { status, json: made } = await api.post(EVENTS, event("one.1"));
  expect(status).toBe(201);
  expect(made).toMatchObject({
    involvedObject: { apiVersion: "x.dev/v1", kind: "Thing", name: "one" },
    source: { component: "tester" },
    count: 1,
  });
  expect((await api.post(EVENTS, event("one.1"))).status).toBe(409);
  const strategic = "application/strategic-merge-patch+json";
  const patched = await api.patch(`${EVENTS}/one.1`, { count: 2 }, strategic);
  expect(patched.json).toMatchObject({ count: 2, reason: "Tested" });
  const replaced = await api.put(`${EVENTS}/one.1`, event("one.1", { reason: "Replaced" }));
  expect(replaced.json["reason"]).toBe("Replaced");
  const selected = await api.get(`${EVENTS}?fieldSelector=involvedObject.apiVersion%3Dx.dev/v1`);
  expect(namesOf(selected.json)).toEqual(["one.1"]);
  expect((await api.delete(`${EVENTS}/one.1`)).status).toBe(200);
  expect((await api.get(`${EVENTS}/one.1`)).status).toBe(404);
  for (const name of ["one.2", "one.3"]) await api.post(EVENTS, event(name, { reason: name }));
  expect((await api.delete(`${EVENTS}?fieldSelector=reason%3Done.2`)).status).toBe(200);
  expect((await api.get(`${EVENTS}/one.2`)).status).toBe(404);
  expect((await api.get(`${EVENTS}/one.3`)).status).toBe(200);
});

it("[AP325] wrong events are rejected, and nothing of the plane's own is changed", async () => {
  expect((await api.post(EVENTS, event("Not_A_Name"))).status).toBe(422);
  expect((await api.post(EVENTS, event("a", { type: "Loud" }))).status).toBe(422);
  expect((await api.post(EVENTS, event("a", { message: "x".repeat(2_000) }))).status).toBe(422);
  expect((await api.post(EVENTS, event("a", { count: -1 }))).status).toBe(422);
  const elsewhere = "/api/v1/namespaces/nobody/events";
  expect((await api.post(elsewhere, event("a"))).status).toBe(404);
  expect((await api.post("/api/v1/namespaces/default/events", event("a"))).status).toBe(201);
  expect((await api.delete(`${EVENTS}/a`)).status).toBe(404);
});

const written = (at: number): WrittenEvent => ({
  meta: { namespace: "payments", name: `e-${at}` },
  about: { kind: "Thing", namespace: "payments", name: `thing-${at}`, uid: "" },
  type: "Normal",
  reason: "Tested",
  message: "",
  source: "tester",
  count: 1,
  firstMs: at,
  lastMs: at,
});

it("[AP325] a namespace has a bounded number of them, and each its time to live", () => {
  const log = new EventLog(api.plane, 0);
  const { writtenPerTenant, writtenMs } = EVENT_BOUNDS;
  for (let at = 0; at < writtenPerTenant + 10; at += 1) log.write(written(at));
  const names = () => [...log.all()].filter((each) => each.isWritten).map(({ meta }) => meta.name);
  expect(names()).toHaveLength(writtenPerTenant);
  expect(names()[0]).toBe("e-10");
  log.expire(writtenMs + 20);
  expect(names()[0]).toBe("e-20");
  log.expire(writtenMs * 2);
  expect(names()).toEqual([]);
  log.close();
});
