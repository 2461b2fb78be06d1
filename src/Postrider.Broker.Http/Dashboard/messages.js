// Messages of a stream: browsed, published, deleted and purged over the connection of the user who signed in.
import { attempt, button, byId, bytes, clear, confirmed, count, element, fill, fromBase64, readable, tell } from "./elements.js";
import { parseHeaders, Refusal } from "./nats.js";
import { session } from "./session.js";

const PAGE = 20;
const MAX_SUBJECTS = 5000;
let stream = null;
let from = 0;
let again = () => {};

export function hideMessages() {
  stream = null;
  byId("messages").hidden = true;
}

/** Shows the messages of a stream. They are read when it is selected, and when a button is pressed. */
export function showMessages(row, refresh) {
  again = refresh;
  const isOther = stream?.name !== row.name;
  stream = row;
  byId("messages").hidden = false;
  if (!isOther) return;
  byId("messages-title").textContent = `Messages of ${row.name}`;
  byId("subjects").open = false;
  byId("message-filter").value = "";
  byId("publish-subject").value = "";
  byId("publish-subject").placeholder = "subject";
  session.connection.call(`$JS.API.STREAM.INFO.${row.name}`).then((info) => {
    byId("publish-subject").placeholder = (info.config.subjects ?? []).join(", ");
  }, () => {});
  newest().catch((failure) => tell(failure.message, true));
}

async function newest() {
  from = Math.max(stream.state.first_seq, stream.state.last_seq - PAGE + 1);
  await list();
}

const subjectColumns = [
  ["Subject", (row) => row.subject, (row) => row.subject],
  ["Messages", (row) => row.messages, (row) => count(row.messages), true],
];

// The subjects of the stream with their messages, read when the list is opened.
async function listSubjects() {
  clear(byId("subject-table"));
  const total = stream.state.num_subjects ?? 0;
  byId("subjects-shown").textContent = total > MAX_SUBJECTS ? `The stream has ${count(total)} subjects, and this page lists at most ${count(MAX_SUBJECTS)}: use postrider stream subjects.` : `${count(total)} in total.`;
  if (total > MAX_SUBJECTS) return;
  const { state } = await session.connection.call(`$JS.API.STREAM.INFO.${stream.name}`, { subjects_filter: ">" });
  const rows = Object.entries(state.subjects ?? {}).map(([subject, messages]) => ({ subject, messages }));
  const show = () => fill(byId("subject-table"), subjectColumns, rows, (row) => row.subject, { again: show });
  show();
}

async function fetchMessage(query) {
  const { message } = await session.connection.call(`$JS.API.STREAM.MSG.GET.${stream.name}`, query);
  return { seq: message.seq, subject: message.subject, time: new Date(message.time), headers: parseHeaders(new TextDecoder().decode(fromBase64(message.hdrs))).headers, data: fromBase64(message.data) };
}

async function list() {
  const filter = byId("message-filter").value.trim() || ">";
  const found = [];
  let seq = Math.max(1, from);
  while (found.length < PAGE) {
    try {
      const message = await fetchMessage({ seq, next_by_subj: filter });
      found.push(message);
      seq = message.seq + 1;
    } catch (failure) {
      if (failure.code === 404) break;
      throw failure;
    }
  }
  const body = byId("message-list");
  body.replaceChildren(...found.map(show));
  byId("messages-shown").textContent = found.length > 0 ? `${found[0].seq} to ${found.at(-1).seq} of ${stream.state.first_seq} to ${stream.state.last_seq}` : "There are no further messages.";
  byId("message-from").value = String(Math.max(1, from));
  byId("messages-on").disabled = found.length < PAGE;
  byId("messages-back").disabled = from <= stream.state.first_seq;
  byId("messages-on").dataset.next = String(seq);
}

function show(message) {
  const line = element("details", undefined, { "data-seq": String(message.seq) });
  const head = element("summary");
  head.append(element("b", String(message.seq)), " ", element("span", message.subject, { class: "subject" }), " ", element("span", `${message.time.toLocaleString()}, ${bytes(message.data.length)}`, { class: "soft" }));
  line.append(head);
  line.addEventListener("toggle", () => {
    if (!line.open || line.children.length > 1) return;
    if (message.headers.length > 0) {
      const fields = element("dl", undefined, { class: "fields" });
      for (const [name, value] of message.headers) fields.append(element("dt", name), element("dd", value));
      line.append(fields);
    }
    line.append(element("pre", readable(message.data), { tabindex: "0" }));
    line.append(button("Delete", async () => {
      const name = stream.name;
      if (!(await confirmed(`Delete message ${message.seq} of ${name} permanently?`))) return;
      await session.connection.call(`$JS.API.STREAM.MSG.DELETE.${name}`, { seq: message.seq });
      line.remove();
      tell(`Message ${message.seq} of ${name} was deleted.`);
      again();
    }));
  });
  return line;
}

async function publish() {
  const subject = byId("publish-subject").value.trim();
  if (!/^[^\s*>]+$/.test(subject)) throw new Refusal("The subject must not contain spaces or wildcards.");
  const headers = byId("publish-headers").value.split("\n").filter((line) => line.trim()).map((line) => {
    const at = line.indexOf(":");
    if (at < 1) throw new Refusal(`"${line}" is not a header: use Name: value, one per line.`);
    return [line.slice(0, at).trim(), line.slice(at + 1).trim()];
  });
  const answer = await session.connection.request(subject, byId("publish-body").value, headers);
  const stored = JSON.parse(new TextDecoder().decode(answer.data) || "{}");
  if (stored.error) throw new Refusal(stored.error.description, stored.error.code);
  tell(stored.stream ? `${stored.duplicate ? "Already stored" : "Stored"} in ${stored.stream} as message ${stored.seq}.` : "Received a reply, but not from a stream.");
  again();
}

async function purge() {
  const name = stream.name;
  if (!(await confirmed(`Remove all messages of ${name} permanently? Type its name.`, name))) return;
  const { purged } = await session.connection.call(`$JS.API.STREAM.PURGE.${name}`);
  byId("message-list").replaceChildren();
  tell(`${purged} messages of ${name} were removed.`);
  again();
}

export function prepareMessages() {
  const turn = (run) => (event) => attempt(event.currentTarget, run);
  byId("messages-newest").addEventListener("click", turn(newest));
  byId("messages-on").addEventListener("click", async (event) => {
    from = Number(event.currentTarget.dataset.next);
    await list().catch((failure) => tell(failure.message, true));
  });
  byId("messages-back").addEventListener("click", async () => {
    from = Math.max(stream.state.first_seq, from - PAGE);
    await list().catch((failure) => tell(failure.message, true));
  });
  byId("message-query").addEventListener("submit", (event) => {
    event.preventDefault();
    from = Math.max(1, Number(byId("message-from").value) || 1);
    list().catch((failure) => tell(failure.message, true));
  });
  byId("subjects").addEventListener("toggle", () => {
    if (byId("subjects").open) listSubjects().catch((failure) => tell(failure.message, true));
  });
  byId("publish").addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(byId("publish-go"), publish);
  });
  byId("purge").addEventListener("click", turn(purge));
}
