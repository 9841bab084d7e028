import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { ProvisionedPlane } from "../../../test/builders/a-provisioned-plane.ts";
import { deferred } from "../../cli/deferred.ts";
import { ProvisionCounts } from "./provision-counts.ts";
import { ProvisionDriver, type ProvisionDriverOf } from "./provision-driver.ts";
import {
  accepted,
  doubtful,
  type ProvisionAnswer,
  type Provisioner,
  type ProvisionRequest,
  refused,
} from "./provision-protocol.ts";

/** Answers as it is told, and remembers what it was asked. */
class ScriptedProvisioner implements Provisioner {
  readonly asked: ProvisionRequest[] = [];
  readonly kept: ProvisionRequest[] = [];
  readonly signals: AbortSignal[] = [];
  isClosed = false;
  atOnce = 0;
  mostAtOnce = 0;
  answer: (request: ProvisionRequest) => ProvisionAnswer | Promise<ProvisionAnswer> = () =>
    accepted;

  get keys(): readonly string[] {
    return this.asked.map(({ key }) => key);
  }

  async ask(request: ProvisionRequest, signal: AbortSignal): Promise<ProvisionAnswer> {
    this.asked.push(request);
    this.signals.push(signal);
    this.atOnce += 1;
    this.mostAtOnce = Math.max(this.atOnce, this.mostAtOnce);
    const gone = new Promise<ProvisionAnswer>((resolve) => {
      signal.addEventListener("abort", () => resolve(doubtful("ended")));
    });
    const answer = await Promise.race([this.answer(request), gone]);
    this.atOnce -= 1;
    return answer;
  }

  goOn(requests: readonly ProvisionRequest[]): void {
    this.kept.push(...requests);
  }

  letGo(): void {
    this.kept.length = 0;
  }

  async close(): Promise<void> {
    this.isClosed = true;
  }
}

const drivers: ProvisionDriver[] = [];
afterEach(async () => {
  for (const driver of drivers.splice(0)) await driver.close();
});

function withDriver(plane: ProvisionedPlane, of: Partial<ProvisionDriverOf> = {}) {
  const cloud = new ScriptedProvisioner();
  const notes: string[] = [];
  const counts = new ProvisionCounts();
  const driver = new ProvisionDriver({
    plane: plane.port,
    provisioners: new Map([["cloud", cloud]]),
    server: "http://127.0.0.1:6900",
    counts,
    onNote: (sentence) => notes.push(sentence),
    firstPauseMs: 1,
    ...of,
  });
  drivers.push(driver);
  return { cloud, notes, counts, driver };
}

async function until(what: string, look: () => boolean): Promise<void> {
  for (const endMs = Date.now() + 120_000; !look(); await sleep(5)) {
    if (Date.now() > endMs) throw new Error(`Waited in vain for ${what}.`);
  }
}

const provisionOf = (plane: ProvisionedPlane, name = "burst-1") =>
  plane.node(name)?.status.provision;
const forever = (): Promise<ProvisionAnswer> => new Promise(() => {});

