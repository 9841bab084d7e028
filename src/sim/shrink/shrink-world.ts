/**
 * Smaller worlds. Every function leaves a consistent world: removing an object also removes
 * everything that names it, so that the scenario can be written to a file and read back.
 */
import { type Attack, attackersOf, ownOf } from "../hostile/attack.ts";
import type { PersonAct } from "../roles/person-act.ts";
import type {
  QuotaSharing,
  TimelineEntry,
  World,
  WorldNode,
  WorldNodePool,
  WorldWorkload,
} from "../world/world.ts";

export function withTimeline(world: World, timeline: readonly TimelineEntry[]): World {
  return consistent({ ...world, timeline });
}

export function withWorkloads(world: World, workloads: readonly WorldWorkload[]): World {
  return consistent({ ...world, workloads });
}

export function withNodes(world: World, nodes: readonly WorldNode[]): World {
  return consistent({ ...world, nodes });
}

export function withPools(world: World, nodePools: readonly WorldNodePool[]): World {
  const { nodePools: _, ...rest } = world;
  return nodePools.length === 0 ? rest : { ...rest, nodePools };
}

export function withAttacks(world: World, attacks: readonly Attack[]): World {
  const { attacks: _, ...rest } = world;
  return attacks.length === 0 ? rest : { ...rest, attacks };
}

export function withPeople(world: World, people: readonly PersonAct[]): World {
  const { people: _, ...rest } = world;
  return people.length === 0 ? rest : { ...rest, people };
}

export function withReplicas(world: World, of: WorldWorkload, replicas: number): World {
  const workloads = world.workloads.map((workload) =>
    workload.tenant === of.tenant && workload.name === of.name
      ? { ...workload, spec: sized(workload.spec, replicas) }
      : workload,
  );
  return { ...world, workloads };
}

/** A job has as many indexes as completions, and at least one. */
function sized(spec: WorldWorkload["spec"], replicas: number): WorldWorkload["spec"] {
  if (spec.batch === undefined) return { ...spec, replicas };
  const completions = Math.max(1, replicas);
  return { ...spec, replicas: completions, batch: { ...spec.batch, completions } };
}

export function withSchedulers(world: World, schedulers: number): World {
  return { ...world, schedulers };
}

export function withPlanes(world: World, planes: number): World {
  return { ...world, planes };
}

/** Drops unused tenants and regions; they say nothing about the violation. */
export function withoutIdlers(world: World): World {
  const workloads = allWorkloads(world);
  const nodes = allNodes(world);
  const { nodePools: pools = [] } = world;
  const attackers = attackersOf(world.attacks ?? []).map(ownOf);
  const tenants = world.tenants.filter(
    ({ name }) => workloads.some(({ tenant }) => tenant === name) || attackers.includes(name),
  );
  const regions = world.regions
    .map((region) => ({
      ...region,
      zones: region.zones.filter(
        (zone) =>
          nodes.some(({ spec }) => spec.region === region.name && spec.zone === zone) ||
          pools.some(({ spec }) => spec.region === region.name && spec.zone === zone) ||
          workloads.some(({ spec }) => spec.template.ask.zones.includes(zone)),
      ),
    }))
    .filter(
      ({ name, zones }) =>
        zones.length > 0 ||
        struckRegions(world).has(name) ||
        workloads.some(({ spec }) => spec.template.ask.regions.includes(name)) ||
        world.timeline.some(({ action }) => action.do === "activate" && action.region === name) ||
        workloads.some(({ spec }) => spec.recovery?.regions.includes(name) === true) ||
        budgetedRegions(world).includes(name) ||
        sharings(world).some(({ regions: bounded = {} }) => name in bounded),
    );
  return consistent({ ...world, tenants, regions });
}

/** Those that something happens to between planes. */
const struckRegions = ({ regional }: World): ReadonlySet<string> =>
  new Set(regional?.events.map((event) => (event.event === "restore" ? event.of : event.region)));

/** Drops actions on objects that are no longer there. */
function consistent(world: World): World {
  const nodes = new Set(allNodes(world).map(({ name }) => name));
  const workloads = new Set(allWorkloads(world).map(({ tenant, name }) => `${tenant}/${name}`));
  const tenants = new Set(world.tenants.map(({ name }) => name));
  const timeline = world.timeline.filter(({ action }) => {
    switch (action.do) {
      case "scale":
      case "delete-workload":
      case "delete-replica":
      case "change-template":
      case "set-rollout":
        return workloads.has(`${action.tenant}/${action.workload}`);
      case "set-owners":
        return [action.workload, ...action.owners].every((name) =>
          workloads.has(`${action.tenant}/${name}`),
        );
      case "cordon":
      case "uncordon":
      case "drain":
      case "undrain":
      case "delete-node":
      case "restore-node":
        return nodes.has(action.node);
      case "delete-tenant":
      case "delete-quota":
      case "lift-finalizers":
      case "set-quota":
      case "set-secret":
        return tenants.has(action.tenant);
      case "put-workload":
      case "put-priority-class":
      case "override":
      case "extend-override":
      case "release-override":
      case "grant-budget":
      case "extend-budget":
      case "withdraw-budget":
      case "put-policy-revision":
      case "activate":
      case "add-node":
        return true;
    }
  });
  const scaled = world.autoscalers?.filter(({ tenant, spec }) =>
    workloads.has(`${tenant}/${spec.workload}`),
  );
  const isWhole =
    timeline.length === world.timeline.length && scaled?.length === world.autoscalers?.length;
  if (isWhole) return world;
  const { autoscalers: _, ...rest } = world;
  return {
    ...rest,
    timeline,
    ...(scaled === undefined || scaled.length === 0 ? {} : { autoscalers: scaled }),
  };
}

function budgetedRegions({ policyRevisions = [], timeline }: World): readonly string[] {
  const written = timeline.flatMap(({ action }) =>
    action.do === "put-policy-revision" ? [action.policyRevision] : [],
  );
  return [
    ...[...policyRevisions, ...written].flatMap(({ spec }) => spec.recovery?.grants ?? []),
    ...timeline.flatMap(({ action }) => (action.do === "grant-budget" ? [action.spec] : [])),
  ].map(({ region }) => region);
}

function sharings(world: World): readonly QuotaSharing[] {
  const set = world.timeline.flatMap(({ action }) =>
    action.do === "set-quota" ? [action.sharing] : [],
  );
  return [...world.tenants.map(({ sharing }) => sharing), ...set].filter(
    (sharing) => sharing !== undefined,
  );
}

function allNodes(world: World): readonly WorldNode[] {
  const added = world.timeline.flatMap(({ action }) =>
    action.do === "add-node" ? [action.node] : [],
  );
  return [...world.nodes, ...added];
}

function allWorkloads(world: World): readonly WorldWorkload[] {
  const put = world.timeline.flatMap(({ action }) =>
    action.do === "put-workload" ? [action.workload] : [],
  );
  return [...world.workloads, ...put];
}
