// @vitest-environment happy-dom
import { deflateRawSync } from "node:zlib";
import { afterEach, describe, expect, it, vi } from "vitest";
import { EmbeddedSource, fromBase64, HttpSource, inflate, parseJson, request, sendToken, ServerError } from "./source.ts";

function page(blocks: Record<string, unknown>, overview: unknown): Document {
  const made = document.implementation.createHTMLDocument("");
  const add = (attributes: Record<string, string>, text: string) => {
    const script = made.createElement("script");
    for (const [name, value] of Object.entries(attributes)) script.setAttribute(name, value);
    script.textContent = text;
    made.body.append(script);
  };
  add({ id: "overview", type: "application/json" }, JSON.stringify(overview));
  for (const [name, value] of Object.entries(blocks)) {
    add(
      { type: "application/octet-stream", "data-block": name },
      deflateRawSync(JSON.stringify(value)).toString("base64"),
    );
  }
  return made;
}

afterEach(() => vi.unstubAllGlobals());

describe("an embedded report", () => {
  const source = new EmbeddedSource(
    page({ "texts/0": { é: "<b>" }, "explanations/1": { "0/1/3": { metric: "m" } } }, { chunk: 2 }),
  );

  it("unpacks its blocks", async () => {
    expect(parseJson(await source.block("texts/0"))).toEqual({ é: "<b>" });
    await expect(source.block("absent")).rejects.toThrow("no block absent");
  });

  it("finds an explanation in the block of its segment", async () => {
    expect(await source.explanation(0, 1, 3)).toEqual({ metric: "m" });
    expect(await source.explanation(0, 0, 3)).toBeNull();
    expect(await source.explanation(0, 1, 0)).toBeNull();
  });

  it("says so if there is none", () => {
    expect(() => new EmbeddedSource(document.implementation.createHTMLDocument(""))).toThrow("no report");
  });

  it("decodes bytes exactly", async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, i) => i);
    expect([...fromBase64(Buffer.from(bytes).toString("base64"))]).toEqual([...bytes]);
    expect(new Uint8Array(await inflate(new Uint8Array(deflateRawSync(bytes))))).toEqual(bytes);
  });
});

describe("a server", () => {
  it("is sent the token with what is asked, but nothing that is none", async () => {
    const sent: Headers[] = [];
    vi.stubGlobal("fetch", (_: string, { headers }: { headers: Headers }) => {
      sent.push(headers);
      return Promise.resolve(new Response("{}"));
    });
    for (const token of ["a+b", "schlüssel\n", ""]) {
      sendToken(token);
      await request("/", { headers: { "Content-Type": "application/json" } });
    }
    expect(sent.map((headers) => headers.get("Authorization"))).toEqual(["Bearer a+b", null, null]);
    expect(sent.every((headers) => headers.get("Content-Type") === "application/json")).toBe(true);
  });

  it("is asked for the blocks of its job", async () => {
    const asked: string[] = [];
    vi.stubGlobal("fetch", (path: string) => {
      asked.push(path);
      return Promise.resolve(new Response(deflateRawSync("{}")));
    });
    await new HttpSource("a/b").block("scores/0");
    expect(asked).toEqual(["/api/jobs/a%2Fb/blocks/scores/0"]);
  });

  it("gives its errors with their codes", async () => {
    vi.stubGlobal("fetch", () =>
      Promise.resolve(
        Response.json({ error: { code: "MP101", message: "no", path: "a", line: 3, hint: "h" } }, { status: 422 }),
      ),
    );
    await expect(request("/x")).rejects.toMatchObject({ problem: { code: "MP101", line: 3 } });
    expect(await new HttpSource("1").explanation(0, 0, 0)).toMatchObject({ error: { code: "MP101" } });
  });

  it("that does not answer, or not in JSON, is an error too", async () => {
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("refused")));
    await expect(request("/x")).rejects.toBeInstanceOf(ServerError);
    vi.stubGlobal("fetch", () => Promise.resolve(new Response("<html>", { status: 502 })));
    await expect(request("/x")).rejects.toMatchObject({ problem: { code: "HTTP 502" } });
  });
});
