// Requests and answers, a line of JSON each, as docs/protocol.md says.
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

export class Unsupported extends Error {}

/** A package in the folder that the command names. */
export const installed = (name) => import(createRequire(`${process.argv[2]}/`).resolve(name));

/** Answer requests with what `run` gives, until nobody asks any more. */
export async function serve(hello, run) {
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim()) process.stdout.write(JSON.stringify(await answer(JSON.parse(line), hello, run)) + '\n');
  }
}

async function answer(request, hello, run) {
  const { id } = request;
  if (request.do === 'hello') return { id, protocol: 1, ...hello };
  if (request.do !== 'run') return { id, error: `unknown request ${request.do}` };
  try {
    return { id, kind: request.result, rows: await run(request) };
  } catch (error) {
    return error instanceof Unsupported ? { id, unsupported: error.message } : { id, error: `${error.stack}` };
  }
}
