/** The state in the address: what is chosen makes an entry of the browser's history, what is typed does not. */

import { fromFragment, type State, type Store, toFragment } from "./state.ts";

/** What changes with every key that is pressed. */
const TYPED: readonly (keyof State)[] = ["query", "shortest", "longest", "most"];

/** How a change goes into the history. */
export type Step = "push" | "replace" | "back";

/**
 * Opening a segment is a step forward and closing it the way back, so that it leaves nothing behind; what is looked
 * at while it is open belongs to that one step, so that Back closes it. `opened` tells whether the current
 * entry was made by opening a segment here: a link to a segment has no list to go back to.
 */
export function stepOf(before: State, state: State, opened: boolean): Step {
  if (before.segment >= 0) return state.segment < 0 && opened ? "back" : "replace";
  if (state.segment >= 0) return "push";
  const changed = (Object.keys(state) as (keyof State)[]).filter((key) => before[key] !== state[key]);
  return changed.every((key) => TYPED.includes(key)) ? "replace" : "push";
}

interface Entry {
  /** Made by opening a segment. */
  opened?: boolean;
}

/** Keeps the address and the store the same, until `stop`. */
export function keepAddress(store: Store, stop: AbortSignal): void {
  let before: State = store.state;
  let following = false;
  let returning = false;
  const opened = () => (history.state as Entry | null)?.opened === true;
  const address = () => {
    const fragment = toFragment(store.state);
    return fragment ? `#${fragment}` : location.pathname + location.search;
  };

  store.watch(Object.keys(store.state) as (keyof State)[], (state) => {
    const last = before;
    before = state;
    if (stop.aborted || toFragment(state) === location.hash.slice(1)) return;
    const step = following ? "replace" : stepOf(last, state, opened());
    if (step === "back") {
      returning = true;
      history.back();
    } else if (step === "push") history.pushState({ opened: state.segment >= 0 } satisfies Entry, "", address());
    else history.replaceState(history.state, "", address());
  });
  addEventListener(
    "hashchange",
    () => {
      if (returning) {
        // Back on the list that the segment was opened from; what was chosen meanwhile stays chosen.
        returning = false;
        history.replaceState(history.state, "", address());
        return;
      }
      const state = fromFragment(location.hash);
      if (state.job !== store.state.job) return;
      following = true;
      store.update(state);
      following = false;
    },
    { signal: stop },
  );
}
