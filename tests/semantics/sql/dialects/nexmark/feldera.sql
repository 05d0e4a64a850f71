-- schema
CREATE TABLE person (id BIGINT NOT NULL PRIMARY KEY, name VARCHAR, state VARCHAR,
    date_time TIMESTAMP(3) NOT NULL LATENESS INTERVAL 4 SECONDS);
CREATE TABLE auction (id BIGINT NOT NULL PRIMARY KEY, itemName VARCHAR, seller BIGINT, category BIGINT,
    date_time TIMESTAMP(3) NOT NULL LATENESS INTERVAL 4 SECONDS, expires TIMESTAMP(3));
CREATE TABLE bid (auction BIGINT, bidder BIGINT, price BIGINT, date_time TIMESTAMP(3) NOT NULL LATENESS INTERVAL 4 SECONDS);
-- q3
CREATE VIEW q3 AS SELECT p.name, p.state, a.id FROM auction AS a INNER JOIN person AS p ON a.seller = p.id
WHERE a.category = 10 AND (p.state = 'OR' OR p.state = 'ID' OR p.state = 'CA');
-- q5
CREATE VIEW q5 AS SELECT counted.auction, counted.num FROM (
    SELECT b1.auction, count(*) AS num, HOP_START(b1.date_time, INTERVAL '2' SECOND, INTERVAL '10' SECOND) AS starttime
    FROM bid b1 GROUP BY b1.auction, HOP(b1.date_time, INTERVAL '2' SECOND, INTERVAL '10' SECOND)) AS counted
JOIN (
    SELECT max(each.num) AS most, each.starttime FROM (
        SELECT count(*) AS num, HOP_START(b2.date_time, INTERVAL '2' SECOND, INTERVAL '10' SECOND) AS starttime
        FROM bid b2 GROUP BY b2.auction, HOP(b2.date_time, INTERVAL '2' SECOND, INTERVAL '10' SECOND)) AS each
    GROUP BY each.starttime) AS best
ON counted.starttime = best.starttime AND counted.num >= best.most;
-- q8
CREATE VIEW q8 AS SELECT p.id, p.name, p.starttime FROM (
    SELECT id, name, TUMBLE_START(date_time, INTERVAL '10' SECOND) AS starttime FROM person
    GROUP BY id, name, TUMBLE(date_time, INTERVAL '10' SECOND)) p
JOIN (
    SELECT seller, TUMBLE_START(date_time, INTERVAL '10' SECOND) AS starttime FROM auction
    GROUP BY seller, TUMBLE(date_time, INTERVAL '10' SECOND)) a
ON p.id = a.seller AND p.starttime = a.starttime;
