// The page: what people do changes the state, the state is shown and written into the address.
import { element } from "./elements.js";
import { EXAMPLES as WRITTEN } from "./examples.js";
import { EXAMPLES as GENERATED } from "./generated.js";
import { Python } from "./python.js";
import { showSnapshots } from "./snapshots.js";
import { emptyState, fromAddress, movedTo, newEvent, startOf, toAddress } from "./state.js";
import { showTables } from "./table.js";
import { showTime } from "./times.js";
import { Timeline } from "./timeline.js";

const DIALECTS = "snapeq flink spark risingwave materialize feldera arroyo ksqldb calcite duckdb postgres cql".split(" ");
const NAMES = ["A", "B"];
const EXAMPLES = [...WRITTEN, ...GENERATED];
const find = (selector) => document.querySelector(selector);
const python = new Python();
const timeline = new Timeline(find("#timeline"), {
  add: (stream, instant) => changeEvents(stream, (events) => [...events, newEvent(stream, events, instant)]),
  move: (stream, index, instant) => changeEvents(stream, (events) => events.with(index, movedTo(events[index], instant))),
  remove: (stream, index) => changeEvents(stream, (events) => events.toSpliced(index, 1)),
  look,
});

let state = emptyState();
let results = []; // what the last run of each query gave

function start() {
  find("#examples").append(element("option", { value: "" }, "choose …"), ...exampleGroups());
  find("#examples").addEventListener("change", ({ target }) => target.value && show(fromExample(EXAMPLES[target.value])));
  NAMES.forEach((_, i) => queryPart(i));
  find("#second").addEventListener("click", toggleSecond);
  find("#compare").addEventListener("click", compareOrStop);
  find("#cursor").addEventListener("input", ({ target }) => look(Number(target.value)));
  find("#share").addEventListener("click", share);
  window.addEventListener("hashchange", () => location.hash.slice(1) !== toAddress(state) && show(fromHere()));
  show(fromHere());
}

/** The examples by what their titles begin with: findings and deviations are many. */
function exampleGroups() {
  const groups = Map.groupBy(EXAMPLES.map(({ title }, i) => ({ title, i })), ({ title }) => /^(Finding|Deviation): /.exec(title)?.[1] ?? "Query");
  return [...groups].map(([kind, found]) =>
    element("optgroup", { label: { Query: "Queries", Finding: "Findings in engines", Deviation: "Deviations" }[kind] },
      ...found.map(({ title, i }) => element("option", { value: i }, title))));
}

/** What the address says; else the first example. */
function fromHere() {
  return fromAddress(location.hash) ?? fromExample(EXAMPLES[0]);
}

function fromExample({ queries, events, cursor = 0 }) {
  return { ...emptyState(), queries: structuredClone(queries), events: structuredClone(events), cursor };
}

function queryPart(i) {
  const part = find(`#query-${i}`);
  part.querySelector(".dialect").append(...DIALECTS.map((name) => element("option", {}, name)));
  part.querySelector(".dialect").addEventListener("change", ({ target }) => changeQuery(i, { dialect: target.value }));
  part.querySelector(".text").addEventListener("input", ({ target }) => changeQuery(i, { text: target.value }));
}

/** Show a whole state: from an example, a link, or a counterexample. */
function show(next) {
  state = next;
  results = [];
  state.queries.forEach(({ text, dialect }, i) => {
    find(`#query-${i} .text`).value = text;
    find(`#query-${i} .dialect`).value = dialect;
  });
  forgetVerdict();
  changed();
}

function changeQuery(i, change) {
  Object.assign(state.queries[i], change);
  state.wrong = null;
  forgetVerdict();
  changed();
}

function changeEvents({ name }, change) {
  state.events[name] = change(state.events[name] ?? []);
  state.wrong = null;
  changed();
}

function toggleSecond() {
  if (state.queries.length > 1) state.queries.pop();
  else state.queries.push({ ...state.queries[0] });
  show(state);
}

function changed() {
  const second = state.queries.length > 1;
  find("#query-1").hidden = !second;
  find("#compare").hidden = !second;
  find("#limits").hidden = !second;
  find("#second").textContent = second ? "Remove query B" : "Add a second query";
  history.replaceState(null, "", `#${toAddress(state)}`);
  draw();
  state.queries.forEach((query, i) => run(query, i));
}

