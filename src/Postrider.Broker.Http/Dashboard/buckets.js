// Key-value and object buckets of the account that is signed in: streams with special names. Source: ADR-8 and ADR-20.
import { attempt, buttonIn, button, byId, bytes, clear, confirmed, count, element, fill, fromBase64, readable, tell } from "./elements.js";
import { Refusal } from "./nats.js";
import { owns, session } from "./session.js";
import { readStreams } from "./streams.js";

const MAX_KEYS = 500;
const MAX_OBJECT = 8 * 1024 * 1024;
let chosen = null;
const kinds = { "KV_": "keys and values", "OBJ_": "objects" };
const prefixOf = (stream) => Object.keys(kinds).find((prefix) => stream.name.startsWith(prefix));
const columns = [
  ["Bucket", (row) => row.name, (row) => row.name.slice(prefixOf(row).length)],
  ["Contains", (row) => kinds[prefixOf(row)], (row) => kinds[prefixOf(row)]],
  ["Account", (row) => row.account, (row) => row.account],
  ["Messages", (row) => row.state.messages, (row) => count(row.state.messages), true],
  ["Bytes", (row) => row.state.bytes, (row) => bytes(row.state.bytes), true],
];
const keyOf = (row) => JSON.stringify([row.account, row.name]);

export async function showBuckets(again) {
  const all = (await readStreams("streams=1")).filter(prefixOf);
  byId("no-buckets").hidden = all.length > 0;
  fill(byId("bucket-table"), columns, all, keyOf, {
    again,
    decorate: (line, row) => {
      line.className = keyOf(row) === chosen ? "chosen" : "";
      const name = row.name.slice(prefixOf(row).length);
      if (owns(row.account)) buttonIn(line.cells[0], name, () => choose(row, again));
      else if (line.cells[0].dataset.made !== undefined) {
        delete line.cells[0].dataset.made;
        line.cells[0].replaceChildren(name);
      }
    },
  });
  const bucket = all.find((row) => keyOf(row) === chosen && owns(row.account));
  byId("bucket").hidden = !bucket;
  if (!bucket) chosen = null;
}

async function choose(row, again) {
  chosen = keyOf(row);
  const isKeyValue = prefixOf(row) === "KV_";
  byId("bucket-title").textContent = `${isKeyValue ? "Keys" : "Objects"} of ${row.name.slice(prefixOf(row).length)}`;
  byId("put").hidden = !isKeyValue;
  byId("bucket-list").replaceChildren();
  await list(row);
  again();
}

const subjectsOf = (stream) => (prefixOf(stream) === "KV_" ? `$KV.${stream.name.slice(3)}.` : `$O.${stream.name.slice(4)}.M.`);

async function list(stream) {
  const start = subjectsOf(stream);
  const info = await session.connection.call(`$JS.API.STREAM.INFO.${stream.name}`, { subjects_filter: `${start}>` });
  const names = Object.keys(info.state.subjects ?? {}).sort();
  const isKeyValue = prefixOf(stream) === "KV_";
  byId("bucket-list").replaceChildren(...names.slice(0, MAX_KEYS).map((subject) => (isKeyValue ? keyLine(stream, subject, subject.slice(start.length)) : objectLine(stream, subject))));
  byId("bucket-shown").textContent = names.length > MAX_KEYS ? `The first ${MAX_KEYS} of ${names.length}.` : `${names.length} in total, including deleted ones.`;
}

const last = async (stream, subject) => (await session.connection.call(`$JS.API.STREAM.MSG.GET.${stream.name}`, { last_by_subj: subject })).message;

function keyLine(stream, subject, key) {
  const line = element("details");
  line.append(element("summary", key));
  line.addEventListener("toggle", async () => {
    if (!line.open) return;
    const shown = [line.firstChild];
    try {
      const message = await last(stream, subject);
      const operation = /KV-Operation: *(\w+)/i.exec(new TextDecoder().decode(fromBase64(message.hdrs)))?.[1];
      const data = fromBase64(message.data);
      shown.push(element("p", `Revision ${message.seq}, ${new Date(message.time).toLocaleString()}${operation ? `, ${operation === "DEL" ? "deleted" : operation.toLowerCase()}` : ""}`, { class: "soft" }));
      if (!operation) {
        shown.push(element("pre", readable(data), { tabindex: "0" }));
        const keys = element("p", undefined, { class: "pager" });
        keys.append(
          button("Edit", () => edit(key, data, message.seq)),
          button("Delete", async () => {
            if (!(await confirmed(`Delete the key ${key}? Its history remains as long as the bucket keeps it.`))) return;
            await store(subject, "", [["KV-Operation", "DEL"], ["Nats-Expected-Last-Subject-Sequence", String(message.seq)]]);
            line.open = false;
            tell(`${key} was deleted.`);
          }),
        );
        shown.push(keys);
      }
    } catch (failure) {
      shown.push(element("p", failure.message, { class: "bad" }));
    }
    line.replaceChildren(...shown);
  });
  return line;
}

