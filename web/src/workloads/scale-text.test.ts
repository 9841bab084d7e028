import { expect, test } from "vitest";
import { lastServed, specWith } from "./put-back.ts";
import { scaleText, wholeNumber } from "./scale-text.ts";
import { commandFor, eventsPath } from "./workload-path.ts";

const said = (written: string, isJob = false) => scaleText({ now: 4, written, isJob });

test("what scaling does is said before it is done", () => {
  expect(said("6")).toContain("From 4 to 6: 2 more replicas");
  expect(said("3")).toBe("From 4 to 3: 1 replica will be stopped.");
  expect(said("0")).toContain("The service will have no replicas.");
  expect(said("-1")).toBe("The number must be 0 or more.");
  expect(said("4")).toContain("nothing will change");
  expect(said("")).toBe("Enter the number of replicas.");
  expect(said("8", true)).toContain("up to 4 more run at once");
});

test("an empty field is no number, and never taken for zero", () => {
  expect(wholeNumber(" ")).toBeUndefined();
  expect(wholeNumber("1.5")).toBeUndefined();
  expect(wholeNumber("-1")).toBe(-1);
});

const past = (generation: number, served: boolean) => ({
  generation,
  served,
  since: "",
  template: {},
});

test("going back replaces the whole template and nothing else of the spec", () => {
  const spec = {
    replicas: 4,
    rollout: { paused: true },
    run: { command: ["new"] },
    probes: { ready: {} },
  };
  expect(specWith(spec, { run: { command: ["old"] } })).toEqual({
    replicas: 4,
    rollout: { paused: true },
    run: { command: ["old"] },
  });
  expect(lastServed([past(1, true), past(2, true), past(3, false)])?.generation).toBe(2);
  expect(lastServed([past(3, false)])).toBeUndefined();
});

test("commands and addresses name the workload with its tenant", () => {
  const of = { tenant: "shop", name: "api" };
  expect(commandFor(of, "rollout undo", "--to", "1")).toBe(
    "berth rollout undo workload/api -n shop --to 1",
  );
  expect(eventsPath(of)).toBe(
    "/api/v1/namespaces/shop/events?fieldSelector=involvedObject.kind%3DWorkload%2CinvolvedObject.name%3Dapi",
  );
});
