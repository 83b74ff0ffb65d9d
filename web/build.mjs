/**
 * Builds both pages into src/metaphrase/report/assets, and lists in SOURCES what went in and what came out, so
 * that a test without Node can tell a stale bundle.
 */

import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const web = fileURLToPath(new URL(".", import.meta.url));
const assets = join(web, "../src/metaphrase/report/assets");
const pages = ["report", "serve"].filter((page) => existsSync(join(web, `src/${page}.ts`)));

mkdirSync(assets, { recursive: true });
for (const page of pages) {
  await build({
    root: web,
    configFile: false,
    logLevel: "warn",
    build: {
      outDir: assets,
      emptyOutDir: false,
      target: ["chrome111", "firefox115", "safari16.4"],
      modulePreload: false,
      copyPublicDir: false,
      lib: {
        entry: join(web, `src/${page}.ts`),
        formats: ["iife"],
        name: "metaphrase",
        fileName: () => `${page}.js`,
        cssFileName: page,
      },
    },
  });
  const script = readFileSync(join(assets, `${page}.js`), "utf8");
  // A report holds its script inside a script element, which these would end or confuse.
  if (/<\/script|<!--/i.test(script)) throw new Error(`${page}.js cannot stand in a page`);
}
if (existsSync(join(web, "serve.html"))) copyFileSync(join(web, "serve.html"), join(assets, "serve.html"));

const sha256 = (path) => createHash("sha256").update(readFileSync(path)).digest("hex");
const sources = readdirSync(join(web, "src"), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(web.length).replaceAll("\\", "/"))
  .filter((path) => !path.endsWith(".test.ts") && !path.includes("/fixtures/"));
const examples = readdirSync(join(web, "../examples")).filter((name) => name.endsWith(".txt"));
const configuration = ["build.mjs", "package.json", "package-lock.json", "serve.html", "tsconfig.json"].filter((name) =>
  existsSync(join(web, name)),
);
const results = readdirSync(assets).filter(
  (name) => name !== "SOURCES" && name !== "__init__.py" && name !== "__pycache__",
);
const byName = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
const lines = [
  ...[...sources, ...configuration].sort(byName).map((path) => `${sha256(join(web, path))}  web/${path}`),
  ...examples.sort(byName).map((name) => `${sha256(join(web, "../examples", name))}  examples/${name}`),
  ...results.sort(byName).map((name) => `${sha256(join(assets, name))}  src/metaphrase/report/assets/${name}`),
];
writeFileSync(join(assets, "SOURCES"), `${lines.join("\n")}\n`);
