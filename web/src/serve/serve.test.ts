import { describe, expect, it } from "vitest";
import { packed, patience } from "./api.ts";
import { clashes, size, split } from "./files.ts";
import { limitText } from "./form.ts";
import { example } from "./introduction.ts";
import { languageCode, languageName, SUGGESTED } from "./languages.ts";
import { byRecommendation, obstacle, recommended, speaks } from "./metric_field.ts";
import { sentenceJob } from "./sentence.ts";
import { split as splitToken } from "./token.ts";

describe("what is sent", () => {
  it("is text if it is UTF-8, with the byte order mark it has", () => {
    expect(packed("a", new TextEncoder().encode("\ufeffé\n"))).toEqual({ name: "a", text: "\ufeffé\n" });
  });

  it("is bytes if it is compressed or not UTF-8, for the server to judge", () => {
    expect(packed("a.gz", Uint8Array.of(0x1f, 0x8b, 8, 0))).toEqual({ name: "a.gz", base64: "H4sIAA==" });
    expect(packed("latin1", Uint8Array.of(0xe9))).toEqual({ name: "latin1", base64: "6Q==" });
  });
});

describe("systems", () => {
  it("are called as their files, without endings", () => {
    expect(split("hyp.txt")).toEqual({ name: "hyp", ending: ".txt" });
    expect(split("wmt23.en-de.txt.gz")).toEqual({ name: "wmt23.en-de", ending: ".txt.gz" });
    expect(split(".txt")).toEqual({ name: ".txt", ending: "" });
  });

  it("need names, each its own", () => {
    expect([...clashes(["a", "b", " a ", ""])]).toEqual([0, 2, 3]);
    expect(clashes(["a", "b"]).size).toBe(0);
  });
});

describe("languages", () => {
  it("are any code, or a name that is known", () => {
    expect(languageCode(" JA ")).toBe("ja");
    expect(languageCode("pt_BR")).toBe("pt-BR");
    expect(languageCode("zho_Hans")).toBe("zh-Hans");
    expect(languageCode("deu")).toBe("de");
    expect(languageCode("japanese")).toBe("ja");
    expect(languageCode("xx")).toBe("xx");
    expect(["", "e", "English language", "en-", "<b>", "any*"].map(languageCode)).toEqual(Array(6).fill(null));
  });

  it("that are suggested have names", () => {
    expect(SUGGESTED.filter((code) => languageName(code) === null)).toEqual([]);
    expect(SUGGESTED.filter((code) => languageCode(code) !== code)).toEqual([]);
  });
});

describe("a token", () => {
  it("is taken out of the address as it was written", () => {
    expect(splitToken("#token=a+b/c==&job=1&view=scatter")).toEqual({ token: "a+b/c==", rest: "job=1&view=scatter" });
    expect(splitToken("#job=1&token=a%26b")).toEqual({ token: "a&b", rest: "job=1" });
    expect(splitToken("#token=%")).toEqual({ token: "%", rest: "" });
    expect(splitToken("#job=token=1")).toEqual({ token: null, rest: "job=token=1" });
  });
});

const STATUS = {
  version: "0",
  limits: {},
  metrics: [{ name: "bleu" }, { name: "celab", languages: ["zh"] }, { name: "accord" }],
  defaults: { metrics: ["accord", "bleu", "absent"] },
};

describe("metrics", () => {
  it("that are recommended come first", () => {
    const { recommended, others } = byRecommendation(STATUS);
    expect(recommended.map(({ name }) => name)).toEqual(["accord", "bleu"]);
    expect(others.map(({ name }) => name)).toEqual(["celab"]);
  });
});

describe("metrics that cannot run", () => {
  const lacks = { message: "[MP970] no paraphrases.", languages: ["en", "pt"] };
  const meteor = { name: "meteor", languages: ["de", "en", "pt", "pt-BR"], obstacles: [lacks] };

  it("say what they lack, in the languages in which they lack it", () => {
    expect(obstacle(meteor, "en")).toBe("cannot run here: [MP970] no paraphrases.");
    expect(obstacle(meteor, "pt-BR")).toBe("cannot run here: [MP970] no paraphrases.");
    expect(obstacle(meteor, "de")).toBeNull();
    expect(obstacle(meteor, "ja")).toBe("not for this language");
  });

  it("are not recommended, once that is known", () => {
    const status = { version: "0", limits: {}, defaults: { metrics: ["meteor", "bleu"] } };
    expect(recommended(status, "en")).toEqual(["meteor", "bleu"]);
    expect(recommended({ ...status, metrics: [meteor, { name: "bleu" }] }, "en")).toEqual(["bleu"]);
  });
});

describe("an evaluation without files", () => {
  it("has one segment, however the sentence was pasted", () => {
    const { title, metrics, references, systems } = sentenceJob(STATUS, "en", " a\r\nb\u2028c ", "d\te\n");
    expect([title, metrics]).toEqual(["d e", ["accord", "bleu"]]);
    expect(references).toEqual([{ name: "reference.txt", text: "a b c\n" }]);
    expect(systems).toEqual([{ name: "translation.txt", text: "d e\n" }]);
    expect([...(sentenceJob(STATUS, "en", "a", "😀".repeat(100)).title ?? "")].length).toBe(60);
  });

  it("is the example, whose files have the same number of lines", () => {
    const { references, systems, source, documents } = example(STATUS);
    const files = [...references, ...systems, source, documents];
    const lines = files.map((file) => (file && "text" in file ? file.text.trimEnd().split("\n").length : 0));
    expect(lines).toEqual([12, 12, 12, 12, 12]);
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
