/** What `metaphrase serve` answers. */

import { type Problem, request } from "../data/source.ts";

export interface OfferedMetric {
  name: string;
  /** Languages that it knows; null or empty if any will do. */
  languages?: string[] | null;
  description?: string;
  variants?: string[];
  /** What it lacks to run on this server, and in which languages. */
  obstacles?: { message: string; languages: string[] }[];
}

export interface Status {
  version: string;
  limits: Record<string, unknown>;
  /** Absent until they are known, which takes a server some seconds when it is asked for the first time. */
  metrics?: OfferedMetric[];
  defaults?: { lang?: string; metrics?: string[] };
}

export type JobState = "queued" | "running" | "done" | "failed" | "cancelled";

export interface ListedJob {
  id: string;
  title?: string | null;
  state: JobState;
  /** ISO 8601, or seconds since 1970. */
  created?: string | number | null;
}

export interface Job {
  state: JobState;
  done?: number | null;
  total?: number | null;
  stage?: string | null;
  title?: string | null;
  error?: Problem | null;
}

/** A file as it is sent: as text if it is UTF-8, or else as its bytes (compressed, or for the server to refuse). */
export type Sent = { name: string; text: string } | { name: string; base64: string };

export interface NewJob {
  title?: string;
  lang: string;
  check_language?: boolean;
  checks?: boolean;
  changes?: boolean;
  /** What to do about a segment that a metric refuses. */
  on_error?: "stop" | "skip";
  metrics: string[];
  references: Sent[];
  systems: Sent[];
  source?: Sent;
  documents?: Sent;
}

const path = (id: string) => `/api/jobs/${encodeURIComponent(id)}`;

async function json<T>(answer: Promise<Response>): Promise<T> {
  return (await (await answer).json()) as T;
}

export const status = () => json<Status>(request("/api/status"));
export const metrics = () => json<OfferedMetric[]>(request("/api/metrics"));
export const job = (id: string) => json<Job>(request(path(id)));
export const remove = (id: string) => request(path(id), { method: "DELETE" });
export const exported = (id: string, format: string) => request(`${path(id)}/export?format=${format}`);

export async function jobs(): Promise<ListedJob[]> {
  const answer = await json<ListedJob[] | { jobs: ListedJob[] }>(request("/api/jobs"));
  return Array.isArray(answer) ? answer : answer.jobs;
}

export function create(work: NewJob): Promise<{ id: string }> {
  return json(
    request("/api/jobs", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(work),
    }),
  );
}

export function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let i = 0; i < bytes.length; i += 0x8000) binary += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(binary);
}

/** The bytes as they are sent. A byte order mark stays, so that the server sees what the file has. */
export function packed(name: string, bytes: Uint8Array): Sent {
  try {
    return { name, text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { name, base64: toBase64(bytes) };
  }
}

/** The wait before the next question about a job, in milliseconds: short at first, never long. */
export function patience(asked: number): number {
  return Math.min(3000, Math.round(250 * 1.4 ** asked));
}
