/** Rewrites answers as YAML for clients that ask for it. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { yamlText } from "../../text/yaml-text.ts";
import { likesYaml } from "../http/negotiate.ts";

export const YAML_TYPE = "application/yaml";
/**
 * Making YAML takes about a millisecond for each KiB, and others wait meanwhile. JSON is YAML as
 * well, so a longer answer stays as it is.
 */
const REWRITTEN_MOST = 64 * 1024;

export function addYamlAnswers(app: FastifyInstance): void {
  app.addHook("onSend", (request, reply, payload, done) => {
    done(null, asLiked(request, reply, payload));
  });
}

function asLiked(request: FastifyRequest, reply: FastifyReply, payload: unknown): unknown {
  if (typeof payload !== "string" || !likesYaml(request.headers.accept)) return payload;
  if (!String(reply.getHeader("content-type")).startsWith("application/json")) return payload;
  void reply.header("Content-Type", YAML_TYPE);
  return payload.length > REWRITTEN_MOST ? payload : yamlText(JSON.parse(payload));
}
