import { describe, expect, test } from "vitest";
import { aCommit } from "../../../test/builders/a-commit.ts";
import { aNode } from "../../../test/builders/a-node.ts";
import { aReplica } from "../../../test/builders/a-replica.ts";
import { aView } from "../../../test/builders/a-view.ts";
import { aWorkload } from "../../../test/builders/a-workload.ts";
import type { Commit } from "../protocol/commit-record.ts";
import type { AnyObject } from "../model/objects.ts";
import type { Interest } from "./interest.ts";
import { ObjectIndex } from "./object-index.ts";
import { View } from "./view.ts";

const interest: Interest = { kinds: new Set(["Node", "Replica"]), node: undefined };

const node = (cpuMillis: number, revision: number) => aNode({ cpuMillis, revision });

describe("following commits", () => {
  test("takes newer commits in order and tells what changed [VW1]", () => {
    const view = aView({ interest }, [node(1, 5)], 5);
    const commits = [
      aCommit({ revision: 6, put: [node(2, 6)] }),
      aCommit({ revision: 7, put: [node(3, 7)] }),
    ];
    const changes = view.follow(commits, 7, 1);
    expect(
      changes.map(({ before, after }) => [before?.meta.revision, after?.meta.revision]),
    ).toEqual([
      [5, 6],
      [6, 7],
    ]);
    expect(view.objects.node(node(0, 0).key)?.spec.capacity.cpuMillis).toBe(3);
    expect(view.revision).toBe(7);
  });

  test("does not take a commit it already has [VW1]", () => {
    const view = aView({ interest }, [node(1, 5)], 5);
    const commit = aCommit({ revision: 6, put: [node(2, 6)] });
    view.follow([commit], 6, 1);
    expect(view.follow([commit], 6, 1)).toEqual([]);
    expect(view.objects.useOf("a-1").replicas).toBe(0);
  });

  test("does not take an older commit, and does not go back [VW1]", () => {
    const view = aView({ interest }, [node(9, 8)], 8);
    expect(view.follow([aCommit({ revision: 6, put: [node(2, 6)] })], 6, 1)).toEqual([]);
    expect(view.revision).toBe(8);
    expect(view.objects.node(node(0, 0).key)?.spec.capacity.cpuMillis).toBe(9);
  });

  test("moves on over commits that do not concern it [VW1]", () => {
    const view = aView({ interest }, [], 5);
    expect(view.follow([aCommit({ revision: 6, put: [aWorkload()] })], 9, 1)).toEqual([]);
    expect(view.revision).toBe(9);
    expect(view.objects.workload(aWorkload().key)).toBeUndefined();
  });

  test("remembers the highest leadership it has seen [EP1]", () => {
    const view = new View(interest);
    view.follow([], 3, 4);
    view.follow([], 4, 2);
    expect(view.epoch).toBe(4);
    view.replace([], 4, 3);
    expect(view.epoch).toBe(4);
    view.replace([], 4, 5);
    expect(view.epoch).toBe(5);
  });

  test("takes what a commit removed out of the view [VW1]", () => {
    const view = aView({ interest }, [node(1, 5)], 5);
    const changes = view.follow([aCommit({ revision: 6, gone: [node(1, 5)] })], 6, 1);
    expect(changes).toMatchObject([{ before: { key: "Node//a-1" }, after: undefined }]);
    expect(view.objects.node(node(0, 0).key)).toBeUndefined();
  });
});

