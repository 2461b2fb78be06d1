// A page in Debian's chromium calls the till, without a library: fetch and WebSocket. The first argument is the page's address, the second a
// server of another origin that admits the page, the third one that does not.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { print } from "./story.mjs";

const [page, friend, stranger] = process.argv.slice(2);
const profile = mkdtempSync(join(tmpdir(), "postrider-chromium-"));
const browser = await chromium.launchPersistentContext(profile, {
  executablePath: process.env.POSTRIDER_CHROMIUM ?? "/usr/bin/chromium",
  headless: true,
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
try {
  const tab = await browser.newPage();
  await tab.goto(page);
  const lines = await tab.evaluate(async ({ friend, stranger }) => {
    const said = [];
    const post = (address, message, headers = {}) =>
      fetch(address, { method: "POST", headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(message) });
    const told = async (asked) => {
      const answer = await asked;
      return `${answer.status} ${answer.headers.get("content-type")} ${await answer.text()}`;
    };

    // fetch: an answer, a fault, an answer in pieces
    said.push(await told(post("/till/Add", { first: 2, second: 40 })));
    said.push(await told(post("/till/Take", "tea")));
    const stream = await post("/till/Count", 9);
    const reader = stream.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) text += piece.value;
    said.push(`${stream.headers.get("content-type")} ${text.trim().split("\n").join(" | ")}`);

    // another origin: the browser asks first, and obeys
    said.push(await told(post(`${friend}/till/Add`, { first: 1, second: 1 })));
    said.push(await told(post(`${friend}/till/Add`, { first: 1, second: 2 }, { tenant: "north" })));
    said.push(await post(`${stranger}/till/Add`, { first: 1, second: 1 }).then(() => "it was let through", (refused) => refused.name));

    // WebSocket with objects of JSON
    const talk = (address, ...messages) => new Promise((resolve) => {
      const heard = [];
      const socket = new WebSocket(address, "postrider.json");
      let left = messages.length;
      socket.onopen = () => messages.forEach((message) => socket.send(JSON.stringify(message)));
      socket.onmessage = ({ data }) => {
        const object = JSON.parse(data);
        if (!("id" in object)) return;
        heard.push(data);
        if (!("item" in object) && --left === 0) socket.close(1000);
      };
      socket.onclose = ({ wasClean }) => resolve(`${socket.protocol || "no subprotocol"} ${wasClean} ${heard.join(" ")}`);
    });
    said.push(await talk(`ws://${location.host}/rpc`, { id: 1, call: "till/Add", message: { first: 3, second: 4 } }));
    said.push(await talk(`ws://${location.host}/rpc`, { id: 7, call: "till/Count", message: 3 }));
    said.push(await talk(`ws://${location.host}/rpc`, { id: 9, call: "till/Take", message: "tea" }));
    said.push(await talk(`${friend.replace("http", "ws")}/rpc`, { id: 1, call: "till/Take", message: "cake" }));
    said.push(await talk(`${stranger.replace("http", "ws")}/rpc`, { id: 1, call: "till/Take", message: "cake" }));

    // events of a stream: it ends, it fails, there is none
    const listen = (address) => new Promise((resolve) => {
      const heard = [];
      const source = new EventSource(address);
      const end = (...words) => {
        source.close();
        resolve([...words, ...heard].join(" "));
      };
      source.onmessage = ({ data }) => heard.push(data);
      source.addEventListener("end", () => end("end"));
      source.addEventListener("failure", ({ data }) => end(data));
      source.onerror = () => end(source.readyState === EventSource.CLOSED ? "closed" : "calls again");
    });
    said.push(await listen("/bell/3"));
    said.push(await listen("/bell/9"));
    said.push(await listen("/bell/none"));
    return said;
  }, { friend, stranger });
  for (const line of lines) print(line);
} finally {
  await browser.close();
  rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
}

process.exit();
