// The dashboard of one server of a cluster, in Debian's chromium: argument 2 is its address.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { end, print, url } from "./story.mjs";

const profile = mkdtempSync(join(tmpdir(), "postrider-chromium-"));
const browser = await chromium.launchPersistentContext(profile, {
  executablePath: process.env.POSTRIDER_CHROMIUM ?? "/usr/bin/chromium",
  headless: true,
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
try {
  const tab = await browser.newPage();
  tab.setDefaultTimeout(30_000);
  await tab.goto(`${url}#subscriptions`);
  await tab.locator("#subscriptions-shown", { hasText: "in total" }).waitFor();
  print((await tab.locator("#one-server").isVisible()) ? await tab.locator("#one-server").textContent() : "one server");
} finally {
  await browser.close();
  rmSync(profile, { recursive: true, force: true });
  end();
}
