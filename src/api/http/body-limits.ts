/**
 * What the server reads of one body, and what it does for one: each bound keeps the event loop
 * below 50 ms.
 */
import { type Limit, limitValues } from "../../core/model/limits/limit.ts";

export const BODY_LIMITS = {
  jsonBytes: {
    value: 1024 * 1024,
    unit: "bytes",
    of: "a body of JSON or protobuf",
    beyond: "413 `body-too-large`",
    why: "four times the largest object; parsing it takes some ten milliseconds",
  },
  commandBytes: {
    value: 2 * 1024 * 1024,
    unit: "bytes",
    of: "a body of `/commands`",
    beyond: "413 `body-too-large`",
    why: "the lease of a node with ten thousand replicas, with its inventory",
  },
  commandValues: {
    value: 60_000,
    unit: "count",
    of: "values in a body of `/commands` or `/metrics-samples`",
    beyond: "400 `malformed-body`",
    why: "the largest batch of samples has 50,000",
  },
  yamlBytes: {
    value: 128 * 1024,
    unit: "bytes",
    of: "a body of YAML",
    beyond: "413 `body-too-large`; send JSON",
    why: "twice the largest template; YAML takes several times as long to read as JSON",
  },
  depth: {
    value: 100,
    unit: "count",
    of: "levels of nesting in a body, or in an object after a patch",
    beyond: "400 `malformed-body`; 422 `invalid-object` after a patch",
    why: "far deeper than any manifest, and safe for functions that recurse",
  },
  values: {
    value: 20_000,
    unit: "count",
    of: "values in a body, each list and object included",
    beyond: "400 `malformed-body`",
    why: "a JSON patch of as many operations as are allowed has fewer",
  },
  nameBytes: {
    value: 1_024,
    unit: "bytes",
    of: "one field name in a body",
    beyond: "400 `malformed-body`",
    why: "twice the longest key of a label or of managedFields",
  },
  duplicatesTold: {
    value: 20,
    unit: "count",
    of: "duplicate fields, or conflicts of an apply, that a response names",
    beyond: "further ones are not named",
    why: "a person corrects fewer at once",
  },
  patchOperations: {
    value: 4_000,
    unit: "count",
    of: "operations of a JSON patch",
    beyond: "422 `invalid-object`",
    why: "several for each entry of the largest list; a larger change is a replace",
  },
  patchWork: {
    value: 2 * 1024 * 1024,
    unit: "bytes",
    of: "bytes that one JSON patch copies, adds, compares and moves",
    beyond: "422 `invalid-object`",
    why: "several times the largest object, and some ten milliseconds of work",
  },
  fieldPathBytes: {
    value: 2 * 1024 * 1024,
    unit: "bytes",
    of: "the paths of all owned fields of an object",
    beyond: "422 `invalid-object`",
    why: "several times those of the largest object with names of usual length",
  },
  selectorBytes: {
    value: 4_096,
    unit: "bytes",
    of: "a label selector or a field selector",
    beyond: "400 `bad-selector`",
    why: "longer than any that a person or a client library writes",
  },
  selectorTerms: {
    value: 64,
    unit: "count",
    of: "requirements of a selector, and values of one requirement",
    beyond: "400 `bad-selector`",
    why: "each is checked for every object of a list",
  },
  messageCharacters: {
    value: 8_192,
    unit: "count",
    of: "characters of an error message",
    beyond: "the rest is left out",
    why: "twenty mistakes with long names",
  },
  causeCharacters: {
    value: 1_024,
    unit: "count",
    of: "characters of one cause in an error",
    beyond: "the rest is left out",
    why: "the longest name of a field, once",
  },
  protobufParts: {
    value: 4_096,
    unit: "count",
    of: "parts of a protobuf body",
    beyond: "400 `malformed-body`",
    why: "a namespace with as many labels and annotations as are allowed has a third",
  },
  echoedCharacters: {
    value: 200,
    unit: "count",
    of: "characters of a request that an error message repeats at one place",
    beyond: "the rest is left out",
    why: "enough to recognize it",
  },
} as const satisfies Readonly<Record<string, Limit>>;

export type BodyLimits = Readonly<Record<keyof typeof BODY_LIMITS, number>>;

export const BODY: BodyLimits = limitValues(BODY_LIMITS);
