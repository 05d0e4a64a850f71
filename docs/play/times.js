// Instants as people read them, and steps that look even.

const EVEN = [1, 2, 5];
const OF_CLOCKS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400].map((s) => s * 1000);

/** The smallest even step that is not below the wish; for dates in milliseconds it is one of clocks. */
export function evenStep(wish, clock) {
  if (clock && wish > 500) {
    const instants = OF_CLOCKS.map((ms) => ms / clock.milliseconds).filter((step) => step >= 1);
    return instants.find((step) => step >= wish) ?? evenStep(wish / 86400000, null) * 86400000;
  }
  for (let power = 1; ; power *= 10) {
    const found = EVEN.map((n) => n * power).find((step) => step >= wish);
    if (found) return found;
  }
}

/** An instant as text: a number, or a time of day, with its date unless that is the first of all. */
export function showTime(instant, clock) {
  if (instant === Infinity) return "∞";
  if (!clock) return String(instant);
  const date = new Date(instant * clock.milliseconds);
  if (Number.isNaN(date.getTime())) return String(instant);
  const [day, rest] = date.toISOString().slice(0, -1).split("T");
  const time = rest.endsWith(".000") ? rest.slice(0, -4) : rest;
  return day === "1970-01-01" ? time : `${day} ${time}`;
}

/** The instant that a text means, or null. */
export function readTime(text, clock) {
  const plain = text.trim();
  if (/^\d+$/.test(plain)) return Number(plain);
  if (!clock) return null;
  const full = /^\d\d:\d\d/.test(plain) ? `1970-01-01T${plain}` : plain.replace(" ", "T");
  const milliseconds = Date.parse(`${full}Z`);
  return Number.isNaN(milliseconds) || milliseconds < 0 ? null : Math.round(milliseconds / clock.milliseconds);
}
