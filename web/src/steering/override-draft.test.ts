import { expect, test } from "vitest";
import { commandOf, type Draft, emptyDraft, objectOf, withAction } from "./override-draft.ts";

const aDraft = (of: Partial<Draft> = {}): Draft => ({
  ...emptyDraft(),
  target: { zone: "eu-a" },
  reason: "the power's shaky",
  ...of,
});

test("an override is named after what it does, and the command makes the same", () => {
  expect(objectOf(aDraft())).toEqual({
    apiVersion: "berth.dev/v1",
    kind: "Override",
    metadata: { name: "avoid-zone-eu-a" },
    spec: {
      action: "avoid-zone",
      target: { zone: "eu-a" },
      reason: "the power's shaky",
      ttl: "30m",
    },
  });
  expect(commandOf(aDraft())).toBe(
    String.raw`berth override create avoid-zone --zone eu-a --reason 'the power'\''s shaky' --ttl 30m`,
  );
});

test("another action asks for other fields, keeps what fits, and never means everything by itself", () => {
  expect(withAction(aDraft(), "pause-repair").about).toBe("zone");
  expect(withAction(aDraft(), "pause-expansion").about).toBe("tenant");
  const budget = withAction(aDraft({ target: { tenant: "a", workload: "b" } }), "raise-budget");
  const draft = { ...budget, amount: "2", serves: "a/b", serving: "many" };
  expect(objectOf(draft).spec).toMatchObject({
    target: { tenant: "a", workload: "b" },
    amount: 2,
    postcondition: { tenant: "a", workload: "b", serving: "many" },
  });
  expect(commandOf(draft)).toContain("--workload a/b --by 2 --reason");
  const all = { ...withAction(aDraft(), "pause-repair"), about: "" };
  expect(objectOf(all).spec).not.toHaveProperty("target");
  expect(commandOf(all)).toContain("pause-repair --all --reason");
});
