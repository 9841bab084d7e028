/** The answer to a request that no role allows, word by word as Kubernetes gives it. */
import type { AccessRequest, ResourceRequest, Subject } from "../../core/model/access.ts";
import { ApiError } from "../errors.ts";
import { echoed } from "../http/echoed.ts";

const made = new WeakSet<object>();

/** Whether an error is the answer of roles, which are noted where they are asked. */
export const isOfRoles = (error: object): boolean => made.has(error);

export function forbidden(subject: Subject, request: AccessRequest): ApiError {
  const error = worded(subject, request);
  made.add(error);
  return error;
}

/** It says nothing of whether the object exists: it is made before anything is looked up (AZ40). */
function worded({ user }: Subject, request: AccessRequest): ApiError {
  if ("path" in request) {
    const { verb, path } = request;
    const message = `forbidden: User "${echoed(user)}" cannot ${verb} path "${echoed(path)}"`;
    return ApiError.worded("not-allowed", message);
  }
  const { verb, group, resource, name } = request;
  const of = group === "" ? resource : `${resource}.${group}`;
  const about = name === undefined ? of : `${of} "${echoed(name)}"`;
  const what = `cannot ${verb} resource "${fullName(request)}" in API group "${group}"`;
  const message = `${about} is forbidden: User "${echoed(user)}" ${what} ${placeOf(request)}`;
  return ApiError.worded("not-allowed", message, {
    ...(name === undefined ? {} : { name }),
    ...(group === "" ? {} : { group }),
    kind: resource,
  });
}

export const fullName = ({ resource, subresource }: ResourceRequest): string =>
  subresource === undefined ? resource : `${resource}/${subresource}`;

const placeOf = ({ namespace }: ResourceRequest): string =>
  namespace === undefined ? "at the cluster scope" : `in the namespace "${echoed(namespace)}"`;
