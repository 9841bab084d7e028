/** Where incidents come from, for whoever has none. */
export function HowToMakeOne() {
  return (
    <dl class="key-values">
      <div>
        <dt>Of a simulation</dt>
        <dd>
          <code>berth simulate --seed 889 --html incident.html</code>
        </dd>
      </div>
      <div>
        <dt>Of what a plane recorded</dt>
        <dd>
          <code>berth replay .berth/recording --html incident.html</code>
        </dd>
      </div>
    </dl>
  );
}
