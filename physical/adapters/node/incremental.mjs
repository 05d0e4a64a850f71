// @electric-sql/d2ts and @tanstack/db-ivm: operators over collections that change, driven instant by instant.
import { AGGREGATES } from './aggregates.mjs';
import { Changes, changesOf } from './changes.mjs';
import { OPERATORS, pipeline } from './plans.mjs';
import { installed, serve } from './protocol.mjs';
import { EXPRESSIONS } from './values.mjs';

const name = process.argv[3];
const versioned = name === '@electric-sql/d2ts'; // the other one takes changes without a time
const lib = await installed(name);

const hello = {
  ...{ engine: name, operators: OPERATORS, expressions: EXPRESSIONS, aggregates: AGGREGATES },
  ...{ types: ['int', 'bool', 'str'], inputs: 'intervals', results: ['retract'], latest: 100000 },
};

await serve(hello, ({ plan, streams, horizon }) => {
  const graph = versioned ? new lib.D2({ initialFrontier: 0 }) : new lib.D2();
  const feeds = [{ input: graph.newInput(), changes: [[0, null, 1]] }];
  const source = (node, window) => {
    const changes = [...changesOf(streams[node.name], window, horizon ?? Infinity)];
    feeds.push({ input: graph.newInput(), changes });
    return feeds.at(-1).input;
  };
  const out = new Changes();
  const collect = (collection) => collection.getInner().forEach(([row, n]) => out.add(row, n));
  const take = lib.output((message) => {
    if (!versioned) collect(message);
    else if (message.data.collection) collect(message.data.collection);
  });
  pipeline(lib, plan, source, feeds[0].input).pipe(take);
  graph.finalize();
  return run(graph, feeds, out);
});

function run(graph, feeds, out) {
  const instants = [...new Set(feeds.flatMap(({ changes }) => changes.map(([t]) => t)))].sort((a, b) => a - b);
  return instants.flatMap((instant) => {
    for (const { input, changes } of feeds) {
      const now = changes.filter(([t]) => t === instant).map(([, row, n]) => [row, n]);
      if (now.length) input.sendData(...(versioned ? [instant] : []), new lib.MultiSet(now));
      if (versioned) input.sendFrontier(instant + 1);
    }
    graph.run();
    return [...out.written(instant)];
  });
}
