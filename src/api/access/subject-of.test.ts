import { describe, expect, it } from "vitest";
import type { Caller } from "../http/caller.ts";
import { subjectOf } from "./subject-of.ts";

const aUser = (of: Partial<Caller> = {}): Caller => ({
  kind: "user",
  name: "ana",
  groups: ["devs"],
  how: "token",
  ...of,
});

describe("subjectOf()", () => {
  it.each([
    { caller: aUser(), user: "ana", groups: ["devs", "system:authenticated"] },
    {
      caller: aUser({ kind: "agent", name: "n1", groups: [] }),
      user: "system:node:n1",
      groups: ["system:nodes", "system:authenticated"],
    },
    {
      caller: aUser({ kind: "controller", name: "scaler", groups: [] }),
      user: "scaler",
      groups: ["berth:controllers", "system:authenticated"],
    },
    {
      caller: aUser({ kind: "local", name: "root", groups: [] }),
      user: "root",
      groups: ["system:masters", "system:authenticated"],
    },
    {
      caller: { kind: "user", name: "anonymous", groups: [] } as const,
      user: "system:anonymous",
      groups: ["system:unauthenticated"],
    },
    // A token may be called so; it is authenticated nevertheless.
    {
      caller: aUser({ name: "anonymous", groups: [] }),
      user: "anonymous",
      groups: ["system:authenticated"],
    },
  ])("shows a $caller.kind called $caller.name to roles as $user [AN1]", ({ caller, ...subject }) =>
    expect(subjectOf(caller)).toEqual(subject),
  );
});
