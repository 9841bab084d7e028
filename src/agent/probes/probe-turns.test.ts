import { expect, test } from "vitest";
import { ProbeTurns } from "./probe-turns.ts";

/** Probes that end when they are told to, and which of them have begun. */
function aNode(most: number) {
  const turns = new ProbeTurns(most);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const ask = (namespace: string, name: string): void =>
    void turns.run(namespace, () => {
      begun.push(name);
      return new Promise<void>((end) => ends.set(name, end));
    });
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  };
  return { begun, ask, end };
}

test("so many probes run at once, and the next begins when one ends [DR6]", async () => {
  const { begun, ask, end } = aNode(4);
  for (const name of ["a", "b", "c", "d", "e", "f"]) ask(`tenant-${name}`, name);
  expect(begun).toEqual(["a", "b", "c", "d"]);
  await end("b");
  expect(begun).toEqual(["a", "b", "c", "d", "e"]);
  await end("a");
  expect(begun.at(-1)).toBe("f");
});

test("one namespace has a quarter at most, and waits for no other's turn [DR6]", async () => {
  const { begun, ask, end } = aNode(8);
  for (const name of ["a1", "a2", "a3"]) ask("a", name);
  ask("b", "b1");
  expect(begun).toEqual(["a1", "a2", "b1"]);
  await end("b1");
  expect(begun).toHaveLength(3);
  await end("a1");
  expect(begun.at(-1)).toBe("a3");
});

test("a probe that fails gives its turn back [DR6]", async () => {
  const turns = new ProbeTurns(1);
  await expect(turns.run("a", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  await expect(turns.run("a", () => Promise.resolve("yes"))).resolves.toBe("yes");
});
