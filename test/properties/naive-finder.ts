/**
 * Where a replica should go, worked out by walking over every node and every replica for each question. It asks
 * the object rules of `feasibility/` and counts neighbours by hand; nothing is kept from one question to the
 * next, because what is kept wrongly is the mistake that the columns could make.
 */
import { ROOM_RULES, STATIC_RULES } from "../../src/core/rules/feasibility/feasibility.ts";
import { preferencePoints } from "../../src/core/rules/feasibility/preferences.ts";
import type {
  Affinity,
  AffinityTerm,
  Labels,
  Node,
  Replica,
} from "../../src/core/model/objects.ts";
import { emptyNodeUse, type NodeUse } from "../../src/core/observe/usage.ts";

/** A replica on a node: in the view, or asked for. */
export interface Sitting {
  readonly replica: Replica;
  readonly node: string;
  readonly deviceIds: readonly string[];
}

export interface Situation {
  readonly nodes: readonly Node[];
  readonly sittings: readonly Sitting[];
  readonly shunned: ReadonlySet<string>;
  readonly pointsPerIdleUnit: number;
}

export interface Ranked {
  readonly name: string;
  readonly score: number;
}

export interface NaiveAnswer {
  /** Best first, equal scores by name. */
  readonly ranked: readonly Ranked[];
  readonly rejected: Readonly<Record<string, { readonly count: number; readonly first: string }>>;
}

export function findNaively(situation: Situation, replica: Replica): NaiveAnswer {
  const ranked: Ranked[] = [];
  const rejected: Record<string, { count: number; first: string }> = {};
  const nodes = situation.nodes.toSorted((a, b) => (a.meta.name < b.meta.name ? -1 : 1));
  for (const node of nodes) {
    const { name } = node.meta;
    const rule = turnedAwayBy(situation, replica, node);
    if (rule === undefined) ranked.push({ name, score: scoreOf(situation, replica, node) });
    else {
      rejected[rule] ??= { count: 0, first: name };
      rejected[rule].count += 1;
    }
  }
  ranked.sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1));
  return { ranked, rejected };
}

function useOf({ sittings }: Situation, node: string): NodeUse {
  const use = emptyNodeUse();
  for (const { replica, node: where, deviceIds } of sittings) {
    if (where !== node) continue;
    const { amounts, device } = replica.spec.template.ask;
    use.cpuMillis += amounts.cpuMillis;
    use.memoryMiB += amounts.memoryMiB;
    use.deviceMillis += amounts.deviceMillis;
    use.replicas += 1;
    for (const id of deviceIds) {
      const was = use.devices.get(id);
      const usedMillis = (was?.usedMillis ?? 0) + (device?.shareMillis ?? 0);
      use.devices.set(id, { usedMillis, owners: [...(was?.owners ?? []), replica.key] });
    }
  }
  return use;
}

function turnedAwayBy(situation: Situation, replica: Replica, node: Node): string | undefined {
  const { name } = node.meta;
  if (situation.shunned.has(name)) return "refused-lately";
  const use = useOf(situation, name);
  const { ask } = replica.spec.template;
  const lasting = STATIC_RULES.find((rule) => rule.check({ node, use }, ask) !== undefined);
  if (lasting !== undefined) return lasting.name;
  if (ROOM_RULES.some((rule) => rule.check({ node, use }, ask) !== undefined)) return "capacity";
  if (use.replicas >= (node.spec.maxReplicas ?? Infinity)) return "capacity";
  const broken = brokenNeighbourRules(situation, replica, node);
  // Rules about single nodes are looked at before those about larger places.
  return (broken.find(({ by }) => by === "node") ?? broken[0])?.rule;
}

const placeOf = (node: Node | undefined, by: string): string | undefined =>
  node === undefined
    ? undefined
    : by === "node"
      ? node.meta.name
      : by === "zone"
        ? node.spec.zone
        : by === "region"
          ? node.spec.region
          : node.meta.labels[by];

type Who = (other: Replica) => boolean;

function countIn({ nodes, sittings }: Situation, by: string, place: string, who: Who): number {
  let count = 0;
  for (const { replica, node } of sittings) {
    const at = placeOf(
      nodes.find(({ meta }) => meta.name === node),
      by,
    );
    if (at === place && who(replica)) count += 1;
  }
  return count;
}

const siblingsOf =
  ({ spec }: Replica): Who =>
  (other) =>
    other.spec.workloadUid === spec.workloadUid && other.spec.generation === spec.generation;

const all = (wanted: Labels, labels: Labels): boolean =>
  Object.entries(wanted).every(([key, value]) => labels[key] === value);

/** Whom a term of this replica means. */
const meantBy =
  (term: AffinityTerm, { meta }: Replica): Who =>
  (other) =>
    (term.tenants ?? [meta.namespace]).includes(other.meta.namespace) &&
    all(term.labels, other.meta.labels);

