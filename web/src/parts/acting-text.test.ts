import { expect, test } from "vitest";
import { actingText } from "./acting-text.ts";

test("a command names the actor where the plane lets the reader choose the name", () => {
  const command = "berth override release avoid-zone-eu-a";
  expect(actingText(command, { name: "ann", isLocal: true })).toBe(`${command} --as ann`);
  expect(actingText(command, { name: " Ann B ", isLocal: true })).toBe(`${command} --as 'Ann B'`);
  expect(actingText(command, { name: "", isLocal: true })).toBe(command);
  expect(actingText(command, { name: "ann", isLocal: false })).toBe(command);
});
