-- schema
CREATE SOURCE person (id BIGINT, name VARCHAR, city VARCHAR, state VARCHAR, date_time TIMESTAMP,
    WATERMARK FOR date_time AS date_time - INTERVAL '4 seconds') WITH (connector = 'nexmark') FORMAT PLAIN ENCODE JSON;
CREATE SOURCE auction (id BIGINT, item_name VARCHAR, date_time TIMESTAMP, expires TIMESTAMP, seller BIGINT,
    category BIGINT, WATERMARK FOR date_time AS date_time - INTERVAL '4 seconds') WITH (connector = 'nexmark');
CREATE SOURCE bid (auction BIGINT, bidder BIGINT, price BIGINT, channel VARCHAR, url VARCHAR, date_time TIMESTAMP,
    WATERMARK FOR date_time AS date_time - INTERVAL '4 seconds') WITH (connector = 'nexmark');
-- q1
CREATE MATERIALIZED VIEW v AS SELECT auction, bidder, 0.908 * price AS price, date_time FROM bid;
-- q4
CREATE MATERIALIZED VIEW v AS SELECT q.category, AVG(q.final) AS mean FROM (
    SELECT MAX(b.price) AS final, a.category FROM auction a, bid b
    WHERE a.id = b.auction AND b.date_time BETWEEN a.date_time AND a.expires GROUP BY a.id, a.category) q
GROUP BY q.category;
-- q5
CREATE MATERIALIZED VIEW v AS SELECT counted.auction, counted.num FROM (
    SELECT bid.auction, count(*) AS num, window_start AS starttime
    FROM HOP(bid, date_time, INTERVAL '2' SECOND, INTERVAL '10' SECOND) AS bid
    GROUP BY window_start, bid.auction) AS counted
JOIN (
    SELECT max(each.num) AS most, each.starttime AS starttime FROM (
        SELECT count(*) AS num, window_start AS starttime
        FROM HOP(bid, date_time, INTERVAL '2' SECOND, INTERVAL '10' SECOND) AS bid
        GROUP BY bid.auction, window_start) AS each
    GROUP BY each.starttime) AS best
ON counted.starttime = best.starttime AND counted.num >= best.most;
-- q7
CREATE MATERIALIZED VIEW v AS SELECT b.auction, b.price, b.bidder, b.date_time FROM bid b JOIN (
    SELECT MAX(price) AS most, window_end AS date_time FROM TUMBLE(bid, date_time, INTERVAL '10' SECOND)
    GROUP BY window_end) b1
ON b.price = b1.most WHERE b.date_time BETWEEN b1.date_time - INTERVAL '10' SECOND AND b1.date_time;
-- q8
CREATE MATERIALIZED VIEW v AS SELECT p.id, p.name, p.starttime FROM (
    SELECT id, name, window_start AS starttime, window_end AS endtime
    FROM TUMBLE(person, date_time, INTERVAL '10' SECOND) GROUP BY id, name, window_start, window_end) p
JOIN (
    SELECT seller, window_start AS starttime, window_end AS endtime
    FROM TUMBLE(auction, date_time, INTERVAL '10' SECOND) GROUP BY seller, window_start, window_end) a
ON p.id = a.seller AND p.starttime = a.starttime AND p.endtime = a.endtime;
-- q9
CREATE MATERIALIZED VIEW v AS SELECT id, item_name, auction, bidder, price FROM (
    SELECT a.id, a.item_name, b.auction, b.bidder, b.price,
           ROW_NUMBER() OVER (PARTITION BY a.id ORDER BY b.price DESC, b.date_time ASC) AS rownum
    FROM auction a, bid b WHERE a.id = b.auction AND b.date_time BETWEEN a.date_time AND a.expires) tmp
WHERE rownum <= 1;
-- q17
CREATE MATERIALIZED VIEW v AS SELECT auction, TO_CHAR(date_time, 'YYYY-MM-DD') AS day_, count(*) AS total_bids,
    count(*) FILTER (WHERE price < 10000) AS rank1_bids, min(price) AS min_price FROM bid
GROUP BY auction, TO_CHAR(date_time, 'YYYY-MM-DD');
-- q18
CREATE MATERIALIZED VIEW v AS SELECT auction, bidder, price FROM (
    SELECT *, ROW_NUMBER() OVER (PARTITION BY bidder, auction ORDER BY date_time DESC) AS rank_number FROM bid) x
WHERE rank_number <= 1;
