/** Which errors cost the systems their points, by one metric. */

import type { Dataset } from "../data/dataset.ts";
import { bdi, choice, el, explained, labelled, problem } from "../base/dom.ts";
import { count, counted, fixed } from "../base/numbers.ts";
import { endsOf, type Group, groupsBy, type KindLoss, kindsOf, type Profile, type SystemProfile } from "../data/profile.ts";
import { repairWords } from "../explain/repairs.ts";
import type { Store } from "../state/state.ts";
import { intervalBar } from "./interval_bar.ts";
import { type Drawn, section } from "./section.ts";
import { systemName } from "./system_names.ts";

/** Of more systems each has a row, and not a column. */
const COLUMNS = 3;
/** Documents and domains that are shown: those where most is lost. */
const GROUPS = 12;
const BAR = 92;
const BYS = ["domain", "document", "length"] as const;

/** Null where nothing was profiled. */
export function profileView(data: Dataset, store: Store): Drawn | null {
  const { metrics, profiles } = data.overview;
  if (!profiles || profiles.length === 0) return null;
  const select = choice(
    profiles.map((metric) => [metric, metrics[metric]?.name ?? ""] as const),
    (value) => store.update({ profile: Number(value) }),
  );
  const shown = el("div", { class: "stack" }, el("p", { class: "muted" }, "Reading …"));
  const draw = async () => {
    const wanted = store.state.profile;
    const metric = profiles.includes(wanted) ? wanted : (profiles[0] ?? 0);
    select.value = String(metric);
    try {
      const parts = await profileOf(data, metric);
      if (store.state.profile === wanted) shown.replaceChildren(...parts);
    } catch (error) {
      shown.replaceChildren(problem(error));
    }
  };
  store.watch(["profile"], () => void draw());
  const ready = draw();
  const controls = profiles.length > 1 ? [el("div", { class: "controls" }, labelled("Metric", select))] : [];
  return { element: section("profile", "Points lost by kind of error", ...controls, shown), ready };
}

/** The profile by one metric: in words, by kind, the repairs that are needed again and again, and where. */
export async function profileOf(data: Dataset, metric: number): Promise<HTMLElement[]> {
  const { metrics, systems } = data.overview;
  const name = metrics[metric]?.name ?? "";
  const profile = await data.profile(metric);
  const kinds = kindsOf(profile);
  const parts = [
    profile.paragraph === null ? null : el("p", { class: "verdict" }, bdi(profile.paragraph, { dir: "ltr" })),
    kinds.length === 0
      ? el("p", {}, `Nothing is lost in ${counted(profile.segments, "segment")}.`)
      : profile.systems.length > COLUMNS
        ? systemRows(profile, kinds, systems, name)
        : systemColumns(profile, kinds, systems, name),
    frequentRepairs(profile, systems),
    ...BYS.map((by) => groupTable(profile, by, systems)),
  ];
  return parts.filter((part) => part !== null);
}

function about(profile: Profile, name: string): (Node | string)[] {
  const some = profile.segments < profile.ofSegments;
  const segments = some
    ? `a sample of ${count(profile.segments)} of ${counted(profile.ofSegments, "segment")}`
    : counted(profile.segments, "segment");
  const hasIntervals = profile.systems.some(({ low }) => low !== null);
  return [
    "Points for each segment that ",
    bdi(name),
    ` itself would give if the errors of a kind were repaired, in the mean of ${segments}. `,
    hasIntervals ? "With 95 % intervals: what another choice of segments may change." : "Too few segments for intervals.",
  ];
}

/** A number, and below it where it lies and between which ends. */
function lossCell(found: KindLoss | undefined, ends: readonly [number, number], digits: number, sign = false): HTMLElement {
  if (!found) return el("td", { class: "loss muted" }, "–");
  const { points, low, high } = found;
  const clear = low !== null && high !== null && low * high > 0;
  const rounded = fixed(points, digits);
  const number = `${sign && points > 0 && Number(rounded) > 0 ? "+" : ""}${rounded}`;
  return el(
    "td",
    { class: `loss${sign && clear ? (points > 0 ? " ahead" : " behind") : ""}`, title: counted(found.segments, "segment") },
    el("span", { class: "value" }, number),
    low !== null && high !== null && interval(low, high, digits),
    intervalBar(points, low, high, ends, BAR),
  );
}

function interval(low: number, high: number, digits: number): HTMLElement {
  return el("span", { class: "muted ends" }, `${fixed(low, digits)} to ${fixed(high, digits)}`);
}

/** Kinds down, systems across; of two systems also the difference. */
function systemColumns(profile: Profile, kinds: readonly string[], systems: readonly string[], name: string): HTMLElement {
  const { digits, difference } = profile;
  const ends = endsOf(profile.systems.flatMap((one) => one.kinds));
  const apart = endsOf(difference?.kinds ?? []);
  const rows = kinds.map((kind) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, kind),
      ...profile.systems.map((one) => lossCell(of(one.kinds, kind), ends, digits)),
      difference !== null && lossCell(of(difference.kinds, kind), apart, digits, true),
    ),
  );
  const whole = (title: string, value: (one: SystemProfile) => string, low?: (one: SystemProfile) => HTMLElement | null) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, title),
      ...profile.systems.map((one) => el("td", { class: "loss" }, el("span", { class: "value" }, value(one)), low?.(one) ?? null)),
      difference !== null && el("td", {}),
    );
  return explained(
    `Points lost by kind of error, by ${name}`,
    about(profile, name),
    el(
      "table",
      { class: "profile" },
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          el("th", { scope: "col" }, "Points lost by"),
          ...profile.systems.map(({ system }) => el("th", { scope: "col" }, systemName(systems, system))),
          difference !== null && el("th", { scope: "col" }, systemName(systems, difference.better), " loses less by"),
        ),
      ),
      el("tbody", {}, ...rows),
      el(
        "tfoot",
        {},
        whole("All points lost", (one) => fixed(one.lost, digits)),
        whole(
          "Mean score",
          (one) => fixed(one.score, digits),
          (one) => (one.low === null || one.high === null ? null : interval(one.low, one.high, digits)),
        ),
        profile.systems.every((one) => one.scoreOfAll !== null) &&
          whole(`Mean score of all ${count(profile.ofSegments)}`, (one) => fixed(one.scoreOfAll, digits)),
      ),
    ),
  );
}

