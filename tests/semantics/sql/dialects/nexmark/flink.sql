-- schema
CREATE TABLE person (id BIGINT, name VARCHAR, emailAddress VARCHAR, creditCard VARCHAR, city VARCHAR, state VARCHAR,
    dateTime TIMESTAMP(3), extra VARCHAR, p_time AS PROCTIME(), WATERMARK FOR dateTime AS dateTime - INTERVAL '4' SECOND);
CREATE TABLE auction (id BIGINT, itemName VARCHAR, description VARCHAR, initialBid BIGINT, reserve BIGINT,
    dateTime TIMESTAMP(3), expires TIMESTAMP(3), seller BIGINT, category BIGINT, extra VARCHAR,
    WATERMARK FOR dateTime AS dateTime - INTERVAL '4' SECOND);
CREATE TABLE bid (auction BIGINT, bidder BIGINT, price BIGINT, channel VARCHAR, url VARCHAR, dateTime TIMESTAMP(3),
    extra VARCHAR, p_time AS PROCTIME(), WATERMARK FOR dateTime AS dateTime - INTERVAL '4' SECOND);
CREATE TABLE side_input (key BIGINT, val VARCHAR);
-- q0
INSERT INTO out0 SELECT auction, bidder, price, dateTime, extra FROM bid;
-- q1
SELECT auction, bidder, 0.908 * price AS price, dateTime, extra FROM bid;
-- q2
SELECT auction, price FROM bid WHERE MOD(auction, 123) = 0;
-- q3
SELECT P.name, P.city, P.state, A.id FROM auction AS A INNER JOIN person AS P ON A.seller = P.id
WHERE A.category = 10 AND (P.state = 'OR' OR P.state = 'ID' OR P.state = 'CA');
-- q4
SELECT Q.category, AVG(Q.final) AS mean FROM (
    SELECT MAX(B.price) AS final, A.category FROM auction A, bid B
    WHERE A.id = B.auction AND B.dateTime BETWEEN A.dateTime AND A.expires GROUP BY A.id, A.category) Q
GROUP BY Q.category;
-- q5
SELECT Counted.auction, Counted.num FROM (
    SELECT auction, COUNT(*) AS num, window_start AS starttime, window_end AS endtime
    FROM TABLE(HOP(TABLE bid, DESCRIPTOR(dateTime), INTERVAL '2' SECOND, INTERVAL '10' SECOND))
    GROUP BY auction, window_start, window_end) AS Counted
JOIN (
    SELECT MAX(Each.num) AS most, Each.starttime, Each.endtime FROM (
        SELECT COUNT(*) AS num, window_start AS starttime, window_end AS endtime
        FROM TABLE(HOP(TABLE bid, DESCRIPTOR(dateTime), INTERVAL '2' SECOND, INTERVAL '10' SECOND))
        GROUP BY auction, window_start, window_end) AS Each
    GROUP BY Each.starttime, Each.endtime) AS Best
ON Counted.starttime = Best.starttime AND Counted.endtime = Best.endtime AND Counted.num >= Best.most;
-- q6
SELECT Q.seller, AVG(Q.final) OVER (PARTITION BY Q.seller ORDER BY Q.dateTime ROWS BETWEEN 10 PRECEDING AND CURRENT ROW)
FROM (SELECT MAX(B.price) AS final, A.seller, B.dateTime FROM auction A, bid B
      WHERE A.id = B.auction AND B.dateTime BETWEEN A.dateTime AND A.expires GROUP BY A.id, A.seller, B.dateTime) Q;
-- q7
SELECT B.auction, B.price, B.bidder, B.dateTime, B.extra FROM bid B JOIN (
    SELECT MAX(price) AS most, window_end AS dateTime
    FROM TABLE(TUMBLE(TABLE bid, DESCRIPTOR(dateTime), INTERVAL '10' SECOND)) GROUP BY window_start, window_end) B1
ON B.price = B1.most WHERE B.dateTime BETWEEN B1.dateTime - INTERVAL '10' SECOND AND B1.dateTime;
-- q8
SELECT P.id, P.name, P.starttime FROM (
    SELECT id, name, window_start AS starttime, window_end AS endtime
    FROM TABLE(TUMBLE(TABLE person, DESCRIPTOR(dateTime), INTERVAL '10' SECOND))
    GROUP BY id, name, window_start, window_end) P
JOIN (
    SELECT seller, window_start AS starttime, window_end AS endtime
    FROM TABLE(TUMBLE(TABLE auction, DESCRIPTOR(dateTime), INTERVAL '10' SECOND))
    GROUP BY seller, window_start, window_end) A
