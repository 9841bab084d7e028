import { expect, test } from "vitest";
import { causeText } from "./cause-text.ts";

test("a cause is told without the command that ends it, and any other text as it is", () => {
  const command = `echo '{"kind":"Quota"}' | berth apply -f -`;
  expect(causeText(`tenant a has no quota; create one: ${command}`)).toBe(
    "tenant a has no quota; create one",
  );
  expect(causeText("no node fits this replica")).toBe("no node fits this replica");
});
