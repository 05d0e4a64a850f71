// All that the page shows, and how it is written into the address.

export const OWN = "snapeq";

export function emptyState() {
  return { queries: [{ text: "", dialect: OWN }], events: {}, cursor: 0, wrong: null };
}

/** The part of an address behind #. */
export function toAddress(state) {
  const parts = new URLSearchParams();
  state.queries.forEach(({ text, dialect }, i) => {
    parts.set(`q${i}`, text);
    if (dialect !== OWN) parts.set(`d${i}`, dialect);
  });
  parts.set("events", JSON.stringify(state.events));
  parts.set("at", String(state.cursor));
  if (state.wrong !== null) parts.set("wrong", String(state.wrong));
  return parts.toString();
}

/** What an address says; null if it says nothing, or nothing that can be read. */
export function fromAddress(address) {
  const parts = new URLSearchParams(address.replace(/^#/, ""));
  if (!parts.has("q0")) return null;
  const queries = ["0", "1"].filter((i) => parts.has(`q${i}`));
  try {
    return {
      queries: queries.map((i) => ({ text: parts.get(`q${i}`), dialect: parts.get(`d${i}`) ?? OWN })),
      events: eventsOf(JSON.parse(parts.get("events") ?? "{}")),
      cursor: Number(parts.get("at") ?? 0) || 0,
      wrong: parts.has("wrong") ? Number(parts.get("wrong")) : null,
    };
  } catch {
    return null;
  }
}

function eventsOf(found) {
  for (const events of Object.values(found)) {
    if (!Array.isArray(events) || !events.every(Array.isArray)) throw new Error("no events");
  }
  return found;
}

// An event is its values, its start and its end, which is null if it never ends.
export const startOf = (event) => Number(event.at(-2));
export const endOf = (event) => (event.at(-1) === null ? Infinity : Number(event.at(-1)));
export const valuesOf = (event) => event.slice(0, -2);

export function movedTo(event, start) {
  const length = endOf(event) - startOf(event);
  return [...valuesOf(event), start, length === Infinity ? null : start + length];
}

/** A new event of a stream: the values of the last one, or the simplest there are. */
export function newEvent(stream, events, start) {
  const simple = { int: 1, float: 1, bool: true, str: "a" };
  const last = events.at(-1);
  const values = last ? valuesOf(last) : stream.columns.map(([, type]) => simple[type] ?? null);
  return [...values, start, start + 1];
}
