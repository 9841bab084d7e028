/** Endpoints are what serves: read back after every change, whatever a replica goes through. */
import { afterEach, beforeEach, expect, it } from "vitest";
import type { IntentOf } from "../../src/core/protocol/command.ts";
import type { Role } from "../../src/core/model/actor.ts";
import { bind, replica, serve, workload } from "./a-bound-replica.ts";
import { anApiWithTenant, type Api, BERTH } from "./an-api.ts";

let api: Api;
beforeEach(async () => {
  api = await anApiWithTenant();
});
afterEach(() => api.close());

/** What the API says, and what the committed objects say. */
async function shownAndTrue(): Promise<{ readonly shown: unknown; readonly real: unknown }> {
  const { json } = await api.get(`${BERTH}/namespaces/payments/endpoints/api`);
  const { addresses } = json["status"] as unknown as {
    readonly addresses: readonly { readonly replica: string; readonly host: string }[];
  };
  const real = [...api.plane.objects.replicasOf(workload).values()]
    .filter(({ status }) => status.stage === "serving" && status.stopping === undefined)
    .map(({ meta, status }) => `${meta.name} ${status.address?.host}`);
  return { shown: addresses.map((each) => `${each.replica} ${each.host}`), real: real.toSorted() };
}

const report = (stage: IntentOf<"report">["stage"]) =>
  ({ kind: "report", replica, incarnation: 1, node: "a-1", session: 1, stage }) as const;

it("[RP5] a replica is an endpoint exactly while it serves and was not asked to stop", async () => {
  await bind(api);
  expect(await shownAndTrue()).toEqual({ shown: [], real: [] });
  await serve(api);
  const there = ["api.1.0 10.0.0.1"];
  expect(await shownAndTrue()).toEqual({ shown: there, real: there });
  await api.send(report("ready"), "agent");
  expect(await shownAndTrue()).toEqual({ shown: [], real: [] });
  await api.send(report("serving"), "agent");
  expect(await shownAndTrue()).toEqual({ shown: there, real: there });
});

it.each<{ title: string; role: Role }>([
  { title: "failed", role: "agent" },
  { title: "released", role: "agent" },
])("[RP5] one that $title is an endpoint no more, in the same commit", async ({ title, role }) => {
  await bind(api);
  await serve(api);
  await api.send(report(title as "failed" | "released"), role);
  expect(await shownAndTrue()).toEqual({ shown: [], real: [] });
});

it("[RP5] one on a node that falls silent is an endpoint no more, though it may still run", async () => {
  await bind(api);
  await serve(api);
  const evidence = { kind: "person", name: "ops", statement: "it burns" } as const;
  const node = api.plane.objects.node("Node//a-1" as never);
  await api.send(
    {
      kind: "transition",
      key: "Node//a-1" as never,
      session: 1,
      from: node?.status.health ?? "ready",
      to: "fenced",
      evidence,
    },
    "user",
  );
  expect(await shownAndTrue()).toEqual({ shown: [], real: [] });
});
