CREATE TABLE Bid (
  item  STRING,
  price INT,
  ts    TIMESTAMP(3),
  WATERMARK FOR ts AS ts
);

SELECT window_end, item, COUNT(*) AS bids, SUM(price) AS total
FROM TABLE(HOP(TABLE Bid, DESCRIPTOR(ts), INTERVAL '5' MINUTE, INTERVAL '10' MINUTE))
GROUP BY window_start, window_end, item
