// The page: everything it shows comes from the API, as events.

import { drawGraph, highlight, showFigures } from "./graph.js";
import { drawTimeline } from "./timeline.js";

const HELD_RESULTS = 2000;
const find = id => document.getElementById(id);
const page = { sample: null, graph: { nodes: [], edges: [] }, drawn: new Map(), shape: "", chosen: "", about: null, results: [], events: null };

async function call(method, path, body) {
  const options = { method, headers: { "Content-Type": "application/json" } };
  if (body !== undefined) options.body = JSON.stringify(body);
  const answer = await fetch(`api${path}`, options);
  const document = await answer.json();
  if (!answer.ok) throw Object.assign(new Error(document.error.message), { about: document.error });
  return document;
}

const number = value => value === null || value === undefined ? "–" : Number(value).toLocaleString("en");
const instant = value => value === null ? "ended" : number(value);

// What the system says of itself, every second.

function watch() {
  const events = new EventSource("api/events");
  events.onmessage = event => show(JSON.parse(event.data));
  events.onerror = () => {
    find("about").textContent = "the connection is lost; trying again …";
    find("about").className = "lost";
  };
}

async function show(sample) {
  page.sample = sample;
  showAbout(sample);
  showStreams(sample.streams);
  showQueries(sample.queries);
  showTrouble(sample);
  const shape = JSON.stringify(sample.operators.map(operator => operator.id)) + sample.queries.map(query => query.name + query.optimised);
  if (shape !== page.shape) {
    page.shape = shape;
    page.graph = await call("GET", "/graph");
    page.drawn = drawGraph(find("graph"), page.graph, chooseNode);
    highlight(find("graph"), page.drawn, page.graph, page.chosen);
  }
  showFigures(find("graph"), page.drawn, figures(sample));
  if (sample.engine === "dataflow") showNet();
}

function showAbout(sample) {
  const strategy = sample.strategy ? `, ${sample.strategy}` : "";
  const limit = Math.round(sample.state.limit / 2 ** 20);
  const held = sample.state.elements;
  const state = `${number(held)} ${held === 1 ? "element" : "elements"} held (limit ${number(limit)} MB)`;
  const folder = sample.state_folder ? `, checkpoints in ${sample.state_folder}` : "";
  find("about").textContent = `engine ${sample.engine}${strategy}, slack ${sample.slack}, ${state}${folder}`;
  find("about").className = "";
}

function row(cells) {
  const made = document.createElement("tr");
  for (const cell of cells) {
    const place = document.createElement("td");
    if (cell instanceof Node) place.append(cell); else place.textContent = cell;
    made.append(place);
  }
  return made;
}

function showStreams(streams) {
  const rows = streams.map(stream => {
    const made = row([stream.name, number(stream.elements), number(stream.rate), instant(stream.heartbeat), number(stream.late), number(stream.bad)]);
    made.title = stream.columns.map(column => `${column.name} ${column.type}`).join(", ");
    made.children[4].classList.toggle("warn", stream.late > 0);
    made.children[5].classList.toggle("warn", stream.bad > 0);
    return made;
  });
  find("streams").tBodies[0].replaceChildren(...rows);
}

// Rows stay the same elements while they are shown, so that the keyboard does not lose its place.
function showQueries(queries) {
  const body = find("queries").tBodies[0];
  const known = new Map([...body.rows].map(made => [made.dataset.query, made]));
  const rows = queries.map(query => {
    const made = known.get(query.name) ?? queryRow(query.name);
    [number(query.results), number(query.rate), instant(query.complete), number(query.lag)].forEach((text, i) => {
      if (made.children[i + 1].textContent !== text) made.children[i + 1].textContent = text;
    });
    made.classList.toggle("chosen", query.name === page.chosen);
    return made;
  });
  if (rows.length !== body.rows.length || rows.some((made, i) => body.rows[i] !== made)) body.replaceChildren(...rows);
  find("no-queries").hidden = queries.length > 0;
}

function queryRow(name) {
  const open = button(name, "link", () => choose(name === page.chosen ? "" : name));
  const made = row([open, "", "", "", "", button("Remove", "danger", () => remove(name), `Remove ${name}`)]);
  made.dataset.query = name;
  return made;
}

function button(text, kind, action, label = "") {
  const made = document.createElement("button");
  Object.assign(made, { type: "button", textContent: text, className: kind, onclick: action });
  if (label) made.setAttribute("aria-label", label);
  return made;
}

function showTrouble(sample) {
  find("trouble").hidden = !sample.bad_lines.length && !sample.problems.length && !sample.checkpoint_problem;
  const problems = sample.checkpoint_problem ? [...sample.problems, `no checkpoints: ${sample.checkpoint_problem}`] : sample.problems;
  find("problems").replaceChildren(...problems.map(text => Object.assign(document.createElement("li"), { textContent: text })));
  find("bad").hidden = !sample.bad_lines.length;
  find("bad").tBodies[0].replaceChildren(...sample.bad_lines.toReversed().map(bad => row([bad.stream, bad.line, bad.reason])));
}

// The lines inside the boxes of the graph.
function figures(sample) {
  const found = new Map();
  for (const operator of sample.operators) {
    const rate = operator.rate === undefined ? "" : `${number(operator.rate)}/s · `;
    const heartbeat = operator.heartbeat === undefined ? "" : ` · ♥ ${instant(operator.heartbeat)}`;
    found.set(operator.id, { line: `${rate}${number(operator.state)} held${heartbeat}`, busy: operator.out_rate > 0 });
  }
  for (const query of sample.queries) {
    found.set(`query ${query.name}`, { line: `${number(query.results)} · ${number(query.rate)}/s · lag ${number(query.lag)}`, busy: false });
  }
  return found;
}