/** Systems down, those that lose least first, kinds across. */
function systemRows(profile: Profile, kinds: readonly string[], systems: readonly string[], name: string): HTMLElement {
  const { digits } = profile;
  const ends = endsOf(profile.systems.flatMap((one) => one.kinds));
  const known = profile.systems.every((one) => one.scoreOfAll !== null);
  const rows = [...profile.systems]
    .sort((one, other) => one.lost - other.lost)
    .map((one) =>
      el(
        "tr",
        {},
        el("th", { scope: "row" }, systemName(systems, one.system)),
        el("td", { class: "number strong" }, fixed(one.lost, digits)),
        el("td", { class: "number" }, fixed(one.score, digits)),
        known && el("td", { class: "number muted" }, fixed(one.scoreOfAll, digits)),
        ...kinds.map((kind) => lossCell(of(one.kinds, kind), ends, digits)),
      ),
    );
  return explained(
    `Points lost by kind of error, by ${name}`,
    about(profile, name),
    el(
      "table",
      { class: "profile rows" },
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          el("th", { scope: "col" }, "System"),
          el("th", { scope: "col", class: "number" }, "All points lost"),
          el("th", { scope: "col", class: "number" }, "Mean score"),
          known && el("th", { scope: "col", class: "number" }, `of all ${count(profile.ofSegments)}`),
          ...kinds.map((kind) => el("th", { scope: "col" }, kind)),
        ),
      ),
      el("tbody", {}, ...rows),
    ),
  );
}

function of(kinds: readonly KindLoss[], kind: string): KindLoss | undefined {
  return kinds.find((one) => one.kind === kind);
}

/** What would gain most if it were always repaired, for each system. */
function frequentRepairs(profile: Profile, systems: readonly string[]): HTMLElement | null {
  const tables = profile.systems.filter(({ frequent }) => frequent.length > 0).map((one) => frequentTable(one, profile, systems));
  if (tables.length === 0) return null;
  const several = profile.systems.length > COLUMNS;
  return el(
    "details",
    { open: !several },
    el("summary", {}, "Repairs that are needed again and again"),
    el("div", { class: "side-by-side" }, ...tables),
  );
}

function frequentTable({ system, frequent }: SystemProfile, { digits }: Profile, systems: readonly string[]): HTMLElement {
  return explained(
    `Frequent repairs of ${systems[system] ?? ""}`,
    [systemName(systems, system), ": points of all segments together"],
    el(
      "table",
      { class: "frequent" },
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          el("th", { scope: "col" }, "Repair"),
          el("th", { scope: "col" }, "Kind"),
          el("th", { scope: "col", class: "number" }, "Times"),
          el("th", { scope: "col", class: "number" }, "Points in all"),
        ),
      ),
      el(
        "tbody",
        {},
        ...frequent.map((one) =>
          el(
            "tr",
            {},
            el("th", { scope: "row" }, repairWords(one)),
            el("td", {}, one.kind),
            el("td", { class: "number" }, count(one.count)),
            el("td", { class: "number" }, fixed(one.points, digits)),
          ),
        ),
      ),
    ),
  );
}

/** Domains, documents or lengths down, systems across. */
function groupTable(profile: Profile, by: Group["by"], systems: readonly string[]): HTMLElement | null {
  const groups = groupsBy(profile, by, GROUPS);
  if (groups.length === 0) return null;
  const all = profile.groups.filter((group) => group.by === by).length;
  const told = all > groups.length ? `, the ${groups.length} that lose most of ${count(all)}` : "";
  const rows = groups.map(({ name, segments, points, mostly }) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, name ? bdi(name) : `No ${by}`),
      el("td", { class: "number" }, count(segments)),
      ...points.map((value, place) =>
        el(
          "td",
          { class: "loss" },
          el("span", { class: "value" }, fixed(value, profile.digits)),
          profile.systems.length <= COLUMNS && el("span", { class: "muted ends" }, mostly[place] ?? ""),
        ),
      ),
    ),
  );
  const title = `Points lost by ${by === "length" ? "length of the reference" : by}`;
  return el(
    "details",
    {},
    el("summary", {}, `${title}${told}`),
    explained(
      title,
      [
        "Points lost for each segment",
        profile.systems.length <= COLUMNS ? ", and the kind of error that costs most" : "",
        by === "length" && profile.lengths ? `; ${profile.lengths}.` : ".",
      ],
      el(
        "table",
        { class: "profile" },
        el(
          "thead",
          {},
          el(
            "tr",
            {},
            el("th", { scope: "col" }, `${by.charAt(0).toUpperCase()}${by.slice(1)}`),
            el("th", { scope: "col", class: "number" }, "Segments"),
            ...profile.systems.map(({ system }) => el("th", { scope: "col" }, systemName(systems, system))),
          ),
        ),
        el("tbody", {}, ...rows),
      ),
    ),
  );
}
