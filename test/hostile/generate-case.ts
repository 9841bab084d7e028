/** Draws one case: who asks for what, once or in a sequence. */
import { VIEW_NAMES } from "../../src/api/views/view-rows.ts";
import { Draw } from "./draw.ts";
import { generateCommand, generateSamples } from "./generate-command.ts";
import { generateHttp } from "./generate-http.ts";
import {
  collectionPath,
  generateManifest,
  type Manifest,
  objectPath,
  type PublishedKinds,
} from "./generate-manifest.ts";
import { generatePatch } from "./generate-patch.ts";
import { generateProtobuf } from "./generate-protobuf.ts";
import { generateQuery } from "./generate-query.ts";
import { generateYaml } from "./generate-yaml.ts";
import type { CallerName, HostileCase, HostileRequest } from "./hostile-case.ts";
import { encodedWord, HONEST, nastyText } from "./nasty-values.ts";
import { jsonText } from "./mutate-value.ts";
import { sparesTheHonest, withoutPower } from "./spares-the-honest.ts";

export interface World {
  readonly published: PublishedKinds;
  /** The plane's revision at about this time: ids are guessed from it. */
  readonly revision: number;
}

type Generate = (draw: Draw, world: World, caller: CallerName) => readonly HostileRequest[];

/** The more often it is named, the more often it is drawn. */
const FORMS: readonly (readonly [string, Generate])[] = [
  ["write", writes],
  ["write", writes],
  ["write", writes],
  ["patch", patches],
  ["patch", patches],
  ["sequence", sequence],
  ["command", commands],
  ["command", commands],
  ["query", (draw, { published }, caller) => [generateQuery(draw, published, caller)]],
  ["query", (draw, { published }, caller) => [generateQuery(draw, published, caller)]],
  ["yaml", yaml],
  ["protobuf", protobuf],
  ["http", (draw, _, caller) => [generateHttp(draw, caller)]],
  ["slow", slow],
];

export function generateCase(seed: number, world: World): HostileCase {
  const draw = new Draw(seed, "hostile");
  const [name, generate] = draw.pick(FORMS);
  const isAgents = name === "command" ? 65 : 10;
  const caller: CallerName = draw.chance(isAgents)
    ? draw.pick(["n2", "n3"] as const)
    : draw.pick(["mallory", "mallory", "mallory", "bob", "robot", "stranger"] as const);
  const requests = generate(draw, world, caller).map(withoutPower).filter(sparesTheHonest);
  return { name: `${name}-${seed}`, requests };
}

const JSON_TYPE = { "content-type": "application/json" } as const;

function create(draw: Draw, caller: CallerName, manifest: Manifest): HostileRequest {
  const key = draw.chance(15)
    ? { "idempotency-key": draw.pick(["k1", "k2", nastyHeader(draw)]) }
    : {};
  return {
    caller,
    method: "POST",
    path: collectionPath(manifest) + writeQuery(draw),
    headers: { ...JSON_TYPE, ...key },
    body: [jsonText(draw, manifest.value)],
  };
}

function writes(draw: Draw, { published }: World, caller: CallerName): readonly HostileRequest[] {
  const manifest = generateManifest(draw, published);
  const first = create(draw, caller, manifest);
  if (draw.chance(70)) return [first];
  const sub = draw.pick(["", "/status", "/scale"]);
  return [{ ...first, method: "PUT", path: objectPath(manifest) + sub + writeQuery(draw) }];
}

function patches(draw: Draw, { published }: World, caller: CallerName): readonly HostileRequest[] {
  const manifest = generateManifest(draw, published);
  const { type, body } = generatePatch(draw, manifest.value);
  const path =
    objectPath(manifest) + draw.pick(["", "", "", "/status", "/scale"]) + writeQuery(draw);
  return [{ caller, method: "PATCH", path, headers: { "content-type": type }, body }];
}

