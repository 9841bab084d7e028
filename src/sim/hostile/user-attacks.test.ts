import { expect, test } from "vitest";
import { operationId } from "../../core/model/ids.ts";
import { aBeliever } from "../../../test/builders/check/fixtures.ts";
import { aReplica } from "../../../test/builders/a-replica.ts";
import type { Scene } from "./hostile-sender.ts";
import { USER_LIES } from "./user-attacks.ts";

test("a user who acts as the plane sends nothing that people may send [INV182]", () => {
  const { view } = aBeliever();
  const replica = aReplica();
  view.objects.fold({ key: replica.key, before: undefined, after: replica });
  const offered: string[] = [];
  const sent: string[] = [];
  for (let at = 0; at < 40; at += 1) {
    const scene: Scene = {
      own: "mallory",
      view,
      at,
      operation: operationId(`hostile/${at}`),
      seen: [],
      people: [],
      sent: [],
      isAimedAt: () => true,
      pick: (what, from) => {
        const picked = from[at % from.length];
        if (what === "command") offered.push((picked as { readonly kind: string }).kind);
        return picked;
      },
      draw: () => 0,
    };
    for (const said of USER_LIES["act-as-plane"](scene)) sent.push(said.kind);
  }
  expect(offered).toContain("delete");
  expect(sent).toContain("evict");
  expect(sent).not.toContain("delete");
});