ON P.id = A.seller AND P.starttime = A.starttime AND P.endtime = A.endtime;
-- q9
SELECT id, itemName, seller, category, auction, bidder, price FROM (
    SELECT A.*, B.auction, B.bidder, B.price, B.dateTime AS bid_dateTime,
           ROW_NUMBER() OVER (PARTITION BY A.id ORDER BY B.price DESC, B.dateTime ASC) AS rownum
    FROM auction A, bid B
    WHERE A.id = B.auction AND B.dateTime BETWEEN A.dateTime AND A.expires)
WHERE rownum <= 1;
-- q10
SELECT auction, bidder, price, dateTime, DATE_FORMAT(dateTime, 'yyyy-MM-dd') AS day_, DATE_FORMAT(dateTime, 'HH:mm') AS minute_
FROM bid;
-- q11
SELECT bidder, COUNT(*) AS bid_count, SESSION_START(dateTime, INTERVAL '10' SECOND) AS starttime,
       SESSION_END(dateTime, INTERVAL '10' SECOND) AS endtime
FROM bid GROUP BY bidder, SESSION(dateTime, INTERVAL '10' SECOND);
-- q12
SELECT bidder, COUNT(*) AS bid_count, window_start, window_end
FROM TABLE(TUMBLE(TABLE bid, DESCRIPTOR(p_time), INTERVAL '10' SECOND)) GROUP BY bidder, window_start, window_end;
-- q13
SELECT B.auction, B.bidder, B.price, B.dateTime, S.val FROM (SELECT *, p_time AS at_ FROM bid) B
JOIN side_input FOR SYSTEM_TIME AS OF B.p_time AS S ON MOD(B.auction, 10000) = S.key;
-- q14
SELECT auction, bidder, 0.908 * price AS price,
       CASE WHEN EXTRACT(HOUR FROM dateTime) >= 8 AND EXTRACT(HOUR FROM dateTime) <= 18 THEN 'dayTime'
            WHEN EXTRACT(HOUR FROM dateTime) <= 6 OR EXTRACT(HOUR FROM dateTime) >= 20 THEN 'nightTime'
            ELSE 'otherTime' END AS bidTimeType, dateTime, extra, count_char(extra, 'c') AS c_counts
FROM bid WHERE 0.908 * price > 1000000 AND 0.908 * price < 50000000;
-- q15
SELECT DATE_FORMAT(dateTime, 'yyyy-MM-dd') AS day_, COUNT(*) AS total_bids,
       COUNT(*) FILTER (WHERE price < 10000) AS rank1_bids,
       COUNT(DISTINCT bidder) AS total_bidders, COUNT(DISTINCT bidder) FILTER (WHERE price < 10000) AS rank1_bidders
FROM bid GROUP BY DATE_FORMAT(dateTime, 'yyyy-MM-dd');
-- q16
SELECT channel, DATE_FORMAT(dateTime, 'yyyy-MM-dd') AS day_, MAX(DATE_FORMAT(dateTime, 'HH:mm')) AS minute_,
       COUNT(*) AS total_bids, COUNT(DISTINCT auction) FILTER (WHERE price >= 1000000) AS rank3_auctions
FROM bid GROUP BY channel, DATE_FORMAT(dateTime, 'yyyy-MM-dd');
-- q17
SELECT auction, DATE_FORMAT(dateTime, 'yyyy-MM-dd') AS day_, COUNT(*) AS total_bids,
       MIN(price) AS min_price, MAX(price) AS max_price, AVG(price) AS avg_price, SUM(price) AS sum_price
FROM bid GROUP BY auction, DATE_FORMAT(dateTime, 'yyyy-MM-dd');
-- q18
SELECT auction, bidder, price, channel, url, dateTime, extra FROM (
    SELECT auction, bidder, price, channel, url, dateTime, extra,
           ROW_NUMBER() OVER (PARTITION BY bidder, auction ORDER BY dateTime DESC) AS rank_number FROM bid)
WHERE rank_number <= 1;
-- q19
SELECT auction, bidder, price, rank_number FROM (
    SELECT auction, bidder, price, ROW_NUMBER() OVER (PARTITION BY auction ORDER BY price DESC) AS rank_number FROM bid)
WHERE rank_number <= 10;
-- q20
SELECT B.auction, B.bidder, B.price, A.itemName, A.category FROM bid AS B
INNER JOIN auction AS A ON B.auction = A.id WHERE A.category = 10;
-- q21
SELECT auction, bidder, price, channel,
       CASE WHEN LOWER(channel) = 'apple' THEN '0' WHEN LOWER(channel) = 'google' THEN '1'
            ELSE REGEXP_EXTRACT(url, '(&|^)channel_id=([^&]*)', 2) END AS channel_id
FROM bid WHERE REGEXP_EXTRACT(url, '(&|^)channel_id=([^&]*)', 2) IS NOT NULL OR LOWER(channel) IN ('apple', 'google');
-- q22
SELECT auction, bidder, price, channel, SPLIT_INDEX(url, '/', 3) AS dir1, SPLIT_INDEX(url, '/', 4) AS dir2 FROM bid;
