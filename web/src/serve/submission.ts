/** An evaluation on its way to the server. */

import { create, type NewJob } from "./api.ts";
import { problemBox, toProblem } from "./problem.ts";

/** Hands over the id of the evaluation, or shows in `errors` what is wrong with it. */
export async function submit(
  work: () => NewJob | Promise<NewJob>,
  errors: HTMLElement,
  made: (id: string) => void,
): Promise<void> {
  errors.replaceChildren();
  try {
    made((await create(await work())).id);
  } catch (error) {
    errors.replaceChildren(problemBox(toProblem(error)));
  }
}