/** The fewest siblings in any place that the replica may be put at all, room or not. */
function fewest(situation: Situation, replica: Replica, by: string): number {
  const counts: number[] = [];
  for (const node of situation.nodes) {
    const place = placeOf(node, by);
    const { ask } = replica.spec.template;
    const use = emptyNodeUse();
    if (place === undefined || STATIC_RULES.some((rule) => rule.check({ node, use }, ask)))
      continue;
    counts.push(countIn(situation, by, place, siblingsOf(replica)));
  }
  return counts.length === 0 ? 0 : Math.min(...counts);
}

interface BrokenRule {
  readonly rule: string;
  readonly by: string;
}

function brokenNeighbourRules(
  situation: Situation,
  replica: Replica,
  node: Node,
): readonly BrokenRule[] {
  const { spread, maxPerNode, affinity } = replica.spec.template;
  const broken: BrokenRule[] = [];
  for (const { by, maxSkew, soft } of spread) {
    if (soft === true) continue;
    const place = placeOf(node, by);
    const here = place === undefined ? 0 : countIn(situation, by, place, siblingsOf(replica));
    const isSkewed = here + 1 - fewest(situation, replica, by) > maxSkew;
    if (place === undefined || isSkewed) broken.push({ rule: "spread", by });
  }
  const siblings = countIn(situation, "node", node.meta.name, siblingsOf(replica));
  if (maxPerNode !== undefined && siblings >= maxPerNode) {
    broken.push({ rule: "max-per-node", by: "node" });
  }
  for (const port of Object.values(replica.spec.template.ask.fixedPorts ?? {})) {
    const has: Who = ({ spec }) => Object.values(spec.template.ask.fixedPorts ?? {}).includes(port);
    if (countIn(situation, "node", node.meta.name, has) > 0) {
      broken.push({ rule: "fixed-port", by: "node" });
    }
  }
  broken.push(...brokenAffinity(situation, replica, node, affinity));
  for (const { replica: other, node: where } of situation.sittings) {
    const there = situation.nodes.find(({ meta }) => meta.name === where);
    for (const term of other.spec.template.affinity?.antiRequired ?? []) {
      const place = placeOf(there, term.by);
      const isSame = place !== undefined && place === placeOf(node, term.by);
      if (isSame && meantBy(term, other)(replica))
        broken.push({ rule: "anti-affinity", by: term.by });
    }
  }
  return broken;
}

function brokenAffinity(
  situation: Situation,
  replica: Replica,
  node: Node,
  affinity: Affinity | undefined,
): readonly BrokenRule[] {
  const broken: BrokenRule[] = [];
  for (const term of affinity?.required ?? []) {
    const place = placeOf(node, term.by);
    const who = meantBy(term, replica);
    const isThere = place !== undefined && countIn(situation, term.by, place, who) > 0;
    // The first of its kind may begin a place, when it is what it seeks.
    const places = situation.nodes.map((each) => placeOf(each, term.by));
    const isNowhere = places.every(
      (each) => each === undefined || countIn(situation, term.by, each, who) === 0,
    );
    const begins = place !== undefined && isNowhere && who(replica);
    if (!isThere && !begins) broken.push({ rule: "affinity", by: term.by });
  }
  for (const term of affinity?.antiRequired ?? []) {
    const place = placeOf(node, term.by);
    const who = meantBy(term, replica);
    if (place !== undefined && countIn(situation, term.by, place, who) > 0) {
      broken.push({ rule: "anti-affinity", by: term.by });
    }
  }
  return broken;
}

function scoreOf(situation: Situation, replica: Replica, node: Node): number {
  const { ask } = replica.spec.template;
  const use = useOf(situation, node.meta.name);
  const memory = use.memoryMiB + ask.amounts.memoryMiB;
  const fullness = Math.floor((memory * 1000) / node.spec.capacity.memoryMiB);
  const ids = node.spec.pools.flatMap((pool) => pool.ids);
  const idle = ids.filter((id) => (use.devices.get(id)?.usedMillis ?? 0) === 0).length;
  const neighbours = neighbourPoints(situation, replica, node);
  return fullness + situation.pointsPerIdleUnit * idle + preferencePoints(node, ask) + neighbours;
}

function neighbourPoints(situation: Situation, replica: Replica, node: Node): number {
  const { spread, affinity } = replica.spec.template;
  let points = 0;
  for (const { by } of spread) {
    const place = placeOf(node, by);
    if (place === undefined) continue;
    const here = countIn(situation, by, place, siblingsOf(replica));
    points -= 100 * (here - fewest(situation, replica, by));
  }
  for (const [terms, sign] of [
    [affinity?.preferred ?? [], 1],
    [affinity?.antiPreferred ?? [], -1],
  ] as const) {
    for (const term of terms) {
      const place = placeOf(node, term.by);
      const isThere =
        place !== undefined && countIn(situation, term.by, place, meantBy(term, replica)) > 0;
      if (isThere) points += sign * 10 * term.weight;
    }
  }
  return points;
}
