import { expect, test } from "vitest";
import { attacked } from "../sim/hostile/draw-attacks.ts";
import { drawWorld } from "../sim/swarm/swarm-world.ts";
import { UserError } from "../shell/errors.ts";
import { formatWorld, parseWorld } from "./world-file.ts";

test("attacks come back from a file as they were written", () => {
  const world = attacked(4, drawWorld(4));
  expect(world.attacks?.length).toBeGreaterThan(9);
  expect(parseWorld(formatWorld(world), "again.yaml").attacks).toEqual(world.attacks);
});

const mistakeIn = (attack: string): string => {
  const text = formatWorld({ ...drawWorld(4), attacks: [] }).replace(
    "attacks: []",
    `attacks: [${attack}]`,
  );
  try {
    parseWorld(text, "world.yaml");
  } catch (error) {
    if (error instanceof UserError) return error.message;
  }
  return "none";
};

test.each([
  {
    attack: "{ at: 1s, by: agent, attack: flood }",
    says: "expected agent:<node> or user:<tenant>",
  },
  {
    attack: '{ at: 1s, by: "agent:n1", attack: re-create }',
    says: "expected one of take-operation",
  },
  { attack: '{ at: 1s, by: "user:nobody", attack: flood }', says: "nobody" },
])("a mistake is told where it stands: $says", ({ attack, says }) => {
  expect(mistakeIn(attack)).toContain(says);
});