async function run(query, i) {
  const answer = await python.ask(`run ${i}`, { do: "run", query, events: state.events });
  if (answer === null || state.queries[i] !== query) return;
  find("#status").textContent = "Ready";
  const part = find(`#query-${i}`);
  part.querySelector(".error").textContent = answer.error?.message ?? "";
  part.querySelector(".text").classList.toggle("wrong", Boolean(answer.error));
  if (!answer.error) results[i] = answer;
  document.body.dataset.ran = String(Number(document.body.dataset.ran ?? 0) + 1);
  draw();
}

/** Every stream of all queries once, with its events. */
function streams() {
  const found = new Map();
  for (const result of results.slice(0, state.queries.length)) {
    for (const stream of result?.streams ?? []) found.set(stream.name, stream);
  }
  return [...found.values()].map((stream) => ({ ...stream, events: state.events[stream.name] ?? [], clock: stream.dated ? stream : null }));
}

function draw() {
  const shown = streams();
  const clock = shown.find((stream) => stream.clock)?.clock ?? null;
  const plans = results.slice(0, state.queries.length).flatMap((result, i) => (result ? [{ title: titleOf(i), ...result }] : []));
  const bars = plans.map(({ title, operators, horizon }) => ({ title, horizon, runs: operators.at(-1).runs }));
  timeline.show({ streams: shown, results: bars, clock, cursor: state.cursor, wrong: state.wrong });
  showTables(find("#tables"), shown, {
    add: (stream) => changeEvents(stream, (events) => [...events, newEvent(stream, events, nextInstant(events))]),
    change: (stream, index, event) => changeEvents(stream, (events) => events.with(index, event)),
    remove: (stream, index) => changeEvents(stream, (events) => events.toSpliced(index, 1)),
  });
  drawCursor(clock);
}

const titleOf = (i) => (state.queries.length > 1 ? `Result of ${NAMES[i]}` : "Result");
const nextInstant = (events) => (events.length ? Math.max(...events.map(startOf)) + timeline.step : 0);

function look(instant) {
  state.cursor = instant;
  history.replaceState(null, "", `#${toAddress(state)}`);
  timeline.look(instant);
  drawCursor(timeline.clock);
}

function drawCursor(clock) {
  const { from, to } = timeline.range;
  const text = showTime(state.cursor, clock);
  Object.assign(find("#cursor"), { min: from, max: to - 1, step: 1, value: state.cursor });
  find("#cursor").setAttribute("aria-valuetext", text);
  find("#instant").textContent = find("#snapshot-at").textContent = text;
  const plans = results.slice(0, state.queries.length).flatMap((result, i) => (result ? [{ title: `Query ${NAMES[i]}`, operators: result.operators }] : []));
  showSnapshots(find("#snapshots"), plans, state.cursor);
}

function forgetVerdict() {
  find("#verdict").textContent = find("#verdict").className = "";
  find("#explanation").hidden = find("#use-case").hidden = true;
}

let comparing = false;

async function compareOrStop() {
  if (comparing) {
    python.start();
    return changed();
  }
  comparing = true;
  find("#compare").textContent = "Stop";
  await compare();
  comparing = false;
  find("#compare").textContent = "Compare A and B";
}

async function compare() {
  forgetVerdict();
  find("#verdict").textContent = "Comparing …";
  const asked = toAddress({ ...state, events: {}, cursor: 0, wrong: null });
  const answer = await python.ask("compare", { do: "compare", queries: state.queries });
  if (answer === null || asked !== toAddress({ ...state, events: {}, cursor: 0, wrong: null })) return forgetVerdict();
  find("#verdict").className = answer.error ? "refuted" : answer.kind;
  find("#verdict").textContent = answer.error?.message ?? answer.headline;
  find("#explanation").textContent = answer.text ?? "";
  find("#explanation").hidden = !answer.text || answer.text === answer.kind;
  find("#use-case").hidden = !answer.case;
  find("#use-case").onclick = () => useCase(answer.case);
}

/** The smallest case instead of the events, with the cursor where it goes wrong. */
function useCase({ events, instant }) {
  state.events = events;
  state.cursor = state.wrong = Number(instant);
  changed();
}

async function share() {
  const button = find("#share");
  try {
    await navigator.clipboard.writeText(location.href);
    button.textContent = "Copied";
  } catch {
    button.textContent = "Copy the address of this page";
  }
  setTimeout(() => (button.textContent = "Copy link"), 2000);
}

start();
