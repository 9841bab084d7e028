/**
 * The system calls that a replica may not make, as a program for the kernel's filter (classic BPF,
 * seccomp(2)). Calls that administer a machine fail as if they were forbidden (EPERM), calls that
 * the filter does not name are allowed: docs/adr/0052-a-deny-list-for-system-calls.md says why.
 */
import { DENIED, type Machine, NUMBERS } from "./system-calls.ts";

const LOAD = 0x20;
const JUMP_IF_EQUAL = 0x15;
const JUMP_IF_AT_LEAST = 0x35;
const JUMP_IF_ANY = 0x45;
const RETURN = 0x06;

/** Where the kernel puts what a program looks at. */
const NUMBER = 0;
const ARCHITECTURE = 4;
/** The lower half of an argument: all that the kernel reads of those that are looked at. */
const argument = (at: number): number => 16 + 8 * at;

const ALLOW = 0x7fff_0000;
const KILL_PROCESS = 0x8000_0000;
const refuse = (errno: number): number => 0x0005_0000 + errno;
const EPERM = 1;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;

/** Any of them makes a namespace: with one of its own a process is root in it. */
const NEW_NAMESPACE = 0x7e02_0000;
/** Unix, IPv4, IPv6, and netlink, by which programs learn addresses. */
const FAMILIES = [1, 2, 10, 16];
/** They type into another program's terminal. */
const TERMINAL_REQUESTS = [0x5412, 0x541c];
/** Numbers from here on are of the x32 world, which has numbers of its own for everything. */
const X32 = 0x4000_0000;

interface Step {
  readonly code: number;
  readonly value: number;
  /** Steps to skip, if the comparison holds and if it does not. */
  readonly ifSo?: number;
  readonly otherwise?: number;
}

const load = (value: number): Step => ({ code: LOAD, value });
const answer = (value: number): Step => ({ code: RETURN, value });
const unless = (code: number, value: number, skipped: number): Step => ({
  code,
  value,
  otherwise: skipped,
});

/** Undefined for a machine whose numbers are not known here. */
export function seccompFilter(architecture: string = process.arch): Buffer | undefined {
  const machine = NUMBERS[architecture];
  return machine === undefined ? undefined : assembled(stepsFor(machine));
}

function stepsFor(machine: Machine): readonly Step[] {
  const { calls } = machine;
  const on = (name: string, steps: readonly Step[]): readonly Step[] => {
    const number = calls[name];
    return number === undefined ? [] : [unless(JUMP_IF_EQUAL, number, steps.length), ...steps];
  };
  return [
    load(ARCHITECTURE),
    { code: JUMP_IF_EQUAL, value: machine.architecture, ifSo: 1 },
    answer(KILL_PROCESS),
    load(NUMBER),
    unless(JUMP_IF_AT_LEAST, X32, 1),
    answer(refuse(ENOSYS)),
    // Its flags are in memory, where no filter can look; programs fall back to clone.
    ...on("clone3", [answer(refuse(ENOSYS))]),
    ...DENIED.flatMap((name) => on(name, [answer(refuse(EPERM))])),
    ...on("clone", [
      load(argument(0)),
      unless(JUMP_IF_ANY, NEW_NAMESPACE, 1),
      answer(refuse(EPERM)),
      answer(ALLOW),
    ]),
    ...on("socket", [
      load(argument(0)),
      ...FAMILIES.flatMap((family) => [unless(JUMP_IF_EQUAL, family, 1), answer(ALLOW)]),
      answer(refuse(EAFNOSUPPORT)),
    ]),
    ...on("ioctl", [
      load(argument(1)),
      ...TERMINAL_REQUESTS.flatMap((request) => [
        unless(JUMP_IF_EQUAL, request, 1),
        answer(refuse(EPERM)),
      ]),
    ]),
    answer(ALLOW),
  ];
}

const STEP_BYTES = 8;

function assembled(steps: readonly Step[]): Buffer {
  const program = Buffer.alloc(steps.length * STEP_BYTES);
  for (const [at, { code, value, ifSo = 0, otherwise = 0 }] of steps.entries()) {
    const from = at * STEP_BYTES;
    program.writeUInt16LE(code, from);
    program.writeUInt8(ifSo, from + 2);
    program.writeUInt8(otherwise, from + 3);
    program.writeUInt32LE(value, from + 4);
  }
  return program;
}
