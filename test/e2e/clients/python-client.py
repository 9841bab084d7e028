"""The capabilities of the Python client, each as its users write it. Prints one JSON object of outcomes."""

import datetime
import json
import logging
import os
import sys
import threading

from kubernetes import client, config, dynamic, watch
from kubernetes.client.rest import ApiException
from kubernetes.leaderelection import electionconfig, leaderelection
from kubernetes.leaderelection.leaderelectionrecord import LeaderElectionRecord

kubeconfig, namespace, replica = sys.argv[1:4]
config.load_kube_config(kubeconfig)
api = client.ApiClient()
core = client.CoreV1Api(api)
coordination = client.CoordinationV1Api(api)
logging.disable(logging.CRITICAL)
objects = client.CustomObjectsApi(api)
WORKLOADS = ("berth.dev", "v1", namespace, "workloads")


def expect(truth, what):
    if not truth:
        raise AssertionError(what)


def workload(name, replicas=0):
    return {
        "apiVersion": "berth.dev/v1",
        "kind": "Workload",
        "metadata": {"name": name, "namespace": namespace, "labels": {"app": name}},
        "spec": {
            "replicas": replicas,
            "resources": {"cpu": "10m", "memory": "16Mi"},
            "run": {"command": ["sleep", "1000"]},
        },
    }


def refused(code, act):
    try:
        act()
    except ApiException as error:
        expect(error.status == code, f"expected {code}, not {error.status}: {error.body}")
        return
    raise AssertionError(f"expected {code}")


def discovery():
    groups = [group.name for group in client.ApisApi(api).get_api_versions().groups]
    expect("berth.dev" in groups, groups)
    kinds = dynamic.DynamicClient(api).resources
    expect(kinds.get(api_version="berth.dev/v1", kind="Workload").namespaced, "no Workload")


def listed():
    names = [item["metadata"]["name"] for item in objects.list_namespaced_custom_object(*WORKLOADS)["items"]]
    expect("hello" in names, names)
    first = core.list_namespace(limit=1)
    rest = core.list_namespace(limit=1, _continue=first.metadata._continue)
    expect(len(first.items) == len(rest.items) == 1, "no pages")


def selectors():
    found = objects.list_namespaced_custom_object(*WORKLOADS, label_selector="app in (hello)")["items"]
    expect(len(found) == 1, found)
    found = objects.list_namespaced_custom_object(*WORKLOADS, field_selector="metadata.name=other")["items"]
    expect(found == [], found)


def watched():
    stream = watch.Watch().stream(objects.list_namespaced_custom_object, *WORKLOADS, timeout_seconds=30)
    for event in stream:
        expect(event["type"] == "ADDED", event)
        break
    seen = []
    version = core.list_namespaced_pod(namespace).metadata.resource_version
    follow = watch.Watch()
    for event in follow.stream(core.list_namespaced_pod, namespace, timeout_seconds=1):
        seen.append(event["object"].metadata.name)
    expect(replica in seen, (version, seen))


def created():
    made = objects.create_namespaced_custom_object(*WORKLOADS, workload("made"))
    expect(made["metadata"]["uid"], made)
    refused(409, lambda: objects.create_namespaced_custom_object(*WORKLOADS, workload("made")))
    core.create_namespace(client.V1Namespace(metadata=client.V1ObjectMeta(name=f"{namespace}-new")))


def patched():
    changed = objects.patch_namespaced_custom_object(*WORKLOADS, "made", {"spec": {"replicas": 1}})
    expect(changed["spec"]["replicas"] == 1, changed)
    # A list is a JSON patch, except for custom objects, where this version sends another type.
    operations = [{"op": "add", "path": "/metadata/labels", "value": {"tier": "high"}}]
    core.patch_namespace(namespace, operations)
    labelled = core.patch_namespace(namespace, {"metadata": {"labels": {"tier": "low"}}})
    expect(labelled.metadata.labels["tier"] == "low", labelled)


def updated():
    old = objects.get_namespaced_custom_object(*WORKLOADS, "made")
    objects.patch_namespaced_custom_object(*WORKLOADS, "made", {"spec": {"replicas": 2}})
    refused(409, lambda: objects.replace_namespaced_custom_object(*WORKLOADS, "made", old))
    # The plane counts replicas in the object, so it may change between a read and a write.
    while True:
        new = objects.get_namespaced_custom_object(*WORKLOADS, "made")
        new["spec"]["replicas"] = 0
        try:
            objects.replace_namespaced_custom_object(*WORKLOADS, "made", new)
            return
        except ApiException as error:
            expect(error.status == 409, error)


def status():
    condition = {"type": "Reviewed", "status": "True", "reason": "Fine", "message": "Fine."}
    body = {"status": {"conditions": [condition]}}
    objects.patch_namespaced_custom_object_status(*WORKLOADS, "made", body)
    shown = objects.get_namespaced_custom_object_status(*WORKLOADS, "made")
    expect("Reviewed" in [each["type"] for each in shown["status"]["conditions"]], shown)


def scaled():
    objects.patch_namespaced_custom_object_scale(*WORKLOADS, "made", {"spec": {"replicas": 1}})
    expect(objects.get_namespaced_custom_object_scale(*WORKLOADS, "made")["spec"]["replicas"] == 1, "not scaled")


def dry_run():
    objects.create_namespaced_custom_object(*WORKLOADS, workload("tried"), dry_run="All")
    refused(404, lambda: objects.get_namespaced_custom_object(*WORKLOADS, "tried"))


def pods():
    pod = core.read_namespaced_pod(replica, namespace)
    expect(pod.status.phase == "Running", pod.status.phase)
    expect(len(core.list_pod_for_all_namespaces(label_selector="app=hello").items) > 0, "no pods")


