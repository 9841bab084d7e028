/** Numbers for what components are told and do, as the run's hash counts them. */
import type {
  AgentEffect,
  AgentInput,
  AuthorityEffect,
  AuthorityInput,
} from "../core/kernel/component.ts";

export const INPUT_CODE: Readonly<Record<AgentInput["kind"] | AuthorityInput["kind"], number>> = {
  started: 1,
  watch: 2,
  listed: 3,
  reply: 4,
  timer: 5,
  process: 6,
  adopted: 7,
  claimed: 8,
  appended: 9,
  request: 10,
  followed: 11,
  "took-over": 12,
  lapsed: 13,
  stalled: 14,
};

export const EFFECT_CODE: Readonly<Record<AgentEffect["kind"] | AuthorityEffect["kind"], number>> =
  {
    request: 1,
    list: 2,
    timer: 3,
    decision: 4,
    "start-process": 5,
    "probe-process": 6,
    "stop-process": 7,
    leash: 8,
    remember: 9,
    claim: 10,
    append: 11,
    respond: 12,
    publish: 13,
    resigned: 14,
  };
