/** Where incidents come from, for a reader without one. */
export function HowToMakeOne() {
  return (
    <dl class="key-values">
      <div>
        <dt>From a simulation</dt>
        <dd>
          <code>berth simulate --seed 889 --html incident.html</code>
        </dd>
      </div>
      <div>
        <dt>From a recording of a plane</dt>
        <dd>
          <code>berth replay .berth/recording --html incident.html</code>
        </dd>
      </div>
    </dl>
  );
}
