/** Why not, and what if, against a full scan that counts everything by hand. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Remedy } from "../../src/core/rules/obstacles/remedy.ts";
import { whatIf, whyNot } from "../../src/core/explain/what-if.ts";
import type { Ask, Node, Replica, Template } from "../../src/core/model/objects.ts";
import { aNode } from "../builders/a-node.ts";
import { choices } from "./commands.ts";
import { type FinderMove, FinderWorld } from "./finder-world.ts";
import { findNaively, type Situation } from "./naive-finder.ts";
import { runs, TIME_LIMIT_MS } from "./runs.ts";

const moves: fc.Arbitrary<FinderMove[]> = fc.array(
  fc.record({
    verb: fc.oneof(
      { weight: 6, arbitrary: fc.constant("node" as const) },
      { weight: 1, arbitrary: fc.constant("drop-node" as const) },
      { weight: 12, arbitrary: fc.constant("replica" as const) },
    ),
    picks: choices(16),
  }),
  { maxLength: 40, size: "max" },
);

const templates = fc.array(choices(24), { minLength: 3, maxLength: 3 });

interface Case {
  readonly situation: Situation;
  readonly replica: Replica;
}

const spec =
  (part: (node: Node) => Partial<Node["spec"]>) =>
  (node: Node): Node => ({
    ...node,
    spec: { ...node.spec, ...part(node) },
  });

/** The change made by hand, in another way than the product makes it: room is added and not freed. */
function made({ situation, replica }: Case, remedy: Remedy): Case {
  const onNode = (name: string, change: (node: Node) => Node): Case => ({
    replica,
    situation: {
      ...situation,
      nodes: situation.nodes.map((node) => (node.meta.name === name ? change(node) : node)),
    },
  });
  const template = (part: Partial<Template>): Case => ({
    situation,
    replica: {
      ...replica,
      spec: { ...replica.spec, template: { ...replica.spec.template, ...part } },
    },
  });
  const { ask } = replica.spec.template;
  const asks = (part: Partial<Ask>): Case => template({ ask: { ...ask, ...part } });
  switch (remedy.kind) {
    case "free":
      return onNode(
        remedy.node,
        spec(({ spec: { capacity } }) => ({
          capacity: { ...capacity, [remedy.name]: capacity[remedy.name] + remedy.amount },
        })),
      );
    case "free-place":
      return onNode(
        remedy.node,
        spec(({ spec: { maxReplicas = 0 } }) => ({ maxReplicas: maxReplicas + 1 })),
      );
    case "free-devices":
      return { replica, situation: withoutDevices(situation, replica, remedy) };
    case "uncordon":
      return onNode(
        remedy.node,
        spec(({ spec: { cordons } }) => ({
          cordons: cordons.filter(({ holder }) => holder !== remedy.holder),
        })),
      );
    case "end-drain":
      return onNode(
        remedy.node,
        spec(() => ({ draining: false })),
      );
    case "tolerate":
      return asks({ tolerations: [{ key: remedy.taint.key, value: "" }, ...ask.tolerations] });
    case "drop-label":
      return asks({
        nodeSelector: Object.fromEntries(
          Object.entries(ask.nodeSelector).filter(([label]) => label !== remedy.label),
        ),
      });
    case "drop-expression":
      return asks({
        nodeExpressions: (ask.nodeExpressions ?? []).filter(
          ({ key, operator }) =>
            key !== remedy.expression.key || operator !== remedy.expression.operator,
        ),
      });
    case "drop-fixed-port": {
      const { [remedy.name]: _, ...fixedPorts } = ask.fixedPorts ?? {};
      return asks({ fixedPorts });
    }
    case "drop-driver": {
      const { driver: _, ...rest } = ask;
      return template({ ask: rest });
    }
    case "allow-region":
      return asks({ regions: [remedy.region, ...ask.regions] });
    case "allow-zone":
      return asks({ zones: [remedy.zone, ...ask.zones] });
    case "loosen-spread":
      return template({
        spread: replica.spec.template.spread.map((each) =>
          each.by === remedy.by
            ? { ...each, maxSkew: Math.max(each.maxSkew, remedy.maxSkew) }
            : each,
        ),
      });
    case "raise-max-per-node":
      return template({ maxPerNode: remedy.to });
    // No situation of these tests has an override in it, or a recovery.
    case "release-override":
    case "grant-budget":
    case "raise-quota":
    case "create-quota":
      return { situation, replica };
    case "add-node": {
      const { region, zone, amounts } = remedy;
      const [model = ""] = ask.device?.models ?? [];
      const count = ask.device?.count ?? 0;
      const ids = Array.from({ length: count }, (_, at) => `d${at}`);
      const pools = ask.device === undefined ? [] : [{ class: ask.device.class, model, ids }];
      const capacity = { ...amounts, deviceMillis: 1000 * count };
      const node = aNode({ name: NEW, region, zone, labels: { ...ask.nodeSelector } });
      const wanted = { ...node, spec: { ...node.spec, capacity, pools } };
      return { replica, situation: { ...situation, nodes: [...situation.nodes, wanted] } };
    }
  }
}

