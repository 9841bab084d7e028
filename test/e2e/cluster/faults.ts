/**
 * What is done to a cluster, one thing at a time. Each returns when what was broken is whole again; whether the planes have
 * got over it is for the run to find out.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { EtcdCaller } from "../../../src/host/etcd/etcd-caller.ts";
import { EtcdOperator } from "../../../src/host/etcd/etcd-operator.ts";
import { readMeta } from "../../../src/host/store/etcd/stored-values.ts";
import type { KeyedRandom } from "../../../src/sim/faults/keyed-random.ts";
import type { TcpProxy } from "../../etcd/tcp-proxy.ts";
import { type Cluster, MEMBERS } from "./cluster.ts";
import type { ClusterPlane } from "./cluster-plane.ts";
import { fillDatabase, makeRoom } from "./full-database.ts";
import { slowDisks } from "./slow-disks.ts";
import { clocksWrong } from "./wrong-clocks.ts";

export interface Scene {
  readonly cluster: Cluster;
  readonly random: KeyedRandom;
  /** Which fault of the run it is: chooses among equals. */
  readonly index: number;
}

type Fault = (scene: Scene) => Promise<void>;

/** A network that says no, and one that says nothing. */
const CUTS: readonly [(proxy: TcpProxy) => void, (proxy: TcpProxy) => void] = [
  (proxy) => proxy.freeze(),
  (proxy) => proxy.cut(),
];

/** In each of which somebody looks whether it is enough. */
const CHANGES = 50;

const leaseMs = ({ cluster }: Scene): number => cluster.options.leaseSeconds * 1_000;
const pickMember = ({ random, index }: Scene): number => random.draw("member", index) % MEMBERS;

async function pickFollower({ cluster, random, index }: Scene): Promise<ClusterPlane> {
  const followers = await cluster.followers();
  return followers[random.draw("follower", index) % followers.length] as ClusterPlane;
}

const anotherLeads = ({ cluster }: Scene, than: ClusterPlane): Promise<true> =>
  cluster.until(`somebody other than ${than.name} to lead`, () => {
    const { leader } = cluster.witness;
    return leader !== undefined && leader !== than.name ? true : undefined;
  });

async function killLeader(scene: Scene): Promise<void> {
  const leader = await scene.cluster.leader();
  await leader.kill();
  await anotherLeads(scene, leader);
  await leader.start();
}

async function killFollower(scene: Scene): Promise<void> {
  const follower = await pickFollower(scene);
  await follower.kill();
  await sleep(leaseMs(scene) / 2);
  await follower.start();
}

/** Not for as long as a lease lasts: it still leads when it wakes up, or finds out that it does not. */
async function pauseLeaderBriefly(scene: Scene): Promise<void> {
  const leader = await scene.cluster.leader();
  leader.pause();
  await sleep(leaseMs(scene) / 2);
  leader.resume();
}

async function pauseLeader(scene: Scene): Promise<void> {
  const leader = await scene.cluster.leader();
  leader.pause();
  await anotherLeads(scene, leader);
  // So that it wakes up to a log that has gone on without it.
  await sleep(leaseMs(scene) / 4);
  leader.resume();
}

async function pauseFollower(scene: Scene): Promise<void> {
  const follower = await pickFollower(scene);
  follower.pause();
  await sleep(2 * leaseMs(scene));
  follower.resume();
}

async function partitionLeader(scene: Scene): Promise<void> {
  const leader = await scene.cluster.leader();
  leader.onTheWay(scene.random.pick("cut", scene.index, CUTS));
  await anotherLeads(scene, leader);
  await sleep(leaseMs(scene) / 2);
  leader.heal();
}

async function partitionFollower(scene: Scene): Promise<void> {
  const follower = await pickFollower(scene);
  follower.onTheWay(scene.random.pick("cut", scene.index, CUTS));
  await sleep(2 * leaseMs(scene));
  follower.heal();
}

/** It reaches one member, and that one does not answer: the others have a majority, and it is not on their side. */
async function strandLeader(scene: Scene): Promise<void> {
  const leader = await scene.cluster.leader();
  const left = pickMember(scene);
  const others = [0, 1, 2].filter((member) => member !== left);
  scene.cluster.etcd.member(left).pause();
  leader.onTheWay((proxy) => proxy.freeze(), others);
  await anotherLeads(scene, leader);
  leader.heal();
  scene.cluster.etcd.member(left).resume();
}

/** What it asks for is done, and it hears nothing of it: its appends have unknown outcomes. */
async function leaderUnheard(scene: Scene): Promise<void> {
  const leader = await scene.cluster.leader();
  leader.onTheWay((proxy) => proxy.swallowAnswers());
  await sleep(leaseMs(scene) / 4);
  leader.heal();
}

