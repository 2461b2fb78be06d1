// Streams and consumers, and messages for users who may read them.
import { buttonIn, byId, bytes, clear, confirmed, count, fill, tell } from "./elements.js";
import { read } from "./live.js";
import { owns, session } from "./session.js";
import { hideMessages, showMessages } from "./messages.js";

let chosen = null;
const streamColumns = [
  ["Stream", (row) => row.name, (row) => row.name],
  ["Account", (row) => row.account, (row) => row.account],
  ["Messages", (row) => row.state.messages, (row) => count(row.state.messages), true],
  ["Bytes", (row) => row.state.bytes, (row) => bytes(row.state.bytes), true],
  ["First", (row) => row.state.first_seq, (row) => String(row.state.first_seq), true],
  ["Last", (row) => row.state.last_seq, (row) => String(row.state.last_seq), true],
  ["Subjects", (row) => row.state.num_subjects ?? 0, (row) => count(row.state.num_subjects ?? 0), true],
  ["Consumers", (row) => row.state.consumer_count, (row) => count(row.state.consumer_count), true],
  ["Lag", (row) => row.lag, (row) => count(row.lag), true],
];
const consumerColumns = [
  ["Consumer", (row) => row.name, (row) => row.name],
  ["Lag", (row) => row.num_pending, (row) => count(row.num_pending), true],
  ["Not acknowledged", (row) => row.num_ack_pending, (row) => count(row.num_ack_pending), true],
  ["Delivered again", (row) => row.num_redelivered, (row) => count(row.num_redelivered), true],
  ["Waiting pulls", (row) => row.num_waiting, (row) => count(row.num_waiting), true],
  ["Delivered to", (row) => row.delivered.stream_seq, (row) => String(row.delivered.stream_seq), true],
  ["Acknowledged to", (row) => row.ack_floor.stream_seq, (row) => String(row.ack_floor.stream_seq), true],
];
const actions = [
  ["Pause", (row) => Number(row.paused ?? false), (row) => (row.paused ? "Resume" : "Pause")],
  ["Pinned", (row) => pinned(row) ?? "", (row) => pinned(row) ?? ""],
];
const streamKey = (row) => JSON.stringify([row.account, row.name]);

/** The streams of all accounts, with the greatest lag of their consumers. */
export async function readStreams(query = "consumers=1") {
  const page = await read(`jsz?${query}&limit=-1`);
  return (page?.account_details ?? []).flatMap((account) => (account.stream_detail ?? []).map((stream) => ({
    ...stream,
    account: account.id,
    lag: Math.max(0, ...(stream.consumer_detail ?? []).map((consumer) => consumer.num_pending)),
  })));
}

export async function showStreams(again) {
  const all = await readStreams();
  byId("no-streams").hidden = all.length > 0;
  const words = byId("stream-filter").value.trim().toLowerCase();
  const rows = all.filter((row) => `${row.name} ${row.account}`.toLowerCase().includes(words));
  fill(byId("stream-table"), streamColumns, rows, streamKey, {
    again,
    decorate: (line, row) => {
      const isChosen = chosen === streamKey(row);
      line.className = isChosen ? "chosen" : "";
      const name = buttonIn(line.cells[0], row.name, () => {
        chosen = chosen === streamKey(row) ? null : streamKey(row);
        again();
      });
      name.setAttribute("aria-expanded", String(isChosen));
      name.setAttribute("aria-controls", "consumer-table");
    },
  });
  const stream = all.find((row) => streamKey(row) === chosen);
  byId("consumers-title").hidden = !stream;
  if (!stream) {
    clear(byId("consumer-table"));
    hideMessages();
    return;
  }
  byId("consumers-title").textContent = `Consumers of ${stream.name}`;
  const isMine = owns(stream.account);
  const table = byId("consumer-table");
  if (table.dataset.acts !== String(isMine)) clear(table);
  table.dataset.acts = String(isMine);
  fill(table, [...consumerColumns, ...(isMine ? actions : [])], stream.consumer_detail ?? [], (row) => row.name, {
    again,
    decorate: (line, row) => {
      if (!isMine) return;
      buttonIn(line.cells[consumerColumns.length], row.paused ? "Resume" : "Pause", () => pause(stream, row, again), `${row.paused ? "Resume" : "Pause"} ${row.name}`);
      const cell = line.cells[consumerColumns.length + 1];
      const group = pinned(row);
      if (group) buttonIn(cell, "Unpin", () => unpin(stream, row, group, again), `Unpin the client of ${row.name}`);
      else if (cell.dataset.made !== undefined) {
        delete cell.dataset.made;
        cell.replaceChildren();
      }
    },
  });
  if (isMine) showMessages(stream, again);
  else hideMessages();
}

// The client that is pinned: the only one that receives the messages of a group.
const pinned = (consumer) => (consumer.priority_groups ?? []).find((group) => group.pinned_client_id)?.group;

async function unpin(stream, consumer, group, again) {
  if (!(await confirmed(`Unpin the client of ${consumer.name}, so that another client of the group ${group} receives the messages?`))) return;
  await session.connection.call(`$JS.API.CONSUMER.UNPIN.${stream.name}.${consumer.name}`, { group });
  tell(`The client of ${consumer.name} in the group ${group} is no longer pinned.`);
  again();
}

const PAUSE_MS = 60 * 60 * 1000;

async function pause(stream, consumer, again) {
  const until = consumer.paused ? undefined : new Date(Date.now() + PAUSE_MS).toISOString();
  if (until && !(await confirmed(`Pause deliveries of the consumer ${consumer.name} for an hour? They can be resumed earlier.`))) return;
  const answer = await session.connection.call(`$JS.API.CONSUMER.PAUSE.${stream.name}.${consumer.name}`, { pause_until: until });
  tell(answer.paused ? `${consumer.name} is paused until ${new Date(answer.pause_until).toLocaleString()}.` : `${consumer.name} was resumed.`);
  again();
}