describe("the driver for machines", () => {
  test("asks for a provisioning node, once, and says in the log that it was taken on", async () => {
    const plane = new ProvisionedPlane();
    const { cloud, counts } = withDriver(plane);
    plane.expect("burst-1");
    expect(counts).toMatchObject({ provisioning: 1, underWay: 1 });
    await until("the answer", () => provisionOf(plane)?.accepted !== undefined);
    expect(cloud.asked).toEqual([
      {
        version: 1,
        action: "create",
        key: "create-burst-1-uid-of-burst-1",
        node: {
          name: "burst-1",
          uid: "uid-of-burst-1",
          region: "eu",
          zone: "eu-a",
          capacity: { cpuMillis: 2_000, memoryMiB: 1_024, deviceMillis: 0 },
          devices: [],
          labels: {},
          taints: [],
        },
        pool: "burst",
        server: "http://127.0.0.1:6900",
      },
    ]);
    plane.expect("burst-2");
    await until("the second answer", () => provisionOf(plane, "burst-2")?.accepted !== undefined);
    expect(cloud.asked).toHaveLength(2);
    expect(plane.lastCommit.actor.role).toBe("provisioner");
    await until("nothing to be under way", () => counts.underWay === 0);
    expect([...counts.answers.get("create")!]).toEqual([["accepted", 2]]);
  });

  test("asks again under the same key while it is in doubt, and says why it gave up", async () => {
    const plane = new ProvisionedPlane();
    const { cloud, notes } = withDriver(plane);
    cloud.answer = () => doubtful("it exited with code 3: no route");
    plane.expect("burst-1");
    await until("the failure", () => provisionOf(plane)?.failed !== undefined);
    expect(cloud.keys).toEqual(Array.from({ length: 3 }, () => "create-burst-1-uid-of-burst-1"));
    const reason = "it exited with code 3: no route (tried 3 times)";
    expect(provisionOf(plane)?.failed).toBe(reason);
    expect(plane.get("NodePool//burst" as never)).toMatchObject({
      status: { failures: 1, failed: { reason } },
    });
    expect(notes).toEqual([`The machine of burst-1 (pool burst) could not be created: ${reason}.`]);
  });

  test("a no is not asked about again, and what was certainly not made is not taken away", async () => {
    const plane = new ProvisionedPlane();
    const { cloud } = withDriver(plane);
    cloud.answer = ({ node }) => (node.name === "burst-1" ? refused("no quota left") : accepted);
    plane.expect("burst-1");
    await until("the failure", () => provisionOf(plane)?.failed === "no quota left");
    plane.giveUp("burst-1");
    plane.expect("burst-2");
    await until("the next", () => provisionOf(plane, "burst-2")?.accepted !== undefined);
    expect(cloud.keys).toEqual(["create-burst-1-uid-of-burst-1", "create-burst-2-uid-of-burst-2"]);
  });

  test("what was given up in doubt, or did not come in time, is taken away", async () => {
    const plane = new ProvisionedPlane();
    const { cloud } = withDriver(plane);
    plane.expect("burst-1");
    await until("the answer", () => provisionOf(plane)?.accepted !== undefined);
    plane.giveUp("burst-1");
    plane.publish();
    await until("the machine to go", () => cloud.keys.includes("delete-burst-1-uid-of-burst-1"));
    expect(cloud.asked.at(-1)).toMatchObject({ action: "delete", pool: "burst" });
    // Whether that was still done is not known to whoever leads next, so it is asked again, under
    // the same key.
    const { cloud: next } = withDriver(plane);
    await until("the same", () => next.asked.length === 1);
    expect(next.keys).toEqual(["delete-burst-1-uid-of-burst-1"]);
  });

  test("what is wanted under the name of one that was given up meanwhile is asked for itself", async () => {
    const plane = new ProvisionedPlane();
    const { cloud } = withDriver(plane);
    const { promise, resolve } = deferred<ProvisionAnswer>();
    cloud.answer = () => promise;
    plane.expect("burst-1");
    await until("the first request", () => cloud.asked.length === 1);
    // It goes, and another of its name is wanted, before anybody could be asked about either.
    plane.giveUp("burst-1");
    cloud.answer = () => accepted;
    plane.expect("burst-1", { uid: "another" });
    resolve(doubtful("it hangs"));
    await until("the other", () => cloud.keys.includes("create-burst-1-another"));
    await until("its answer", () => provisionOf(plane)?.accepted !== undefined);
    expect(cloud.keys).toEqual(["create-burst-1-uid-of-burst-1", "create-burst-1-another"]);
  });

  test("what has the name of one that was given up is not taken away in its place", async () => {
    const plane = new ProvisionedPlane();
    const { cloud } = withDriver(plane);
    plane.expect("burst-1");
    await until("the answer", () => provisionOf(plane)?.accepted !== undefined);
    plane.giveUp("burst-1");
    plane.expect("burst-1", { uid: "another", accepted: { atMs: 0, epoch: 1 } });
    plane.expect("burst-2");
    await until("the next", () => provisionOf(plane, "burst-2")?.accepted !== undefined);
    expect(cloud.asked.map(({ action }) => action)).not.toContain("delete");
  });

  test("a node that is given back goes when its machine is gone", async () => {
    const plane = new ProvisionedPlane();
    const { cloud, notes } = withDriver(plane);
    cloud.answer = () => refused("it is on fire");
    const came = { atMs: 0, epoch: 1 };
    plane.expect("burst-1", { accepted: came, arrived: came, scalingDown: came });
    await until("the failure", () => provisionOf(plane)?.failed === "it is on fire");
    expect(notes[0]).toContain("could not be removed: it is on fire");
    const later = new ProvisionedPlane();
    const { cloud: kind } = withDriver(later);
    later.expect("burst-1", { accepted: came, arrived: came, scalingDown: came });
    await until("the node to go", () => later.node("burst-1") === undefined);
    expect(kind.keys).toEqual(["delete-burst-1-uid-of-burst-1"]);
  });

  test("a plane that loses the lead ends what it asks, and says nothing of it; the next asks under the same key", async () => {
    const plane = new ProvisionedPlane();
    const before = withDriver(plane);
    before.cloud.answer = forever;
    plane.expect("burst-1");
    await until("the request", () => before.cloud.asked.length === 1);
    plane.isLeading = false;
    await until("it to be ended", () => before.cloud.signals[0]!.aborted);
    await until("nothing to be under way", () => before.counts.underWay === 0);
    expect(provisionOf(plane)).not.toHaveProperty("failed");
    await before.driver.close();
    plane.lead(2);
    plane.isLeading = true;
    const { cloud } = withDriver(plane);
    await until("the answer", () => provisionOf(plane)?.accepted !== undefined);
    expect(cloud.keys).toEqual(before.cloud.keys);
  });

  test("an answer that does not get into the log is asked for again, under the same key", async () => {
    const plane = new ProvisionedPlane();
    const { cloud } = withDriver(plane);
    plane.isAnswering = false;
    plane.expect("burst-1");
    await until("the second request", () => cloud.asked.length === 2);
    plane.isAnswering = true;
    await until("the answer", () => provisionOf(plane)?.accepted !== undefined);
    expect(new Set(cloud.keys).size).toBe(1);
  });

  test("a plane that does not lead asks no provider", async () => {
    const plane = new ProvisionedPlane();
    plane.isLeading = false;
    const { cloud, counts } = withDriver(plane);
    plane.expect("burst-1");
    await sleep(20);
    expect(cloud.asked).toEqual([]);
    expect(counts.provisioning).toBe(1);
  });

  test("four at most are asked for at once of one provisioner, and all in the end", async () => {
    const plane = new ProvisionedPlane();
    const { cloud } = withDriver(plane);
    cloud.answer = async () => sleep(5).then(() => accepted);
    const names = Array.from({ length: 12 }, (_, at) => `burst-${at + 1}`);
    for (const name of names) plane.expect(name);
    await until("all", () =>
      names.every((name) => provisionOf(plane, name)?.accepted !== undefined),
    );
    expect(cloud.mostAtOnce).toBe(4);
    expect(new Set(cloud.keys).size).toBe(12);
    expect(cloud.asked).toHaveLength(12);
  });

  test("a provisioner that this plane was not told of is said to be missing", async () => {
    const plane = new ProvisionedPlane();
    withDriver(plane, { provisioners: new Map() });
    plane.expect("burst-1");
    await until("the failure", () => provisionOf(plane)?.failed !== undefined);
    expect(provisionOf(plane)?.failed).toBe(
      "this plane has no provisioner cloud: start it with --provisioner cloud=…",
    );
  });

  test("where agents need tokens, a machine is sent its own, and none is made that would not be let in", async () => {
    const plane = new ProvisionedPlane();
    const tokens = new Map([["burst-1", "0123456789abcdef"]]);
    const { cloud } = withDriver(plane, { tokenOf: (node) => tokens.get(node) });
    plane.expect("burst-1");
    plane.expect("burst-2");
    await until("both", () => provisionOf(plane, "burst-2")?.failed !== undefined);
    await until("both", () => provisionOf(plane)?.accepted !== undefined);
    expect(provisionOf(plane, "burst-2")?.failed).toContain('no line "agent burst-2 TOKEN"');
    expect(cloud.asked.map(({ joinToken }) => joinToken)).toEqual(["0123456789abcdef"]);
  });

  test("machines that live beside a plane are gone on with by the next, and end with it", async () => {
    const plane = new ProvisionedPlane();
    const came = { atMs: 0, epoch: 1 };
    plane.expect("burst-1", { accepted: came });
    plane.expect("burst-2", { accepted: came, arrived: came });
    plane.expect("burst-3", { accepted: came, arrived: came, scalingDown: came });
    const { cloud, driver } = withDriver(plane);
    cloud.answer = forever;
    // Told as it begins, before there is anything to change.
    expect(cloud.kept.map(({ node }) => node.name)).toEqual(["burst-1", "burst-2"]);
    plane.isLeading = false;
    await until("them to be let go", () => cloud.kept.length === 0);
    await driver.close();
    expect(cloud.isClosed).toBe(true);
  });
});
