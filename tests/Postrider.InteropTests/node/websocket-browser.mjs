// A page in Debian's chromium talks to the server with the official client: argument 2 is the address. The client's modules are CommonJS, so the
// page gets their texts and a small `require`.
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { print } from "./story.mjs";
import { tell } from "./websocket-story.mjs";

const folder = new URL("./node_modules/", import.meta.url).pathname;
const modules = {};
const entries = {};
for (const name of ["@nats-io/nats-core", "@nats-io/nkeys", "@nats-io/nuid", "tweetnacl"]) {
  const description = JSON.parse(readFileSync(join(folder, name, "package.json"), "utf8"));
  const main = description.exports?.["."] ?? description.main;
  entries[name] = join(name, typeof main === "string" ? main : main.require ?? main.default);
  const root = join(name, entries[name].slice(name.length + 1).includes("/") ? entries[name].slice(name.length + 1).split("/")[0] : "");
  for (const file of readdirSync(join(folder, root), { recursive: true }))
    if (file.endsWith(".js")) modules[join(root, file)] = readFileSync(join(folder, root, file), "utf8");
}

const profile = mkdtempSync(join(tmpdir(), "postrider-chromium-"));
const browser = await chromium.launchPersistentContext(profile, {
  executablePath: process.env.POSTRIDER_CHROMIUM ?? "/usr/bin/chromium",
  headless: true,
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
try {
  const tab = await browser.newPage();
  const lines = await tab.evaluate(async ({ modules, entries, address, story }) => {
    const loaded = {};
    const resolve = (from, wanted) => {
      if (entries[wanted]) return entries[wanted];
      const parts = from.split("/").slice(0, -1);
      for (const part of wanted.split("/")) {
        if (part === "..") parts.pop();
        else if (part !== ".") parts.push(part);
      }
      const path = parts.join("/");
      return modules[path] !== undefined ? path : path + ".js";
    };
    const load = (path) => {
      if (loaded[path]) return loaded[path].exports;
      if (modules[path] === undefined) throw new Error(`no module ${path}`);
      const module = (loaded[path] = { exports: {} });
      new Function("require", "module", "exports", modules[path])((wanted) => wanted === "crypto" ? {} : load(resolve(path, wanted)), module, module.exports);
      return module.exports;
    };
    const { wsconnect } = load(entries["@nats-io/nats-core"]);
    const said = [];
    const nc = await wsconnect({ servers: address, timeout: 10_000 });
    said.push(`connected ${nc.info.client_id > 0}`);
    await new Function("nc", "print", `return (${story})(nc, print)`)(nc, (...words) => said.push(words.join(" ")));
    await nc.close();
    said.push(`closed ${nc.isClosed()}`);
    return said;
  }, { modules, entries, address: process.argv[2], story: tell.toString() });
  for (const line of lines) print(line);
} finally {
  await browser.close();
  rmSync(profile, { recursive: true, force: true });
}
process.exit(0);