def logs():
    expect("hello" in core.read_namespaced_pod_log(replica, namespace, tail_lines=5), "no line")
    for line in watch.Watch().stream(core.read_namespaced_pod_log, replica, namespace):
        expect(line == "hello", line)
        break


def events():
    reasons = [event.reason for event in core.list_namespaced_event(namespace).items]
    expect("Admitted" in reasons, reasons)
    about = client.V1ObjectReference(api_version="x.dev/v1", kind="Thing", name="one", namespace=namespace)
    written = client.CoreV1Event(
        metadata=client.V1ObjectMeta(generate_name="one."),
        involved_object=about,
        reason="Tested",
        message="Written by a client.",
        type="Normal",
    )
    made = core.create_namespaced_event(namespace, written)
    core.patch_namespaced_event(made.metadata.name, namespace, {"count": 2})
    expect(core.read_namespaced_event(made.metadata.name, namespace).count == 2, "not counted")


def lease(name, holder):
    now = datetime.datetime.now(datetime.timezone.utc)
    spec = client.V1LeaseSpec(
        holder_identity=holder, lease_duration_seconds=3, acquire_time=now, renew_time=now
    )
    return client.V1Lease(metadata=client.V1ObjectMeta(name=name, namespace=namespace), spec=spec)


def leases():
    made = coordination.create_namespaced_lease(namespace, lease("elected", "one"))
    made.spec.holder_identity = "two"
    coordination.replace_namespaced_lease("elected", namespace, made)
    refused(409, lambda: coordination.replace_namespaced_lease("elected", namespace, made))
    for event in watch.Watch().stream(coordination.list_namespaced_lease, namespace, timeout_seconds=30):
        expect(event["object"].spec.holder_identity == "two", event)
        break
    coordination.delete_namespaced_lease("elected", namespace)


class LeaseLock:
    """What the library's election reads and writes; this version brings one for ConfigMaps only."""

    def __init__(self, identity):
        self.name, self.namespace, self.identity = "leader", namespace, identity
        self.held = None
        self.may_renew = True

    def get(self, name, _):
        try:
            self.held = coordination.read_namespaced_lease(name, namespace)
        except ApiException as error:
            return False, error
        spec = self.held.spec
        times = str(spec.acquire_time), str(spec.renew_time)
        return True, LeaderElectionRecord(spec.holder_identity, spec.lease_duration_seconds, *times)

    def create(self, name, namespace, election_record):
        return self.write(lambda: coordination.create_namespaced_lease(namespace, lease(name, self.identity)))

    def update(self, name, _, record):
        def replace():
            self.held.spec = lease(name, self.identity).spec
            coordination.replace_namespaced_lease(name, namespace, self.held)

        return self.may_renew and self.write(replace)

    def write(self, act):
        try:
            act()
            return True
        except ApiException as error:
            expect(error.status == 409, error)
            return False


def leader_election():
    leading, gone = [], threading.Event()
    both = [threading.Event(), threading.Event()]

    def candidate(at):
        lock = LeaseLock(f"candidate-{at}")
        settings = electionconfig.Config(
            lock,
            lease_duration=3,
            renew_deadline=2,
            retry_period=1,
            onstarted_leading=lambda: (leading.append(lock.identity), both[at].set()),
            onstopped_leading=gone.set,
        )
        threading.Thread(target=leaderelection.LeaderElection(settings).run, daemon=True).start()
        return lock

    first = candidate(0)
    expect(both[0].wait(60), "the first candidate does not lead")
    candidate(1)
    first.may_renew = False
    expect(both[1].wait(60), "the second candidate does not take over")
    expect(leading == ["candidate-0", "candidate-1"], leading)
    expect(gone.wait(60), "the first candidate does not notice")


def finalizers():
    held = workload("held")
    held["metadata"]["finalizers"] = ["x.dev/hold"]
    objects.create_namespaced_custom_object(*WORKLOADS, held)
    objects.delete_namespaced_custom_object(*WORKLOADS, "held")
    shown = objects.get_namespaced_custom_object(*WORKLOADS, "held")
    expect(shown["metadata"]["deletionTimestamp"], shown)
    kept = [each for each in shown["metadata"]["finalizers"] if each != "x.dev/hold"]
    objects.patch_namespaced_custom_object(*WORKLOADS, "held", {"metadata": {"finalizers": kept}})


def deleted():
    objects.create_namespaced_custom_object(*WORKLOADS, workload("tried"))
    objects.delete_namespaced_custom_object(*WORKLOADS, "tried", propagation_policy="Foreground")
    core.delete_namespace(f"{namespace}-new")


def deleted_collection():
    objects.delete_collection_namespaced_custom_object(*WORKLOADS)


CHECKS = {
    "discovery": discovery,
    "list": listed,
    "selectors": selectors,
    "watch": watched,
    "create": created,
    "patch": patched,
    "update with a resourceVersion": updated,
    "status": status,
    "scale": scaled,
    "dry run": dry_run,
    "pods": pods,
    "logs": logs,
    "events": events,
    "leases": leases,
    "leader election": leader_election,
    "finalizers": finalizers,
    "delete": deleted,
    "delete a collection": deleted_collection,
}

outcomes = {}
for name, check in CHECKS.items():
    try:
        check()
        outcomes[name] = "yes"
    except Exception as error:
        outcomes[name] = f"{type(error).__name__}: {error}"
print(json.dumps(outcomes))
sys.stdout.flush()
# A stream that was left early keeps a connection; its thread must not hold up the end.
os._exit(0)
