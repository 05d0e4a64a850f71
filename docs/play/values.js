// Values as people type and read them.

export function showValue(value) {
  return Array.isArray(value) ? `[${value.map(showValue).join(", ")}]` : value === null ? "null" : String(value);
}

/** A row as text; an empty text would not be seen. */
export const showRow = (values) => `(${values.map((value) => (value === "" ? "''" : showValue(value))).join(", ")})`;

/** What somebody typed into a column of this type: nothing is NULL, but of a text it is the empty one. */
export function readValue(text, type) {
  if (text === "null" || (text === "" && type !== "str")) return null;
  if (type === "int") return /^-?\d+$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : text;
  if (type === "float") return text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
  if (type === "bool") return text === "true" ? true : text === "false" ? false : text;
  return text;
}
