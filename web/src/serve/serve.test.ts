import { describe, expect, it } from "vitest";
import { packed, patience } from "./api.ts";
import { size } from "./files.ts";
import { limitText, speaks } from "./form.ts";

describe("what is sent", () => {
  it("is text if it is UTF-8, with the byte order mark it has", () => {
    expect(packed("a", new TextEncoder().encode("\ufeffé\n"))).toEqual({ name: "a", text: "\ufeffé\n" });
  });

  it("is bytes if it is compressed or not UTF-8, for the server to judge", () => {
    expect(packed("a.gz", Uint8Array.of(0x1f, 0x8b, 8, 0))).toEqual({ name: "a.gz", base64: "H4sIAA==" });
    expect(packed("latin1", Uint8Array.of(0xe9))).toEqual({ name: "latin1", base64: "6Q==" });
  });
});

describe("the form", () => {
  it("asks less and less often, but never waits long", () => {
    const waits = Array.from({ length: 30 }, (_, asked) => patience(asked));
    expect(waits[0]).toBe(250);
    expect(Math.max(...waits)).toBe(3000);
    expect(waits.every((wait, i) => i === 0 || wait >= (waits[i - 1] ?? 0))).toBe(true);
  });

  it("knows which metrics speak a language", () => {
    expect(speaks({ name: "bleu" }, "fi")).toBe(true);
    expect(speaks({ name: "bleu", languages: null }, "fi")).toBe(true);
    expect(speaks({ name: "celab", languages: ["zh"] }, "en")).toBe(false);
  });

  it("says limits in words", () => {
    expect(limitText("upload_bytes", 50_000_000)).toBe("upload: 50.0 MB");
    expect(limitText("maxSegments", 20000)).toBe("max segments: 20,000");
    expect(limitText("seconds", 600)).toBe("time: 600 s");
    expect(size(999)).toBe("999 B");
  });
});