async function slowNetwork(scene: Scene): Promise<void> {
  const leader = await scene.cluster.leader();
  const ms = scene.random.between("delay", scene.index, 50, 250);
  leader.onTheWay((proxy) => proxy.delay(ms));
  await sleep(2 * leaseMs(scene));
  leader.heal();
}

/** The one that the others follow, so that they have to elect another. */
async function killMember({ cluster }: Scene): Promise<void> {
  const member = cluster.etcd.member(await leadingMember(cluster));
  await member.kill();
  await sleep(2 * cluster.options.leaseSeconds * 1_000);
  await member.start();
}

async function pauseMember(scene: Scene): Promise<void> {
  const member = scene.cluster.etcd.member(await leadingMember(scene.cluster));
  member.pause();
  await sleep(2 * leaseMs(scene));
  member.resume();
}

async function loseQuorum(scene: Scene): Promise<void> {
  const first = pickMember(scene);
  const two = [first, (first + 1) % MEMBERS].map((at) => scene.cluster.etcd.member(at));
  await Promise.all(two.map((member) => member.kill()));
  await sleep(2 * leaseMs(scene));
  await Promise.all(two.map((member) => member.start()));
}

async function slowDisk(scene: Scene): Promise<void> {
  await slowDisks(scene.cluster, 3 * leaseMs(scene));
}

async function fullDatabase({ cluster }: Scene): Promise<void> {
  await fillDatabase(cluster);
  // So that clients find out.
  await sleep(cluster.options.leaseSeconds * 1_000);
  await makeRoom(cluster);
}

/** A follower sleeps until what it would have to read next has been dropped from the log. */
async function compactBehindFollower(scene: Scene): Promise<void> {
  const { cluster } = scene;
  const follower = await pickFollower(scene);
  follower.pause();
  const { upTo } = cluster.witness;
  await cluster.until("the log to be shortened", async () => {
    await changeALot(await cluster.leader());
    const { kvs } = await cluster.direct.range({ key: Buffer.from("/berth/meta") });
    return readMeta(kvs[0]).oldest > upTo ? true : undefined;
  });
  follower.resume();
}

/** Something that no client of the run looks at. */
async function changeALot({ url }: ClusterPlane): Promise<void> {
  const regions = `${url}/apis/berth.dev/v1/regions`;
  const send = async (method: string, path: string, object: unknown): Promise<void> => {
    const type = method === "PATCH" ? "application/merge-patch+json" : "application/json";
    const headers = { "content-type": type };
    const answer = await fetch(`${regions}${path}`, {
      method,
      headers,
      body: JSON.stringify(object),
    });
    await answer.arrayBuffer();
  };
  const head = { apiVersion: "berth.dev/v1", kind: "Region", metadata: { name: "busy" } };
  await send("POST", "", { ...head, spec: { zones: [] } });
  for (let at = 0; at < CHANGES; at += 1) {
    await send("PATCH", "/busy", { metadata: { labels: { at: `${performance.now()}` } } });
  }
}

async function wrongClock(scene: Scene): Promise<void> {
  const { cluster } = scene;
  const plane = await pickFollower(scene);
  await plane.restartIn(clocksWrong(cluster.folder));
  await cluster.served();
  // Until it leads: a clock that nobody decides by harms nobody.
  for (let leader = await cluster.leader(); leader !== plane; leader = await cluster.leader()) {
    await leader.kill();
    await anotherLeads(scene, leader);
    await leader.start();
    await cluster.served();
  }
  await sleep(2 * leaseMs(scene));
  await plane.restartIn([]);
}

/** By number; asks each for itself. */
async function leadingMember(cluster: Cluster): Promise<number> {
  return cluster.until("etcd to have a leader", async () => {
    for (const [at, endpoint] of cluster.etcd.endpoints.entries()) {
      const caller = new EtcdCaller({ endpoints: [endpoint], deadlineMs: 1_000 });
      try {
        if ((await new EtcdOperator(caller).status()).isLeader) return at;
      } catch {
        // It does not answer, so it is not the one.
      } finally {
        caller.close();
      }
    }
    return undefined;
  });
}

export const FAULTS = {
  "kill-leader": killLeader,
  "kill-follower": killFollower,
  "pause-leader-briefly": pauseLeaderBriefly,
  "pause-leader": pauseLeader,
  "pause-follower": pauseFollower,
  "partition-leader": partitionLeader,
  "partition-follower": partitionFollower,
  "strand-leader": strandLeader,
  "leader-unheard": leaderUnheard,
  "slow-network": slowNetwork,
  "kill-member": killMember,
  "pause-member": pauseMember,
  "lose-quorum": loseQuorum,
  "slow-disk": slowDisk,
  "full-database": fullDatabase,
  "compact-behind-follower": compactBehindFollower,
  "wrong-clock": wrongClock,
} as const satisfies Readonly<Record<string, Fault>>;

export type FaultName = keyof typeof FAULTS;

export const isFault = (name: string): name is FaultName => Object.hasOwn(FAULTS, name);
