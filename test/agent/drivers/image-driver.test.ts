import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { layoutOf, programsLayer } from "./an-image.ts";
import { describeDriver, DriverOnTrial } from "./driver-contract.ts";
import { isRoot } from "./drivers-of.ts";

const images = mkdtempSync(join(tmpdir(), "berth-images-"));
afterAll(() => rmSync(images, { recursive: true }));

describe.runIf(isRoot)("an image is run as every driver runs its replicas [DR10]", () => {
  const image = isRoot ? layoutOf(images, "tools", [programsLayer()]) : "";
  const of = { driver: "image", parts: { run: { image } }, images } as const;
  describeDriver(of);

  describe("a replica in an image", () => {
    const trial = new DriverOnTrial(of);
    beforeEach(() => trial.begin());
    afterEach(() => trial.harness.end());

    test("is the image's user in a namespace of its own, without rights [DR15]", async () => {
      const status =
        "grep -E '^(CapPrm|CapBnd|NoNewPrivs|Seccomp):' /proc/self/status | tr '\\t' ' '";
      await trial.ended(
        `id -u; id -g; echo $FROM_IMAGE; ${status}; head -1 /proc/self/uid_map | tr -s ' '`,
      );
      const [uid, gid, env, ...rest] = trial.output.trimEnd().split("\n");
      expect([uid, gid, env]).toEqual(["7", "8", "yes"]);
      expect(rest.slice(0, -1)).toEqual([
        "CapPrm: 0000000000000000",
        "CapBnd: 0000000000000000",
        "NoNewPrivs: 1",
        "Seccomp: 2",
      ]);
      expect(rest.at(-1)).toMatch(/^ 0 (19[2-9]\d|20\d\d|21[0-4]\d)\d{6} 65536$/);
    });

    test("sees the image and nothing of its node, and cannot change it [DR15]", async () => {
      const { folder } = trial.harness;
      const script = `touch /bin/x /x 2> /dev/null; for p in ${folder} /usr/share /home /root /bin/x /x /bin/sh; do test -e $p && echo $p; done`;
      await trial.ended(script);
      expect(trial.output).toBe("/bin/sh\n");
    });

    test("is probed as the same user, without rights, behind the same filter [DR6] [DR15]", async () => {
      const status =
        "id > /tmp/$1; grep -E '^(Cap...|NoNewPrivs|Seccomp):' /proc/self/status >> /tmp/$1";
      const command = ["/bin/sh", "-c", `${status}; cmp /tmp/own /tmp/probed`, "sh", "probed"];
      const order = trial.start({
        command: ["/bin/sh", "-c", `${status}; echo ready; exec sleep 600`, "sh", "own"],
        probe: { action: { kind: "exec", command }, timeoutMs: 60_000 },
      });
      await trial.said("ready");
      await trial.harness.heard("alive");
      trial.harness.driver.probe(order);
      expect(await trial.harness.heard("probed")).toMatchObject({ ready: true });
    });

    test("says which image could not be had", async () => {
      const missing = `layout:nothing@sha256:${"0".repeat(64)}`;
      trial.start({ run: { image: missing } });
      const { code, reason } = await trial.harness.heard("exited");
      expect(code).toBe(126);
      expect(reason).toBe(
        `The image ${missing} cannot be used: The image lacks its part sha256:${"0".repeat(64)}.`,
      );
    });
  });
});
