/**
 * `berth bench million`: a million replicas on one plane, durably: how long it takes and what it
 * holds.
 */
import type { Command } from "commander";
import type { Benchmark } from "./benchmark.ts";
import { addPlaceOptions, type PlaceOptions } from "./place-options.ts";
import { runPlaceBench } from "./place.ts";
import { readCount } from "./read-count.ts";

export const millionBench: Benchmark<PlaceOptions> = {
  name: "million",
  description: "bind a million replicas durably: time and memory",
  addOptions(command: Command): void {
    command
      .option("--nodes <n>", "number of nodes (default: 5000)")
      .option("--replicas <n>", "number of replicas (default: 1000000)");
    addPlaceOptions(command);
  },
  run: (options, frame) =>
    runPlaceBench(options, frame, {
      nodes: readCount("--nodes", options.nodes, 5_000),
      replicas: readCount("--replicas", options.replicas, 1_000_000),
    }),
};
