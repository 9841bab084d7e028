import { expect, test } from "vitest";
import type { Commit } from "../../core/protocol/commit-record.ts";
import { wants } from "../../core/observe/interest.ts";
import { createCast } from "../world/cast.ts";
import { Engine } from "../engine.ts";
import { Sim } from "../sim.ts";
import { drawSwarm } from "../swarm/swarm.ts";

test("a commit is routed only to the watchers that want one of its changes", () => {
  const { world, rates } = drawSwarm(4);
  const options = { world, seed: 4, faults: { explicit: [], rates } };
  const commits: Commit[] = [];
  new Engine(options, [{ name: "keep", afterCommit: (commit) => void commits.push(commit) }]).run();
  const sim = new Sim(options, []);
  const { clients } = createCast(sim);
  for (const commit of commits) {
    sim.router.land(commit);
    const wanting = clients.filter(
      ({ interest }) => interest && commit.changes.some((change) => wants(interest, change)),
    );
    const routed = new Set(sim.router.wanting(commit.revision).map(({ name }) => name));
    expect(routed).toEqual(new Set(wanting.map(({ name }) => name)));
  }
  for (const client of clients) {
    const since = sim.router.since(40, client, commits).map(({ revision }) => revision);
    const wanted = commits.filter(({ revision }) => sim.router.wanting(revision).includes(client));
    expect(since).toEqual(
      wanted.map(({ revision }) => revision).filter((revision) => revision > 40),
    );
  }
});