/** The first units of the pools that would do are given back by the replicas that hold them. */
function withoutDevices(
  situation: Situation,
  replica: Replica,
  remedy: Extract<Remedy, { kind: "free-devices" }>,
): Situation {
  const { class: kind = "", models = [] } = replica.spec.template.ask.device ?? {};
  const node = situation.nodes.find(({ meta }) => meta.name === remedy.node);
  const there = situation.sittings.filter((each) => each.node === remedy.node);
  const given = (node?.spec.pools ?? [])
    .filter((pool) => pool.class === kind && (models.length === 0 || models.includes(pool.model)))
    .flatMap(({ ids }) => ids)
    .filter((id) => there.some(({ deviceIds }) => deviceIds.includes(id)))
    .slice(0, remedy.count);
  return {
    ...situation,
    sittings: situation.sittings.map((each) =>
      each.node === remedy.node ? givenBack(each, given) : each,
    ),
  };
}

function givenBack(sitting: Situation["sittings"][number], given: readonly string[]) {
  const { template } = sitting.replica.spec;
  const { amounts, device } = template.ask;
  const kept = sitting.deviceIds.filter((id) => !given.includes(id));
  const freed = (sitting.deviceIds.length - kept.length) * (device?.shareMillis ?? 0);
  const less = { ...amounts, deviceMillis: amounts.deviceMillis - freed };
  const after = {
    ...sitting.replica.spec,
    template: { ...template, ask: { ...template.ask, amounts: less } },
  };
  return { ...sitting, deviceIds: kept, replica: { ...sitting.replica, spec: after } };
}

const NEW = "(a new node)";

test(
  "property: [EX1] a node has no obstacle exactly when a full scan would take it, and [EX2] what is suggested gives a place",
  () => {
    const met: Record<string, number> = {};
    const meet = (what: string) => (met[what] = (met[what] ?? 0) + 1);
    fc.assert(
      fc.property(templates, moves, (of, steps) => {
        const world = new FinderWorld(of);
        for (const step of steps) world.take(step);
        world.turn();
        const { situation } = world;
        const { objects } = world.view;
        for (const replica of world.seekers) {
          const takers = new Set(findNaively(situation, replica).ranked.map(({ name }) => name));
          for (const { meta } of situation.nodes) {
            const obstacles = whyNot(objects, replica, meta.name);
            expect({ ...meta, fits: obstacles.length === 0, obstacles }).toMatchObject({
              fits: takers.has(meta.name),
            });
            for (const { rule } of obstacles) meet(rule);
          }
          const { suggestions, fitsNow } = whatIf(objects, replica);
          expect(fitsNow === undefined ? takers.size === 0 : takers.has(fitsNow)).toBe(true);
          for (const { remedies, node } of suggestions) {
            const after = remedies.reduce(made, { situation, replica });
            const now = findNaively(after.situation, after.replica).ranked;
            const names = now.map(({ name }) => name);
            expect({ remedies, names }).toMatchObject({ names: expect.arrayContaining([node]) });
            for (const { kind } of remedies) meet(kind);
          }
        }
      }),
      runs(600),
    );
    const wanted = [
      "capacity",
      "taints",
      "schedulable",
      "spread",
      "node-selector",
      "anti-affinity",
    ];
    const kinds = ["free", "tolerate", "drop-label", "end-drain", "loosen-spread", "add-node"];
    // Every rule and every change came up, or the property says less than its name.
    expect([...wanted, ...kinds].filter((what) => (met[what] ?? 0) < 3)).toEqual([]);
  },
  TIME_LIMIT_MS,
);
