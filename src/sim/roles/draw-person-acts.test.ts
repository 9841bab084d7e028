import { expect, test } from "vitest";
import { hasSecrets } from "../world/secrets-of-world.ts";
import { drawWorld } from "../swarm/swarm-world.ts";
import { withRoles } from "./draw-person-acts.ts";
import { PEOPLE, PERSON_ACTS } from "./person-act.ts";

const WORLDS = Array.from({ length: 160 }, (_, at) => drawWorld(at + 1));

test("one world in eight has people, who do everything that there is to do", () => {
  const peopled = WORLDS.flatMap(({ people }) => (people === undefined ? [] : [people]));
  expect(peopled.length).toBeGreaterThan(10);
  expect(peopled.length).toBeLessThan(30);
  const acts = peopled.flat();
  expect(new Set(acts.map(({ does }) => does))).toEqual(new Set(PERSON_ACTS));
  expect(new Set(acts.map(({ by }) => by))).toEqual(new Set(PEOPLE));
});

test("a world without people stays as it was drawn", () => {
  const seed = WORLDS.findIndex(({ people }) => people === undefined) + 1;
  const world = drawWorld(seed);
  expect(withRoles(seed, world)).toBe(world);
});

test("nodes lie about their machines in worlds with secrets to ask for", () => {
  const isBent = ({ attacks = [] }: (typeof WORLDS)[number]): boolean =>
    attacks.some(({ attack }) => attack === "bend-clock" || attack === "ask-secrets");
  const lying = WORLDS.filter(isBent);
  expect(lying.length).toBeGreaterThan(5);
  expect(lying.length).toBeLessThan(25);
  expect(lying.every(hasSecrets)).toBe(true);
});
