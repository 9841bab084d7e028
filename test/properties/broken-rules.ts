/**
 * The rules a command breaks, all of them: the specification does not say which of several is named, so
 * whoever compares accepts any. Each file of rules adds its codes to one of these lists.
 */
import type { Role } from "../../src/core/model/actor.ts";
import type { RefusalCode } from "../../src/core/protocol/refusals.ts";

export class BrokenRules {
  readonly codes = new Set<RefusalCode>();

  /** Reads as the rule does: this code, when that is so. */
  add(code: RefusalCode, broken: boolean): void {
    if (broken) this.codes.add(code);
  }

  /** ST1: anyone but the owners is refused. */
  owners(owners: readonly Role[], sender: Role): void {
    this.add("not-owner", !owners.includes(sender));
  }
}
