import { describe, expect, test } from "vitest";
import { aPlane, type Plane } from "../../../../test/builders/a-plane.ts";
import { codeOf } from "../../../../test/builders/code-of.ts";
import type { Actor } from "../../model/actor.ts";
import { nodeKey, type Uid } from "../../model/ids.ts";
import { JOIN_LIMITS } from "../../model/limits/join-limits.ts";
import { joinKey } from "../../model/node/join.ts";
import type { Join } from "../../model/objects.ts";

const agent: Actor = { role: "agent", name: "agent:pool:burst" };
const token = (letter: string) => letter.repeat(64);
const uidOf = (plane: Plane, node: string) => plane.get(nodeKey(node))?.meta.uid as Uid;

interface Asked {
  readonly of?: string;
  readonly node?: string;
  readonly keyId?: string;
  readonly uses?: number;
  readonly actor?: Actor;
  readonly uid?: Uid;
}

function aPlaneOfTwo(): Plane {
  const plane = aPlane();
  plane.joined("b-1");
  return plane;
}

const join = (plane: Plane, asked: Asked = {}) => {
  const { of = "a", node = "a-1", keyId = "k1", uses = 1, actor = agent } = asked;
  const uid = asked.uid ?? uidOf(plane, node);
  const intent = { kind: "join", token: token(of), node, uid, keyId, uses } as const;
  return codeOf(plane.send(intent, { actor }));
};
const held = (plane: Plane, of: string) => plane.get(joinKey(token(of))) as Join | undefined;

describe("the use of a bootstrap token", () => {
  test("is counted in the log, and again for the same key it stays one [NJ2]", () => {
    const plane = aPlaneOfTwo();
    expect([join(plane), join(plane)]).toEqual(["committed", "committed"]);
    expect(held(plane, "a")?.status.uses).toMatchObject([{ node: "a-1", keyId: "k1" }]);
    expect(join(plane, { keyId: "k2" })).toBe("join-used");
    expect(join(plane, { node: "b-1" })).toBe("join-used");
    expect(join(plane, { node: "b-1", of: "b" })).toBe("committed");
  });

  test("lets in as many nodes as the token states [NJ2]", () => {
    const plane = aPlaneOfTwo();
    expect(join(plane, { uses: 2 })).toBe("committed");
    expect(join(plane, { uses: 2, node: "b-1" })).toBe("committed");
    expect(join(plane, { uses: 2, node: "b-1", keyId: "k2" })).toBe("join-used");
  });

  test("is for a node that there is, under the uid that it has [NJ2]", () => {
    const plane = aPlaneOfTwo();
    expect(join(plane, { uid: "u999" as Uid })).toBe("no-such-object");
    expect(join(plane, { node: "none", uid: "u1" as Uid })).toBe("no-such-object");
  });

  test("is sent in the name of an agent alone [NJ2]", () => {
    const plane = aPlaneOfTwo();
    expect(join(plane, { actor: { role: "user", name: "ana" } })).toBe("not-owner");
    expect(join(plane, { actor: { role: "place", name: "place" } })).toBe("not-owner");
  });

  test("is remembered after the node has gone, and forgotten long after the token's end [NJ6]", () => {
    const plane = aPlaneOfTwo();
    join(plane);
    plane.nowMs += JOIN_LIMITS.joinsKeptMs.value;
    join(plane, { of: "b", node: "b-1" });
    expect(held(plane, "a")).toBeDefined();
    plane.nowMs += 1;
    join(plane, { of: "c", node: "b-1" });
    expect([held(plane, "a"), held(plane, "b")?.status.uses.length]).toEqual([undefined, 1]);
  });
});
