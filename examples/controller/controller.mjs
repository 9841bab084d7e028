/**
 * A controller of your own: it keeps the condition example.com/HasTeam on every workload, which is
 * True if the workload has the label `team`. It lists and watches through the client library,
 * compares the desired state with the actual state, and writes only the difference.
 *
 *   npm install @berth-dev/berth
 *   BERTH_SERVER=http://127.0.0.1:6900 BERTH_TOKEN=... node controller.mjs
 */
// @ts-check
import { BerthClient, BerthError } from "@berth-dev/berth/client";

const TYPE = "example.com/HasTeam";

const client = new BerthClient({
  server: process.env["BERTH_SERVER"] ?? "http://127.0.0.1:6900",
  fieldManager: "has-team",
  ...(process.env["BERTH_TOKEN"] === undefined ? {} : { token: process.env["BERTH_TOKEN"] }),
});
const workloads = client.kind("Workload");

const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => stop.abort());

for await (const event of workloads.watch({
  signal: stop.signal,
  onError: (error) => console.error(`watch: ${error.message}`),
})) {
  // The first event, and every one after a gap, has all workloads: nothing is missed.
  if (event.type === "LISTED") {
    for (const workload of event.objects) await reconcile(workload);
  } else if (event.type !== "DELETED") {
    await reconcile(event.object);
  }
}

/** @param {import("@berth-dev/berth/client").Kinds["Workload"]} workload */
async function reconcile({ metadata, status: shown }) {
  const { name, namespace = "", labels = {}, resourceVersion } = metadata;
  const team = labels["team"];
  const conditions = shown?.conditions ?? [];
  const desired = {
    type: TYPE,
    status: team === undefined ? "False" : "True",
    reason: team === undefined ? "NoLabel" : "Labelled",
    message: team === undefined ? "Add the label team." : `Owned by ${team}.`,
  };
  const actual = conditions.find(({ type }) => type === TYPE);
  if (actual?.status === desired.status && actual.message === desired.message) return;
  const others = conditions.filter(({ type }) => type !== TYPE);
  try {
    // With the version that it saw: a change in between is a conflict, and its event comes next.
    const seen = resourceVersion === undefined ? {} : { resourceVersion };
    const status = { conditions: [...others, desired] };
    await workloads.patchStatus(name, status, { namespace, ...seen });
    console.log(`${namespace}/${name}: ${desired.message}`);
  } catch (error) {
    const isStale = error instanceof BerthError && (error.status === 409 || error.status === 404);
    if (!isStale) throw error;
  }
}
