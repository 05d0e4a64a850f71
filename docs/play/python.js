// Questions to Python. Of several questions of one kind that wait, only the newest is asked.

export class Python {
  constructor() {
    this.waiting = new Map();
    this.number = 0;
    this.start();
  }

  /** Start anew; what is being computed is given up. */
  start() {
    this.worker?.terminate();
    this.busy?.resolve(null);
    this.busy = null;
    this.worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    this.worker.onmessage = ({ data }) => this.#answered(data);
  }

  /** The answer to a request; null if a newer one of the same kind has taken its place. */
  ask(kind, request) {
    return new Promise((resolve) => {
      this.waiting.get(kind)?.resolve(null);
      this.waiting.set(kind, { request, resolve });
      this.#next();
    });
  }

  #next() {
    const [first] = this.waiting;
    if (this.busy || !first) return;
    const [kind, { request, resolve }] = first;
    this.waiting.delete(kind);
    this.number += 1;
    this.busy = { id: this.number, resolve };
    this.worker.postMessage({ id: this.number, request });
  }

  #answered({ id, answer }) {
    if (this.busy?.id !== id) return;
    const { resolve } = this.busy;
    this.busy = null;
    resolve(JSON.parse(answer));
    this.#next();
  }
}
