/**
 * One turn: one component receives one input. Time is read from its own clock, the turn goes into
 * the run's hash, and a component that finds itself broken ends the run.
 */
import type { Component } from "../core/kernel/component.ts";
import type { ComponentProcess } from "./hosts/component-process.ts";
import { EFFECT_CODE, INPUT_CODE } from "./input-codes.ts";
import type { Sim } from "./sim.ts";

type Kind<Codes> = { readonly kind: keyof Codes };

export function takeTurn<In extends Kind<typeof INPUT_CODE>, Out extends Kind<typeof EFFECT_CODE>>(
  sim: Sim,
  process: ComponentProcess & { readonly component: Component<In, Out> | undefined },
  input: In,
): readonly Out[] {
  const { component, turn } = process;
  if (component === undefined || sim.turns >= sim.maxTurns) return [];
  sim.turns++;
  turn.now = process.readClock(sim.nowMs);
  const { hash } = sim;
  hash.add(sim.nowMs);
  hash.add((process.index << 4) | INPUT_CODE[input.kind]);
  try {
    const effects = component.receive(input, turn);
    for (const effect of effects) hash.add(EFFECT_CODE[effect.kind]);
    sim.witness?.took(process, input.kind, effects);
    return effects;
  } catch (error) {
    sim.witness?.took(process, input.kind, []);
    sim.checks.broken(process.name, error);
    return [];
  }
}
