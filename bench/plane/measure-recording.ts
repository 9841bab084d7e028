/**
 * What recording costs: processor time of the plane for each durable create, with a recording and without.
 * Two planes take turns in short rounds, so that whatever else the machine does meets both alike.
 */
import { join } from "node:path";
import { atMost, type Figure, figure, round } from "./figure.ts";
import { growLog, namespaceOf, wishes } from "./grow-log.ts";
import { ServedPlane } from "./served-plane.ts";
import { drive } from "./traffic.ts";

const AIM_PERCENT = 5;
const ROUNDS = 6;
const ROUND_SECONDS = 1;
const CLIENTS = 64;

export async function measureRecording(
  folder: string,
  profile: string | undefined,
): Promise<Figure> {
  const namespaces = [namespaceOf(0)];
  const open = async (name: string, recording: string | undefined): Promise<ServedPlane> => {
    const file = join(folder, `recording-${name}.db`);
    await growLog(file, wishes({ namespaces: 1, workloads: 1 }), { count: 2, tail: 0 });
    return ServedPlane.start({ file, recording, profile });
  };
  const on = await open("on", join(folder, "recording"));
  const off = await open("off", undefined);
  try {
    const cost = async (plane: ServedPlane, prefix: string): Promise<number> => {
      const before = await plane.usage();
      const { answered } = await drive({
        url: plane.url,
        clients: CLIENTS,
        seconds: ROUND_SECONDS,
        errand: { kind: "create", namespaces, prefix },
      });
      return ((await plane.usage()).cpuMicros - before.cpuMicros) / answered;
    };
    await cost(on, "warm");
    await cost(off, "warm");
    const costs: { on: number; off: number }[] = [];
    for (let at = 0; at < ROUNDS; at += 1) {
      // Whoever comes second finds the machine as the first has left it, so they swap.
      const first = at % 2 === 0 ? await cost(off, `round-${at}`) : undefined;
      const recorded = await cost(on, `round-${at}`);
      costs.push({ on: recorded, off: first ?? (await cost(off, `round-${at}`)) });
    }
    const ratios = costs.map((of) => of.on / of.off).toSorted((a, b) => a - b);
    const middle = ((ratios[ROUNDS / 2 - 1] ?? 0) + (ratios[ROUNDS / 2] ?? 0)) / 2;
    const mean = (of: "on" | "off"): number =>
      costs.reduce((sum, each) => sum + each[of], 0) / ROUNDS;
    return figure({
      name: "recording: more CPU per durable create, median of rounds",
      value: (middle - 1) * 100,
      unit: "%",
      aim: atMost(AIM_PERCENT),
      cpuMicrosPerOperation: mean("on"),
      besides: {
        "without µs": round(mean("off")),
        "least %": round(((ratios[0] ?? 0) - 1) * 100),
        "most %": round(((ratios.at(-1) ?? 0) - 1) * 100),
      },
    });
  } finally {
    await Promise.all([on.stop(), off.stop()]);
  }
}
