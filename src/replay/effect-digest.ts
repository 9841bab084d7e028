/**
 * A number that tells two turns apart by what they did. It covers what matters to others (commands,
 * answers, appends, timers) and leaves out what is long and follows from the rest.
 */
import type { AuthorityEffect, ClientEffect } from "../core/kernel/component.ts";
import { finish, hashText, mix } from "../core/kernel/keyed-hash.ts";

export function effectDigest(effects: readonly (AuthorityEffect | ClientEffect)[]): number {
  let digest = effects.length;
  for (const effect of effects) digest = mixEffect(mix(digest, hashText(effect.kind)), effect);
  return finish(digest);
}

function mixEffect(digest: number, effect: AuthorityEffect | ClientEffect): number {
  switch (effect.kind) {
    case "request": {
      const { request } = effect;
      const operation =
        request.kind === "command" ? request.command.intent.operation : request.operation;
      return mix(mix(digest, hashText(operation)), effect.call);
    }
    case "timer":
      return mix(digest, effect.atMs % 2 ** 31);
    case "decision":
      return mix(mix(digest, hashText(effect.record.key)), hashText(effect.record.decision.kind));
    case "append": {
      let sum = mix(digest, effect.epoch);
      for (const { revision, operation } of effect.commits) {
        sum = mix(mix(sum, revision), hashText(operation));
      }
      return sum;
    }
    case "respond": {
      const { reply } = effect;
      const said = reply.kind === "outcome" ? reply.outcome.kind : reply.kind;
      return mix(mix(mix(digest, hashText(effect.to)), effect.call), hashText(said));
    }
    case "publish":
      return mix(digest, effect.to);
    default:
      return digest;
  }
}
