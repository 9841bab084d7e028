# The capabilities of the Ruby client, each as its users write it. Prints one JSON object of outcomes.
require "json"
require "kubeclient"

kubeconfig, NAMESPACE, REPLICA = ARGV
context = Kubeclient::Config.read(kubeconfig).context
SETTINGS = { ssl_options: context.ssl_options, auth_options: context.auth_options }.freeze
BERTH = Kubeclient::Client.new("#{context.api_endpoint}/apis/berth.dev", "v1", **SETTINGS)
LEASES = Kubeclient::Client.new("#{context.api_endpoint}/apis/coordination.k8s.io", "v1", **SETTINGS)
CORE = Kubeclient::Client.new("#{context.api_endpoint}/api", "v1", **SETTINGS)

def expect(truth, what)
  raise what.to_s unless truth
end

def refused(code)
  yield
rescue Kubeclient::HttpError => e
  expect(e.error_code == code, "expected #{code}, not #{e.error_code}: #{e.message}")
else
  raise "expected #{code}"
end

def workload(name, replicas = 0)
  spec = {
    replicas: replicas,
    resources: { cpu: "10m", memory: "16Mi" },
    run: { command: %w[sleep 1000] }
  }
  metadata = { name: name, namespace: NAMESPACE, labels: { app: name } }
  Kubeclient::Resource.new(metadata: metadata, spec: spec)
end

CHECKS = {
  "discovery" => lambda {
    BERTH.discover
    expect(BERTH.respond_to?(:get_workloads), "no workloads")
    expect(CORE.api_valid?, "no core API")
  },
  "list" => lambda {
    names = BERTH.get_workloads(namespace: NAMESPACE).map { |each| each.metadata.name }
    expect(names.include?("hello"), names)
    page = CORE.get_namespaces(limit: 1)
    expect(page.length == 1 && page.continue, "no pages")
  },
  "selectors" => lambda {
    found = BERTH.get_workloads(namespace: NAMESPACE, label_selector: "app=hello")
    expect(found.length == 1, found)
    found = BERTH.get_workloads(namespace: NAMESPACE, field_selector: "metadata.name=other")
    expect(found.empty?, found)
  },
  "watch" => lambda {
    watcher = BERTH.watch_workloads(namespace: NAMESPACE)
    watcher.each do |notice|
      expect(notice.type == "ADDED", notice)
      watcher.finish
    end
  },
  "create" => lambda {
    expect(BERTH.create_workload(workload("made")).metadata.uid, "no uid")
    refused(409) { BERTH.create_workload(workload("made")) }
  },
  "server-side apply" => lambda {
    BERTH.apply_workload(workload("applied").to_h, field_manager: "ruby")
  },
  "patch" => lambda {
    changed = BERTH.merge_patch_workload("made", { spec: { replicas: 1 } }, NAMESPACE)
    expect(changed.spec.replicas == 1, changed)
    operations = [{ op: "replace", path: "/spec/replicas", value: 0 }]
    changed = BERTH.json_patch_workload("made", operations, NAMESPACE)
    expect(changed.spec.replicas.zero?, changed)
    CORE.patch_namespace(NAMESPACE, { metadata: { labels: { tier: "low" } } })
  },
  "update with a resourceVersion" => lambda {
    old = BERTH.get_workload("made", NAMESPACE)
    BERTH.merge_patch_workload("made", { spec: { replicas: 2 } }, NAMESPACE)
    refused(409) { BERTH.update_workload(old) }
    # The plane counts replicas in the object, so it may change between a read and a write.
    begin
      fresh = BERTH.get_workload("made", NAMESPACE)
      fresh.spec.replicas = 0
      BERTH.update_workload(fresh)
    rescue Kubeclient::HttpError => e
      raise unless e.error_code == 409

      retry
    end
  },
  "pods" => lambda {
    expect(CORE.get_pod(REPLICA, NAMESPACE).status.phase == "Running", "not running")
  },
  "logs" => lambda {
    expect(CORE.get_pod_log(REPLICA, NAMESPACE, tail_lines: 5).include?("hello"), "no line")
  },
  "events" => lambda {
    reasons = CORE.get_events(namespace: NAMESPACE).map(&:reason)
    expect(reasons.include?("Admitted"), reasons)
  },
  "leases" => lambda {
    metadata = { name: "elected", namespace: NAMESPACE }
    spec = { holderIdentity: "one", renewTime: "2026-01-31T12:00:00.000000Z" }
    LEASES.create_lease(Kubeclient::Resource.new(metadata: metadata, spec: spec))
    held = LEASES.get_lease("elected", NAMESPACE)
    held.spec.holderIdentity = "two"
    LEASES.update_lease(held)
    refused(409) { LEASES.update_lease(held) }
    LEASES.delete_lease("elected", NAMESPACE)
  },
  "finalizers" => lambda {
    held = workload("held")
    held.metadata.finalizers = ["x.dev/hold"]
    BERTH.create_workload(held)
    BERTH.delete_workload("held", NAMESPACE)
    shown = BERTH.get_workload("held", NAMESPACE)
    expect(shown.metadata.deletionTimestamp, shown)
    kept = shown.metadata.finalizers - ["x.dev/hold"]
    BERTH.merge_patch_workload("held", { metadata: { finalizers: kept } }, NAMESPACE)
  },
  "delete" => lambda {
    BERTH.delete_workload("applied", NAMESPACE)
    BERTH.delete_workload("made", NAMESPACE)
  }
}.freeze

outcomes = CHECKS.to_h do |name, check|
  check.call
  [name, "yes"]
rescue StandardError => e
  [name, "#{e.class}: #{e.message}"]
end
puts JSON.generate(outcomes)
