// What may be done from the dashboard, in Debian's chromium: argument 2 is its address, argument 3 the seed of the system account's user, argument 4 a folder for pictures or nothing.
import { chromium } from "playwright-core";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { end, print, url } from "./story.mjs";

const [seed, pictures] = process.argv.slice(3);
const profile = mkdtempSync(join(tmpdir(), "postrider-chromium-"));
const browser = await chromium.launchPersistentContext(profile, {
  executablePath: process.env.POSTRIDER_CHROMIUM ?? "/usr/bin/chromium",
  headless: true,
  viewport: { width: 1400, height: 1100 },
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
try {
  const tab = await browser.newPage();
  tab.setDefaultTimeout(30_000);
  const faults = [];
  tab.on("pageerror", (error) => faults.push(error.message));
  tab.on("console", (message) => message.type() === "error" && faults.push(message.text()));
  const outcome = async (words) => {
    await tab.locator("#outcome", { hasText: words }).waitFor();
    return tab.locator("#outcome").textContent();
  };
  const open = (page) => tab.locator("nav a", { hasText: page }).click();
  const yes = async (name) => {
    if (name) await tab.locator("#confirm-name").fill(name);
    await tab.locator("#confirm-yes").click();
  };
  const signIn = async (fields) => {
    await tab.locator("#sign-in").click();
    for (const [name, value] of Object.entries(fields)) await tab.locator(`#sign-in-form [name=${name}]`).fill(value);
    await tab.locator("#sign-in-go").click();
  };
  const stream = async () => {
    await open("Streams");
    await tab.locator("#stream-table td button", { hasText: "ORDERS" }).click();
  };

  // who is not known is told so, and may try again in the same dialog
  await tab.goto(url);
  await signIn({ user: "app", password: "wrong" });
  await tab.waitForFunction(() => document.getElementById("sign-in-problem").textContent);
  print("wrong password:", await tab.locator("#sign-in-problem").textContent());
  await tab.locator("#sign-in-form [name=password]").fill("app");
  await tab.locator("#sign-in-form [name=password]").press("Enter");
  print(await outcome("You are signed in as"));

  // messages
  await stream();
  await tab.locator("#message-list details").nth(2).waitFor();
  print(await tab.locator("#messages-shown").textContent());
  await tab.locator("#message-list summary").nth(1).click();
  const message = tab.locator("#message-list details").nth(1);
  print(await message.locator("dl").innerText(), "|", (await message.locator("pre").textContent()).replaceAll(/\s+/g, " "), "| images made:", await tab.locator("main img").count());
  if (pictures) await tab.screenshot({ path: join(pictures, "dashboard-messages.png") });
  await message.locator("button", { hasText: "Delete" }).click();
  await yes();
  print(await outcome("deleted"));
  await tab.locator("#message-filter").fill("orders.3");
  await tab.locator("#message-query button", { hasText: "Show" }).click();
  await tab.waitForFunction(() => document.querySelectorAll("#message-list details").length === 1);
  print("orders.3:", await tab.locator("#message-list summary b").textContent());

  await tab.locator("#subjects summary").click();
  await tab.locator("#subject-table tbody tr").nth(1).waitFor();
  print("subjects:", (await tab.locator("#subject-table tbody tr").evaluateAll((rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent).join(" ")))).join(", "));
  await tab.locator("#subjects summary").click();

  // publishing
  await tab.locator("#publish-subject").fill("orders.4");
  await tab.locator("#publish-headers").fill("Nats-Msg-Id: four\nColour: red");
  await tab.locator("#publish-body").fill('{"n":4}');
  await tab.locator("#publish-go").click();
  print(await outcome("Stored"));
  await tab.locator("#publish-go").click();
  print(await outcome("already"));
  await tab.locator("#publish-subject").fill("nobody.listens");
  await tab.locator("#publish-go").click();
  print(await outcome("No service"));
  await tab.locator("#publish-subject").fill("forbidden.subject");
  await tab.locator("#publish-go").click();
  print(await outcome("no permission"));
  await tab.locator("#publish-subject").fill("orders.4");
  await tab.locator("#publish-headers").fill("no header");
  await tab.locator("#publish-go").click();
  print(await outcome("not a header"));

  // consumers
  const consumer = (name) => tab.locator("#consumer-table tbody tr", { hasText: name }).locator("button");
  await consumer("billing").filter({ hasText: "Pause" }).click();
  await yes();
  print((await outcome("is paused")).slice(0, 17));
  await consumer("billing").filter({ hasText: "Resume" }).click();
  print(await outcome("was resumed"));
  await consumer("pinned").filter({ hasText: "Unpin" }).click();
  await yes();
  print(await outcome("no longer pinned"));

  // all of a stream, after its name was typed
  await tab.locator("#purge").click();
  await tab.locator("#confirm-name").fill("ORDER");
  print("half a name is enough:", await tab.locator("#confirm-yes").isEnabled());
  await yes("ORDERS");
  print(await outcome("were removed"));

  // buckets, with a change by another in between
  await open("Buckets");
  await tab.locator("#bucket-table td button", { hasText: "settings" }).click();
  await tab.locator("#bucket-list summary", { hasText: "colour" }).click();
  await tab.locator("#bucket-list pre").waitFor();
  print(await tab.locator("#bucket-list p").first().textContent().then((words) => words.split(",")[0]), "|", await tab.locator("#bucket-list pre").textContent());
  await tab.locator("#bucket-list button", { hasText: "Edit" }).click();
  await tab.locator("#put-value").fill("green");
  await tab.locator("#put-go").click();
  print(await outcome("was stored"));
  await tab.locator("#bucket-list summary", { hasText: "colour" }).click();
  await tab.locator("#bucket-list pre").waitFor();
  await tab.locator("#bucket-list button", { hasText: "Edit" }).click();
  const other = await browser.newPage();
  await other.goto(`${url}#buckets`);
  await other.locator("#sign-in").click();
  await other.locator("#sign-in-form [name=user]").fill("app");
  await other.locator("#sign-in-form [name=password]").fill("app");
  await other.locator("#sign-in-go").click();
  await other.locator("#bucket-table td button", { hasText: "settings" }).click();
  await other.locator("#put-key").fill("colour");
  await other.locator("#put-value").fill("blue");
  await other.locator("#put-go").click();
  await other.locator("#outcome", { hasText: "was stored" }).waitFor();
  await other.close();
  await tab.locator("#put-value").fill("yellow");
  await tab.locator("#put-go").click();
  print(await outcome("Another client"));
  const key = tab.locator("#bucket-list details", { hasText: "colour" });
  await key.locator("summary").click();
  await key.locator("summary").click();
  await key.locator("pre", { hasText: "blue" }).waitFor();
  await key.locator("button", { hasText: "Delete" }).click();
  await yes();
  const removed = await outcome("was deleted");
  await key.locator("summary").click();
  await key.locator("p", { hasText: "deleted" }).waitFor();
  print(removed, "|", (await key.locator("p").textContent()).split(", ").at(-1));
  await tab.locator("#bucket-table td button", { hasText: "files" }).click();
  await tab.locator("#bucket-list summary", { hasText: "report.txt" }).waitFor();
  print("objects:", await tab.locator("#bucket-list summary").allTextContents().then((all) => all.join(" ")));
  const object = tab.locator("#bucket-list details", { hasText: "report.txt" });
  await object.locator("summary").click();
  await object.locator("button", { hasText: "Show content" }).click();
  await object.locator("div pre").waitFor();
  const saved = tab.waitForEvent("download");
  await object.locator("button", { hasText: "Save" }).click();
  print(await object.locator("summary").textContent(), "|", await object.locator("div pre").textContent(), "| saved as", (await saved).suggestedFilename());

  // dead letters that an application serves
  await open("Dead letters");
  const offered = tab.locator("#dead-sources button");
  await offered.click();
  await tab.locator("#dead-list summary").nth(1).waitFor();
  print("offered:", (await offered.allTextContents()).join(), "|", await tab.locator("#dead-shown").textContent());
  await tab.locator("#dead-list summary").first().click();
  await tab.locator("#dead-list pre").waitFor();
  if (pictures) await tab.screenshot({ path: join(pictures, "dashboard-dead-letters.png") });
  print("dead:", await tab.locator("#dead-list summary .soft").first().textContent(), "|", JSON.parse(await tab.locator("#dead-list pre").textContent()).data);
  await tab.locator("#dead-list button", { hasText: "Send back" }).click();
  await yes();
  const sent = await outcome("Sent back");
  await tab.locator("#dead-shown", { hasText: "1 shown" }).waitFor();
  print(sent, "|", await tab.locator("#dead-shown").textContent());
  await tab.locator("#dead-list summary").click();
  await tab.locator("#dead-list pre").waitFor();
  print("dead:", JSON.parse(await tab.locator("#dead-list pre").textContent()).data);
  await tab.locator("#dead-list button", { hasText: "Delete" }).click();
  await yes();
  const gone = await outcome("Deleted");
  await tab.locator("#dead-shown", { hasText: "There are no" }).waitFor();
  print(gone, "|", await tab.locator("#dead-shown").textContent());
  await tab.locator("#dead-source").fill("");
  await tab.locator("#dead-transport").fill("nothing");
  await tab.locator("#dead-source").fill("parcels.dead");
  await tab.locator("#dead-go").click();
  print(await outcome("no transport"));

  // a small window, signed in
  await tab.setViewportSize({ width: 360, height: 740 });
  const widths = [];
  for (const page of ["streams", "buckets", "dead-letters", "subscriptions"]) {
    await tab.evaluate((page) => (location.hash = page), page);
    await tab.locator(`#view-${page}`).waitFor();
    widths.push(await tab.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  }
  print("360 px:", widths.join(" "));
  await tab.setViewportSize({ width: 1400, height: 1100 });

  // the system account closes connections, others see no button
  await open("Connections");
  await tab.locator("#connection-table tbody tr").first().waitFor();
  print("close buttons of app:", await tab.locator("#connection-table tbody button").count());
  await tab.locator("#sign-out").click();
  await signIn({ file: seed });
  print((await outcome("You are signed in as")).replace(/U[A-Z2-7]{55}/, "its key"));
  const line = tab.locator("#connection-table tbody tr", { hasText: "victim" });
  await line.locator("button", { hasText: "Close" }).click();
  await yes();
  print((await outcome("was closed")).replace(/\d+/, "N"));
  await line.waitFor({ state: "detached" });
  await tab.locator("#sign-out").click();
  print(await outcome("signed out"), "|", await tab.locator("#sign-in").isVisible());
  print("faults:", faults.join(" ") || "none");
} finally {
  await browser.close();
  rmSync(profile, { recursive: true, force: true });
  end();
}
