import { describe, expect, it } from "vitest";
import { findStrangers } from "./strangers.ts";

const scan = (text: string): string[] => findStrangers([{ path: "x", text }], ["/opt/box/berth"]);

/** The examples are put together here, because written out they would be found in this file. */
const outside = ["shared", "notes.md"].join("/");
const host = ["registry", "npmjs", "org"].join(".");

describe("findStrangers()", () => {
  it.each([
    `see ../${outside}`,
    `see ../../${outside}`,
    `see /srv/${outside}`,
    `see ${outside}`,
    `npm --registry https://${host}/`,
    `${["registry", "https://packages.example"].join("=")}/`,
    `"resolved": "${["https", "packages.example"].join("://")}/a.tgz"`,
    "at /opt/box/berth/src/x.ts",
    'cwd: "/opt/box/berth"',
  ])("finds the stranger in: %s", (text) => {
    expect(scan(text)).toHaveLength(1);
  });

  it.each([
    `src/${outside}`,
    `https://example.com/${outside}`,
    "a registry of refusals",
    '"resolved": "web"',
    "/opt/box/berth-other",
    "image: registry.k8s.io/pause",
  ])("finds nothing in: %s", (text) => {
    expect(scan(text)).toEqual([]);
  });
});
