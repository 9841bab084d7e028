/**
 * The benchmarks that `berth bench` runs, each with its options and its report in a file of this
 * folder.
 */
import type { Benchmark } from "./benchmark.ts";
import { clusterBench } from "./cluster.ts";
import { dashboardBench } from "./dashboard.ts";
import { explainBench } from "./explain.ts";
import { growthBench } from "./growth.ts";
import { importBench } from "./import.ts";
import { millionBench } from "./million.ts";
import { openbBench } from "./openb.ts";
import { overloadBench } from "./overload.ts";
import { pathBench } from "./path.ts";
import { perfBench } from "./perf.ts";
import { phillyBench } from "./philly.ts";
import { placeBench } from "./place.ts";
import { twinBench } from "./twin.ts";

/** In the order in which help lists them. */
export const BENCHMARKS: readonly Benchmark[] = [
  placeBench,
  pathBench,
  perfBench,
  millionBench,
  overloadBench,
  growthBench,
  clusterBench,
  dashboardBench,
  explainBench,
  openbBench,
  phillyBench,
  twinBench,
  importBench,
];
