-- schema
CREATE TABLE bid (auction BIGINT, bidder BIGINT, price BIGINT, channel TEXT, url TEXT, datetime TIMESTAMP)
    WITH (connector = 'nexmark', event_time_field = 'datetime');
-- q1
SELECT auction, bidder, price * 100 / 121 AS price, datetime FROM bid;
-- q2
SELECT auction, price FROM bid WHERE auction % 123 = 0;
-- q5
WITH bids AS (SELECT auction, count(*) AS num, hop(interval '2 seconds', interval '10 seconds') AS window
              FROM bid GROUP BY 1, window)
SELECT auction, num FROM (
    SELECT auction, num, ROW_NUMBER() OVER (PARTITION BY window.start, window.end ORDER BY num DESC) AS row_num FROM bids) AS t
WHERE row_num <= 1;
-- q11
SELECT bidder, count(*) AS bids, session(interval '10 seconds') AS window FROM bid GROUP BY bidder, window;