function objectLine(stream, subject) {
  const line = element("details");
  let name = subject.split(".").at(-1);
  try {
    name = new TextDecoder().decode(fromBase64(name));
  } catch {
    // Shown unchanged.
  }
  line.append(element("summary", name));
  line.addEventListener("toggle", async () => {
    if (!line.open) return;
    const shown = [line.firstChild];
    try {
      const data = fromBase64((await last(stream, subject)).data);
      const object = JSON.parse(new TextDecoder().decode(data));
      shown.push(element("pre", readable(data), { tabindex: "0" }));
      if (!object.deleted && !object.options?.link) {
        const content = element("div");
        const keys = element("p", undefined, { class: "pager" });
        keys.append(
          button("Show content", async () => content.replaceChildren(element("pre", readable(await contentOf(stream, object)), { tabindex: "0" }))),
          button("Save", async () => save(object.name, await contentOf(stream, object))),
        );
        shown.push(keys, content);
      }
    } catch (failure) {
      shown.push(element("p", failure.message, { class: "bad" }));
    }
    line.replaceChildren(...shown);
  });
  return line;
}

// The chunks of an object, checked by its size and its digest.
async function contentOf(stream, object) {
  if (object.size > MAX_OBJECT) throw new Refusal(`${object.name} has ${bytes(object.size)}, and this page reads at most ${bytes(MAX_OBJECT)}: use postrider object get.`);
  const changed = () => new Refusal(`${object.name} has changed since you opened it, or is damaged. Open it again.`);
  const data = new Uint8Array(object.size);
  const subject = `$O.${stream.name.slice(4)}.C.${object.nuid}`;
  for (let at = 0, seq = 1; at < data.length; ) {
    const { message } = await session.connection.call(`$JS.API.STREAM.MSG.GET.${stream.name}`, { seq, next_by_subj: subject }).catch((failure) => {
      throw failure.code === 404 ? changed() : failure;
    });
    const chunk = fromBase64(message.data);
    if (chunk.length === 0 || at + chunk.length > data.length) throw changed();
    data.set(chunk, at);
    at += chunk.length;
    seq = message.seq + 1;
  }
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", data));
  const expected = fromBase64(object.digest.slice("SHA-256=".length));
  if (digest.length !== expected.length || digest.some((byte, i) => byte !== expected[i])) throw changed();
  return data;
}

function save(name, data) {
  const address = URL.createObjectURL(new Blob([data]));
  element("a", undefined, { href: address, download: name.split("/").at(-1) }).click();
  // The browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(address), 60000);
}

// A change that another client makes in between is not overwritten.
let edited = null;
function edit(key, data, revision) {
  byId("put-key").value = key;
  byId("put-value").value = new TextDecoder().decode(data);
  edited = { key, revision };
  byId("put-value").focus();
}

async function store(subject, body, headers) {
  const answer = JSON.parse(new TextDecoder().decode((await session.connection.request(subject, body, headers)).data));
  if (answer.error) throw new Refusal(answer.error.err_code === 10071 ? "Another client has changed this key since you read it. Open it again to see the new value." : answer.error.description, answer.error.code);
  return answer;
}

async function put() {
  const [, name] = JSON.parse(chosen);
  const key = byId("put-key").value.trim();
  if (!/^[-/_=.a-zA-Z0-9]+$/.test(key) || key.startsWith(".") || key.endsWith(".")) throw new Refusal("A key may only contain letters, digits and - / _ = . and must not begin or end with a dot.");
  const headers = edited?.key === key ? [["Nats-Expected-Last-Subject-Sequence", String(edited.revision)]] : [];
  const { seq } = await store(`$KV.${name.slice(3)}.${key}`, byId("put-value").value, headers);
  edited = null;
  byId("put").reset();
  try {
    await list({ name });
  } finally {
    tell(`${key} was stored as revision ${seq}.`);
  }
}

export function prepareBuckets() {
  byId("put").addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(byId("put-go"), put);
  });
}

export function forgetBuckets() {
  chosen = null;
  clear(byId("bucket-table"));
}
