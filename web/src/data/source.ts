/** Where a page gets its data from: embedded in the page itself, or a server that computes it. */

import type { Explanation, Failure } from "./explanation.ts";
import type { Overview } from "./overview.ts";

/** What there is to say about a score: an explanation, an error instead of it, or nothing. */
export type Answer = Explanation | Failure | null;

export interface Source {
  overview(): Promise<Overview>;
  /** Bytes of a block, decompressed. */
  block(name: string): Promise<ArrayBuffer>;
  /** Null where the report has none. With one of several references, if the page has an explanation for each. */
  explanation(metric: number, system: number, segment: number, reference?: number): Promise<Answer>;
  /** Whether reading everything ahead costs only time. */
  readonly local: boolean;
}

export async function inflate(bytes: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream).arrayBuffer();
}

export function parseJson<T>(bytes: ArrayBuffer): T {
  return JSON.parse(new TextDecoder().decode(bytes)) as T;
}

export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.trim());
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

type Explanations = Record<string, Explanation | Failure>;

/** The blocks of a report are in script elements that no browser runs. */
export class EmbeddedSource implements Source {
  readonly local = true;
  readonly #elements = new Map<string, Element>();
  readonly #explanations = new Map<number, Promise<Explanations>>();
  readonly #overview: Overview;

  constructor(page: Document) {
    for (const element of page.querySelectorAll("script[data-block]")) {
      this.#elements.set(element.getAttribute("data-block") ?? "", element);
    }
    const overview = page.getElementById("overview")?.textContent;
    if (!overview) throw new Error("the page holds no report");
    this.#overview = JSON.parse(overview) as Overview;
  }

  overview(): Promise<Overview> {
    return Promise.resolve(this.#overview);
  }

  async block(name: string): Promise<ArrayBuffer> {
    const element = this.#elements.get(name);
    if (!element) throw new Error(`the report has no block ${name}`);
    return inflate(fromBase64(element.textContent ?? ""));
  }

  async explanation(...cell: [metric: number, system: number, segment: number, reference?: number]): Promise<Answer> {
    const [, , segment] = cell;
    const chunk = Math.floor(segment / this.#overview.chunk);
    const name = `explanations/${chunk}`;
    if (!this.#elements.has(name)) return null;
    let block = this.#explanations.get(chunk);
    if (!block) {
      block = this.block(name).then((bytes) => parseJson<Explanations>(bytes));
      this.#explanations.set(chunk, block);
    }
    return (await block)[cell.join("/")] ?? null;
  }
}

/** What a server says went wrong: the same codes as on the command line. */
export interface Problem {
  code: string;
  message: string;
  path?: string | null;
  line?: number | null;
  hint?: string | null;
}

export class ServerError extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.message);
    this.problem = problem;
  }
}

let authorization: string | null = null;

/** From now on, every request has the token, if it is one that can be sent. */
export function sendToken(token: string): void {
  authorization = /^[!-~]+$/.test(token) ? `Bearer ${token}` : null;
}

/** An answer that is not an error; a server that does not answer is an error of its own. */
export async function request(path: string, options: RequestInit = {}): Promise<Response> {
  const headers = new Headers(options.headers);
  if (authorization) headers.set("Authorization", authorization);
  let answer: Response;
  try {
    answer = await fetch(path, { credentials: "omit", ...options, headers });
  } catch {
    throw new ServerError({
      code: "offline",
      message: "The server does not answer.",
      hint: "Is metaphrase serve still running? Start it and try again.",
    });
  }
  if (answer.ok) return answer;
  const body = (await answer.json().catch(() => null)) as { error?: Problem } | null;
  throw new ServerError(
    body?.error ?? { code: `HTTP ${answer.status}`, message: answer.statusText || "The server refused." },
  );
}

export class HttpSource implements Source {
  readonly local = false;
  readonly #job: string;
  #overview: Promise<Overview> | undefined;

  constructor(job: string) {
    this.#job = `/api/jobs/${encodeURIComponent(job)}`;
  }

  overview(): Promise<Overview> {
    this.#overview ??= request(`${this.#job}/overview`).then((answer) => answer.json() as Promise<Overview>);
    return this.#overview;
  }

  async block(name: string): Promise<ArrayBuffer> {
    const answer = await request(`${this.#job}/blocks/${name}`);
    return inflate(new Uint8Array(await answer.arrayBuffer()));
  }

  async explanation(metric: number, system: number, segment: number): Promise<Answer> {
    try {
      const query = `metric=${metric}&system=${system}&segment=${segment}`;
      return (await (await request(`${this.#job}/explanation?${query}`)).json()) as Answer;
    } catch (error) {
      if (error instanceof ServerError) return { error: error.problem };
      throw error;
    }
  }
}
