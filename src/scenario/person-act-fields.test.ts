import { expect, test } from "vitest";
import { peopled } from "../sim/roles/draw-person-acts.ts";
import { drawWorld } from "../sim/swarm/swarm-world.ts";
import { formatWorld, parseWorld } from "./world-file.ts";

test("what people with roles do comes back from a file as it was written", () => {
  const world = peopled(4, drawWorld(4));
  expect(world.people?.length).toBeGreaterThan(30);
  expect(parseWorld(formatWorld(world), "again.yaml").people).toEqual(world.people);
});