async function showNet() {
  const { svg } = await call("GET", "/net");
  find("net-section").hidden = !svg;
  find("net").innerHTML = svg;
}

// One query: its plans, its results, and what can be done with it.

function chooseNode(node) {
  if (node.kind === "query") choose(node.label);
  else highlight(find("graph"), page.drawn, page.graph, node.queries[0] ?? "");
}

async function choose(name) {
  page.events?.close();
  Object.assign(page, { chosen: name, results: [], events: null });
  find("detail").hidden = !name;
  find("action-message").textContent = "";
  highlight(find("graph"), page.drawn, page.graph, name);
  for (const made of find("queries").tBodies[0].rows) made.classList.toggle("chosen", made.dataset.query === name);
  if (!name) return;
  showQuery(await call("GET", `/queries/${encodeURIComponent(name)}`));
  drawTimeline(find("timeline"), page.about.columns, []);
  page.events = new EventSource(`api/queries/${encodeURIComponent(name)}/events`);
  page.events.onmessage = event => take(JSON.parse(event.data));
}

function showQuery(about) {
  page.about = { ...about, columns: about.columns.map(column => column.name) };
  find("detail-title").textContent = about.name;
  find("detail-sql").textContent = about.sql;
  find("plan-before").textContent = about.plan.join("\n");
  find("plan-after").textContent = about.optimised.join("\n");
  const costs = about.steps.length ? [`cost ${about.original_cost.toPrecision(3)} → ${about.cost.toPrecision(3)}`] : ["as asked: nothing is cheaper"];
  const lines = [...costs, ...about.steps.map(step => `by ${step}`)];
  find("steps").replaceChildren(...lines.map(text => Object.assign(document.createElement("li"), { textContent: text })));
}

function take(event) {
  if (event.closed) { choose(""); return; }
  page.results = [...page.results, ...(event.rows ?? [])].slice(-HELD_RESULTS);
  drawTimeline(find("timeline"), page.about.columns, page.results);
}

async function remove(name) {
  try { await call("DELETE", `/queries/${encodeURIComponent(name)}`); } catch (error) { find("action-message").textContent = error.message; }
}

async function migrate() {
  try {
    const about = await call("POST", `/queries/${encodeURIComponent(page.chosen)}/migrate`);
    showQuery(about);
    find("action-message").textContent = about.takes_over === null ? "The best plan known runs already." : `The new plan takes over at instant ${about.takes_over}.`;
  } catch (error) { find("action-message").textContent = error.message; }
}

// The editor: every change is checked, and an error is shown where it is.

let asked = 0;
let waiting = 0;

function changed() {
  clearTimeout(waiting);
  waiting = setTimeout(check, 250);
  mark(null);
}

async function check() {
  const sql = find("sql").value, mine = ++asked;
  if (!sql.trim()) { say("", false); return; }
  try {
    const found = await call("POST", "/check", { sql });
    if (mine !== asked) return;
    mark(null);
    const steps = found.steps.length ? `; the optimizer applies ${found.steps.join(", ")}` : "";
    say(`gives ${found.columns.map(column => `${column.name} ${column.type}`).join(", ")}${steps}`, false);
  } catch (error) {
    if (mine !== asked) return;
    mark(error.about);
    say(error.message, true);
  }
}

function say(text, wrong) {
  find("verdict").textContent = text;
  find("verdict").className = wrong ? "wrong" : "";
  find("sql").closest(".code").classList.toggle("wrong", wrong);
  find("sql").setAttribute("aria-invalid", String(wrong));
}

// Underline the word at a line and column, behind the text.
function mark(error) {
  const sql = find("sql").value, marks = find("marks");
  if (!error?.line) { marks.replaceChildren(); return; }
  const before = sql.split("\n").slice(0, error.line - 1).reduce((sum, line) => sum + line.length + 1, 0) + error.column - 1;
  const word = /^[\w.]+|^./.exec(sql.slice(before))?.[0] ?? " ";
  const marked = document.createElement("mark");
  marked.textContent = word;
  marks.replaceChildren(sql.slice(0, before), marked, sql.slice(before + word.length));
}

// A name for a query that was given none.
function freeName() {
  const taken = new Set(page.sample?.queries.map(query => query.name));
  let i = 1;
  while (taken.has(`query${i}`)) i += 1;
  return `query${i}`;
}

async function start(event) {
  event.preventDefault();
  clearTimeout(waiting);
  asked += 1; // a check under way must not hide what becomes of the start
  try {
    const name = find("name").value.trim() || freeName();
    await call("POST", "/queries", { name, sql: find("sql").value });
    say(`${name} is running`, false);
    find("name").value = "";
    await choose(name);
  } catch (error) {
    mark(error.about);
    say(error.message, true);
  }
}

function showTheme(theme) {
  document.documentElement.dataset.theme = theme;
  localStorage.setItem("theme", theme);
}

const preferred = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
showTheme(localStorage.getItem("theme") ?? preferred);
find("theme").onclick = () => showTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark");
find("editor").addEventListener("submit", start);
find("sql").addEventListener("input", changed);
find("sql").addEventListener("scroll", () => { find("marks").scrollTop = find("sql").scrollTop; });
find("sql").addEventListener("keydown", event => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) find("editor").requestSubmit();
});
find("migrate").onclick = migrate;
find("remove").onclick = () => remove(page.chosen);
watch();
