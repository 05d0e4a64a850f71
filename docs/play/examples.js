// Ready examples, as data: queries with their dialects, events, and where to look. Findings and deviations are generated.

const BIDS = "CREATE STREAM Bid(item TEXT, price INT, ts BIGINT) ORDERED BY ts;\n\n";
const FLINK_BIDS = "CREATE TABLE Bid (item STRING, price INT, ts TIMESTAMP(3),\n  WATERMARK FOR ts AS ts);\n\n";
const own = (text) => ({ text, dialect: "snapeq" });
const bids = (...rows) => rows.map(([item, price, start]) => [item, price, start, start + 1]);
const FOUR = { Bid: bids(["bike", 120, 1], ["lamp", 15, 3], ["bike", 135, 4], ["sofa", 80, 8]) };
const WITH_NULLS = { Bid: bids(["bike", 120, 1], ["lamp", null, 2], [null, 70, 4], ["bike", null, 7], ["bike", 90, 7]) };
const minute = 60000;

export const EXAMPLES = [
  {
    title: "Bids of the last ten instants",
    queries: [own(`${BIDS}SELECT item, COUNT(*) AS bids, SUM(price) AS total\nFROM Bid WINDOW(RANGE 10)\nGROUP BY item`)],
    events: FOUR,
    cursor: 4,
  },
  {
    title: "DISTINCT below and above a window",
    queries: [
      own(`${BIDS}SELECT DISTINCT item\nFROM Bid WINDOW(RANGE 4)`),
      own(`${BIDS}SELECT item\nFROM (SELECT DISTINCT item FROM Bid) AS b WINDOW(RANGE 4)`),
    ],
    events: FOUR,
    cursor: 4,
  },
  {
    title: "A window one instant longer",
    queries: [own(`${BIDS}SELECT DISTINCT item FROM Bid WINDOW(RANGE 10)`), own(`${BIDS}SELECT DISTINCT item FROM Bid WINDOW(RANGE 11)`)],
    events: FOUR,
    cursor: 4,
  },
  {
    title: "A filter before or after the window: the same",
    queries: [
      own(`${BIDS}SELECT item, price FROM Bid WINDOW(RANGE 5) WHERE price > 50`),
      own(`${BIDS}SELECT item, price\nFROM (SELECT item, price FROM Bid WHERE price > 50) AS b WINDOW(RANGE 5)`),
    ],
    events: FOUR,
    cursor: 5,
  },
  {
    title: "Flink: hopping windows",
    queries: [
      {
        dialect: "flink",
        text: `${FLINK_BIDS}SELECT window_end, item, COUNT(*) AS bids, SUM(price) AS total\nFROM TABLE(HOP(TABLE Bid, DESCRIPTOR(ts), INTERVAL '5' MINUTE, INTERVAL '10' MINUTE))\nGROUP BY window_start, window_end, item`,
      },
    ],
    events: { Bid: bids(["bike", 120, minute], ["lamp", 15, 3.5 * minute], ["bike", 135, 5 * minute], ["lamp", 18, 10 * minute], ["bike", 150, 12 * minute]) },
    cursor: 10 * minute - 1,
  },
  {
    title: "The paper: highest bid of the last instants",
    queries: [own(`${BIDS}SELECT item, price FROM Bid WINDOW(RANGE 10)\nWHERE price = (SELECT MAX(price) FROM Bid WINDOW(RANGE 10))`)],
    events: FOUR,
    cursor: 8,
  },
  {
    title: "Sessions that touch",
    queries: [
      own(`${BIDS}SELECT item, session_start, session_end\nFROM Bid WINDOW(PARTITION BY item SESSION 3)`),
      own(`${BIDS}SELECT item, session_start, session_end\nFROM Bid WINDOW(PARTITION BY item SESSION 3 TOUCHING)`),
    ],
    events: FOUR,
    cursor: 4,
  },
  {
    title: "The last two rows, with ties",
    queries: [own(`${BIDS}SELECT item FROM Bid WINDOW(ROWS 2)`), own(`${BIDS}SELECT item FROM Bid WINDOW(ROWS 2 WITH TIES)`)],
    events: { Bid: bids(["bike", 120, 1], ["lamp", 15, 3], ["sofa", 80, 3], ["desk", 60, 3]) },
    cursor: 3,
  },
  {
    title: "COUNT(*) and COUNT(price): NULLs",
    queries: [own(`${BIDS}SELECT item, COUNT(*) AS n FROM Bid WINDOW(RANGE 5) GROUP BY item`), own(`${BIDS}SELECT item, COUNT(price) AS n FROM Bid WINDOW(RANGE 5) GROUP BY item`)],
    events: { Bid: bids(["bike", 120, 1], ["bike", null, 3]) },
    cursor: 3,
  },
  {
    title: "Two streams: a join",
    queries: [own(`${BIDS}CREATE STREAM Sale(item TEXT, ts BIGINT) ORDERED BY ts;\n\nSELECT Bid.item, price FROM Bid WINDOW(RANGE 5), Sale WINDOW(RANGE 2)\nWHERE Bid.item = Sale.item`)],
    events: { ...FOUR, Sale: [["bike", 6, 7], ["lamp", 9, 10]] },
    cursor: 6,
  },
  {
    title: "Finding: a join of two streams that matches NULLs",
    queries: ["b.item = s.item", "b.item IS NOT DISTINCT FROM s.item"].map((condition) =>
      own(`${BIDS}CREATE STREAM Sale(item TEXT, ts BIGINT) ORDERED BY ts;\n\nSELECT b.item, price\nFROM Bid WINDOW(RANGE 5) AS b, Sale WINDOW(RANGE 5) AS s\nWHERE ${condition}`)),
    events: { ...WITH_NULLS, Sale: [["bike", 3, 4], [null, 5, 6]] },
    cursor: 5,
  },
];
