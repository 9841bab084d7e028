/**
 * What recording costs: processor time of the plane for each durable create, with a recording and
 * without.
 *
 * Three planes live in one process and take turns: one records, one does not, and one more does not
 * either, which shows how far two that do the same come out apart; a figure within that is no
 * finding. A round is a number of creates and no time, so that all three hold the same at every
 * moment. No round is left out, and the sum of all is given beside the median: what happens once in
 * many rounds, such as a new chapter, is only seen there.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { atMost, type Figure, figure } from "./figure.ts";
import { rounded } from "../../measure/latencies.ts";
import { growLog, namespaceOf, desiredObjects } from "./grow-log.ts";
import { ServedPlane } from "./served-plane.ts";
import { Driver } from "./traffic.ts";

const AIM_PERCENT = 5;
/** A multiple of three, so that each plane is first, second and third equally often. */
const ROUNDS = 42;
/**
 * Some 150 ms: long enough for fifty appends, short enough for the machine to be the same for all
 * three.
 */
const CREATES_A_ROUND = 500;
/** Until the code is compiled for good; before that the one that comes first pays for all. */
const WARM_UP_ROUNDS = 6;
const CLIENTS = 64;
/** Only bounds a hang. */
const LONGEST_ROUND_SECONDS = 20;

const NAMES = ["on", "off", "control"] as const;
type Name = (typeof NAMES)[number];
type Costs = Readonly<Record<Name, number>>;

export async function measureRecording(
  folder: string,
  profile: string | undefined,
): Promise<Figure> {
  const fileOf = async (name: Name): Promise<string> => {
    const file = join(folder, `recording-${name}.db`);
    await growLog(file, desiredObjects({ namespaces: 1, workloads: 1 }), { count: 2, tail: 0 });
    return file;
  };
  const off = await ServedPlane.start({ file: await fileOf("off"), profile });
  const driver = new Driver();
  try {
    const control = await off.beside({ file: await fileOf("control") });
    const recording = join(folder, "recording");
    const on = await off.beside({ file: await fileOf("on"), recording });
    const planes = { on, off, control };
    const costs: Costs[] = [];
    for (let at = 0; at < WARM_UP_ROUNDS + ROUNDS; at += 1) {
      costs.push(await costsOf(planes, at, driver));
    }
    return figureOf(costs.slice(WARM_UP_ROUNDS), chaptersIn(recording));
  } finally {
    await Promise.all([off.stop(), driver.stop()]);
  }
}

/**
 * One round of all three. The second run finds the machine as the first has left it, so they swap.
 */
async function costsOf(
  planes: Readonly<Record<Name, ServedPlane>>,
  at: number,
  driver: Driver,
): Promise<Costs> {
  const costs: Record<Name, number> = { on: 0, off: 0, control: 0 };
  for (let turn = 0; turn < NAMES.length; turn += 1) {
    const name = NAMES[(at + turn) % NAMES.length] as Name;
    costs[name] = await cost(planes[name], `round-${at}`, driver);
  }
  return costs;
}

async function cost(plane: ServedPlane, prefix: string, driver: Driver): Promise<number> {
  const before = await plane.usage();
  const { answered, failed } = await driver.drive({
    url: plane.url,
    clients: CLIENTS,
    seconds: LONGEST_ROUND_SECONDS,
    count: CREATES_A_ROUND,
    errand: { kind: "create", namespaces: [namespaceOf(0)], prefix },
  });
  if (failed > 0) throw new Error(`${failed} of ${answered + failed} creates failed.`);
  return ((await plane.usage()).cpuMicros - before.cpuMicros) / answered;
}

const chaptersIn = (folder: string): number =>
  readdirSync(folder).filter((name) => name.startsWith("chapter-")).length;

const part = (of: readonly number[], at: number): number =>
  of[Math.round(at * (of.length - 1))] ?? 0;

const spread = (of: readonly number[]): string =>
  [0, 0.25, 0.75, 1].map((at) => rounded(part(of, at))).join(" / ");

function figureOf(costs: readonly Costs[], chapters: number): Figure {
  const percents = (more: (each: Costs) => number): readonly number[] =>
    costs.map((each) => (more(each) - 1) * 100).toSorted((a, b) => a - b);
  const sum = (of: Name): number => costs.reduce((all, each) => all + each[of], 0);
  // Held against both that do not record, because each of them is as uncertain as the one that
  // does.
  const recorded = percents(({ on, off, control }) => (2 * on) / (off + control));
  const control = percents((each) => each.control / each.off);
  const without = (sum("off") + sum("control")) / 2;
  return figure({
    name: "recording: more CPU per durable create, median of rounds",
    value: part(recorded, 0.5),
    unit: "%",
    aim: atMost(AIM_PERCENT),
    cpuMicrosPerOperation: sum("on") / costs.length,
    besides: {
      "without µs": rounded(without / costs.length),
      "least / quartiles / most %": spread(recorded),
      "all rounds together %": rounded((sum("on") / without - 1) * 100),
      "not recording either, median %": rounded(part(control, 0.5)),
      "its least / quartiles / most %": spread(control),
      "its all together %": rounded((sum("control") / sum("off") - 1) * 100),
      rounds: costs.length,
      chapters,
    },
  });
}
