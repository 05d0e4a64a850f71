// Python in a thread of its own: the page stays alive while a query is evaluated.
import { loadPyodide } from "./pyodide/pyodide.mjs";

const ready = start();

async function start() {
  const [python, archive] = await Promise.all([
    loadPyodide({ indexURL: new URL("./pyodide/", import.meta.url).href }),
    fetch(new URL("./python.zip", import.meta.url)).then((answer) => answer.arrayBuffer()),
  ]);
  python.unpackArchive(archive, "zip", { extractDir: "/snapeq" });
  python.runPython("import sys; sys.path.insert(0, '/snapeq'); from docs.play.answers import answer");
  return python.globals.get("answer");
}

self.onmessage = async ({ data: { id, request } }) => {
  try {
    const answer = await ready;
    self.postMessage({ id, answer: answer(JSON.stringify(request)) });
  } catch (error) {
    self.postMessage({ id, answer: JSON.stringify({ error: { message: lastLine(error) } }) });
  }
};

function lastLine(error) {
  return String(error.message ?? error).trim().split("\n").pop();
}