describe("taking a list", () => {
  test("refuses a list that is older than the view, and keeps all it knows [VW2]", () => {
    const view = aView({ interest }, [node(1, 5)], 8);
    expect(view.replace([], 7, 1)).toBeUndefined();
    expect(view.revision).toBe(8);
    expect(view.objects.node(node(0, 0).key)).toBeDefined();
  });

  test("takes a list as old as the view [VW2]", () => {
    const view = aView({ interest }, [node(1, 5)], 8);
    expect(view.replace([node(1, 5)], 8, 1)).toEqual([]);
  });

  test("removes what the list does not name, and says so [VW3]", () => {
    const stays = aNode({ name: "b-1" });
    const view = aView({ interest }, [node(1, 5), stays], 8);
    const changes = view.replace([stays], 9, 1);
    expect(changes).toMatchObject([{ key: "Node//a-1", after: undefined }]);
    expect([...view.objects.all("Node").keys()]).toEqual(["Node//b-1"]);
  });

  test("frees what a vanished replica held [VW3]", () => {
    const view = aView({ interest }, [aReplica({ stage: "bound", node: "a-1" })], 8);
    view.replace([], 9, 1);
    expect(view.objects.useOf("a-1")).toMatchObject({ cpuMillis: 0, replicas: 0 });
  });

  test("removes in the next list what only the watch had brought [VW3]", () => {
    const view = aView({ interest }, [], 5);
    view.follow([aCommit({ revision: 6, put: [node(1, 6)] })], 6, 1);
    expect(view.replace([], 7, 1)).toMatchObject([{ key: "Node//a-1", after: undefined }]);
  });

  test("does not tell again what a commit has removed already [VW3]", () => {
    const view = aView({ interest }, [node(1, 5)], 5);
    view.follow([aCommit({ revision: 6, gone: [node(1, 5)] })], 6, 1);
    expect(view.replace([], 7, 1)).toEqual([]);
  });

  test("tells only of objects that the view did not have in that revision [VW3]", () => {
    const view = aView({ interest }, [node(1, 5)], 8);
    const changes = view.replace([node(1, 5), aNode({ name: "b-1" })], 9, 1);
    expect(changes?.map(({ key }) => key)).toEqual(["Node//b-1"]);
  });
});

describe("an index that is folded elsewhere", () => {
  /** A plane's published log, as far as a view can tell. */
  class Elsewhere {
    readonly objects = new ObjectIndex();
    leaps = 1;
    private revision = 5;

    put(...objects: readonly AnyObject[]): readonly Commit[] {
      this.revision += 1;
      const changes = objects.map((after) => ({
        key: after.key,
        before: this.objects.get(after.key),
        after,
      }));
      for (const change of changes) this.objects.fold(change);
      return [{ ...aCommit({ revision: this.revision }), changes }];
    }
  }

  function both(...objects: readonly AnyObject[]) {
    const elsewhere = new Elsewhere();
    for (const after of objects) {
      elsewhere.objects.fold({ key: after.key, before: undefined, after });
    }
    const looking = new View(interest);
    looking.lookInto(elsewhere);
    return { elsewhere, looking, folding: new View(interest) };
  }

  test("leads to the same changes as folding them oneself [VW1]", () => {
    const { elsewhere, looking, folding } = both(node(1, 5));
    const first = [node(1, 5)];
    expect(looking.replace(first, 5, 1)).toEqual(folding.replace(first, 5, 1));
    const commits = elsewhere.put(node(2, 6), aWorkload());
    expect(looking.follow(commits, 6, 1)).toEqual(folding.follow(commits, 6, 1));
    expect(looking.replace([node(2, 6)], 6, 1)).toEqual(folding.replace([node(2, 6)], 6, 1));
    expect(looking.objects.node(node(0, 0).key)?.spec.capacity.cpuMillis).toBe(2);
    expect(looking.revision).toBe(folding.revision);
  });

  test("is news as a whole when it has taken a leap that no stream told of [VW3]", () => {
    const { elsewhere, looking } = both(node(1, 5));
    looking.replace([node(1, 5)], 5, 1);
    expect(looking.replace([node(1, 5)], 6, 1)).toEqual([]);
    elsewhere.leaps += 1;
    expect(looking.replace([node(3, 7)], 7, 1)).toMatchObject([{ after: { key: "Node//a-1" } }]);
  });
});
