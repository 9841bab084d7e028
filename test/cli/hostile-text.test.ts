/** Names are checked, but reasons, commands, labels and annotations are anybody's words; all of them are printed somewhere. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { CommandLine, workloadText } from "./a-served-plane.ts";

/** Clears the screen, sets its title, moves up, turns the direction of writing, and hides itself. */
const HOSTILE = "\u001B[2J\u001B]0;owned\u0007\u009B1A\u202Ereversed\u200B";
const SHOWN = String.raw`\u001b[2J\u001b]0;owned\u0007\u009b1A\u202ereversed\u200b`;
const OBEYED = /(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

let cli: CommandLine;
beforeAll(async () => {
  cli = await CommandLine.start();
  await cli.furnish();
  const text = `"${SHOWN}"`;
  const workload = workloadText("api")
    .replace("name: api", `name: api, annotations: { note: ${text} }`)
    .replace(`[sleep, "60"]`, `["true", ${text}]`);
  await cli.must("apply", "-f", cli.write("api.yaml", workload));
  const override = `
apiVersion: berth.dev/v1
kind: Override
metadata: { name: shaky }
spec: { action: avoid-zone, target: { region: eu, zone: eu-a }, reason: ${text}, ttl: 30m }
`;
  await cli.must("apply", "-f", cli.write("override.yaml", override));
});
afterAll(() => cli.stop());

describe("hostile text on the way to a terminal", () => {
  const commands: readonly (readonly [title: string, ...args: string[]])[] = [
    ["a wide table", "get", "workloads", "-o", "wide"],
    ["a wide table of reasons", "get", "overrides", "-o", "wide"],
    ["JSON", "get", "workload", "api", "-n", "shop", "-o", "json"],
    ["YAML", "get", "workload", "api", "-n", "shop", "-o", "yaml"],
    ["a description", "describe", "workload", "api", "-n", "shop"],
    ["a description of a reason", "describe", "override", "shaky"],
    ["a list of its own", "override", "list"],
    ["an explanation", "explain", "workload/api", "-n", "shop"],
    ["the audit", "audit"],
    ["one frame of top", "top", "--once"],
    ["a name that is echoed", "get", `workload/${HOSTILE}`],
    ["a command that is echoed", `no-such-${HOSTILE}`],
  ];
  it.each(commands)("[TX1] %s: nothing that a terminal obeys is written", async (_, ...args) => {
    const { out, err } = await cli.berth(...args);
    expect(out + err).not.toBe("");
    expect(out + err).not.toMatch(OBEYED);
  });

  it("[TX1] it is shown, and JSON and YAML still mean the same", async () => {
    expect(await cli.must("describe", "override", "shaky")).toContain(SHOWN);
    const api = ["get", "workload", "api", "-n", "shop", "-o"];
    const { metadata } = JSON.parse(await cli.must(...api, "json"));
    expect(metadata.annotations.note).toBe(HOSTILE);
    expect(parse(await cli.must(...api, "yaml")).metadata.annotations.note).toBe(HOSTILE);
  });
});