/** One name goes through a whole incarnation, in an unusual order and in part at once. */
function sequence(draw: Draw, world: World, caller: CallerName): readonly HostileRequest[] {
  const manifest = generateManifest(draw, world.published);
  const path = objectPath(manifest);
  const step = (): HostileRequest => {
    const request = draw.pick<() => HostileRequest>([
      () => create(draw, caller, manifest),
      () => ({ caller, method: "DELETE", path: path + deleteQuery(draw) }),
      () => {
        const { type, body } = generatePatch(draw, manifest.value);
        return { caller, method: "PATCH", path, headers: { "content-type": type }, body };
      },
      () => ({ caller: "bob", method: "GET", path }),
      () => ({ ...create(draw, caller, manifest), method: "PUT", path }),
    ])();
    return draw.chance(30) ? { ...request, isParallel: true } : request;
  };
  return [create(draw, caller, manifest), ...Array.from({ length: draw.between(1, 6) }, step)];
}

function commands(draw: Draw, { revision }: World, caller: CallerName): readonly HostileRequest[] {
  const isSamples = draw.chance(15);
  const value = isSamples ? generateSamples(draw, caller) : generateCommand(draw, caller, revision);
  const path = isSamples ? "/metrics-samples" : "/commands";
  return [{ caller, method: "POST", path, headers: JSON_TYPE, body: [jsonText(draw, value)] }];
}

function yaml(draw: Draw, _: World, caller: CallerName): readonly HostileRequest[] {
  const path = draw.chance(80) ? "/apis/berth.dev/v1/tenants" : "/apis/berth.dev/v1/nodes";
  const headers = { "content-type": draw.pick(["application/yaml", "text/yaml"]) };
  return [{ caller, method: "POST", path, headers, body: generateYaml(draw) }];
}

function protobuf(draw: Draw, _: World, caller: CallerName): readonly HostileRequest[] {
  const headers = { "content-type": "application/vnd.kubernetes.protobuf" };
  const body = generateProtobuf(draw);
  return [{ caller, method: "POST", path: "/api/v1/namespaces", headers, body }];
}

/** Readers that do not read, senders that do not send. */
function slow(draw: Draw, { published, revision }: World, caller: CallerName) {
  const of = draw.pick(published.kinds);
  const collection = collectionPath({ of, namespace: "" });
  const requests: readonly HostileRequest[] = [
    { caller, method: "GET", path: `${collection}?watch=true&resourceVersion=0`, how: "unread" },
    { caller, method: "GET", path: collection, how: "unread" },
    { caller, method: "GET", path: "/backup", how: "unread" },
    { caller, method: "GET", path: `/views/${draw.pick(VIEW_NAMES)}?watch=true`, how: "unread" },
    {
      caller,
      method: "GET",
      path: `/stream/watch?node=${draw.pick(["n2", HONEST.node])}&from=${revision}`,
      how: "unread",
    },
    {
      caller,
      method: "POST",
      path: "/apis/berth.dev/v1/tenants",
      headers: { ...JSON_TYPE, "content-length": String(draw.between(10, 3_000_000)) },
      body: ["{"],
      how: "half-body",
    },
  ];
  const request = draw.pick(requests);
  return Array.from({ length: draw.between(1, 5) }, () => request);
}

const writeQuery = (draw: Draw): string =>
  draw.chance(75)
    ? ""
    : `?${draw.pick(["dryRun=All", "fieldManager=x", "fieldValidation=Strict", "fieldValidation=Ignore", "force=true", `fieldManager=${encodedWord(nastyText(draw)).slice(0, 2_000)}`])}`;

const deleteQuery = (draw: Draw): string =>
  draw.pick(["", "", "?propagationPolicy=Orphan", "?gracePeriodSeconds=-1", "?dryRun=All"]);

/** What may stand in a header at all. */
const nastyHeader = (draw: Draw): string =>
  nastyText(draw)
    .replaceAll(/[^\x20-\x7e]/g, "?")
    .slice(0, 3_000);
