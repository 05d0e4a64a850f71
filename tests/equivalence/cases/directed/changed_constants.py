"""Realistic queries, those of NEXMark among them, and each of them with one constant changed."""

import re
from collections.abc import Iterator

SCHEMA = """
CREATE TABLE Person(id INT PRIMARY KEY, name TEXT NOT NULL, city TEXT);
CREATE STREAM OpenAuction(itemID INT, sellerID INT, start_price REAL, timestamp TIMESTAMP) ORDERED BY timestamp;
CREATE STREAM ClosedAuction(itemID INT, buyerID INT, timestamp TIMESTAMP) ORDERED BY timestamp;
CREATE STREAM Bid(itemID INT, bid_price REAL, bidderID INT, timestamp TIMESTAMP) ORDERED BY timestamp;
CREATE STREAM Reading(sensor INT, place TEXT, celsius INT, ok BOOLEAN, ts BIGINT) ORDERED BY ts;
CREATE STREAM Basket(buyer INT, prices ARRAY<INT>, note TEXT, ts BIGINT) ORDERED BY ts;
"""
QUERIES = {
    "selection": "SELECT * FROM Bid WHERE itemID = 1007 OR itemID = 1020 OR itemID = 2001 OR itemID = 1087",
    "short auctions": """
        SELECT O.* FROM OpenAuction O WINDOW(RANGE 5 HOURS), ClosedAuction C WHERE O.itemID = C.itemID""",
    "highest bid": """
        SELECT * FROM Bid WINDOW(RANGE 10 MINUTES)
        WHERE bid_price = (SELECT MAX(bid_price) FROM Bid WINDOW(RANGE 10 MINUTES))""",
    "hot item": """
        SELECT itemID FROM (SELECT B1.itemID AS itemID, COUNT(*) AS num FROM Bid WINDOW(RANGE 60 MINUTES) B1
                            GROUP BY B1.itemID)
        WHERE num >= ALL (SELECT COUNT(*) FROM Bid WINDOW(RANGE 60 MINUTES) B2 GROUP BY B2.itemID)""",
    "closing price": """
        SELECT P.itemID, MAX(P.price) AS price
        FROM ((SELECT itemID, bid_price AS price FROM Bid WINDOW(RANGE 2 DAYS)) UNION ALL
              (SELECT itemID, start_price AS price FROM OpenAuction WINDOW(RANGE 2 DAYS))) P, ClosedAuction C
        WHERE P.itemID = C.itemID GROUP BY P.itemID""",
    "busy bidders": """
        SELECT bidderID, COUNT(*) AS n FROM Bid WINDOW(RANGE 1 HOUR SLIDE 5 MINUTES)
        GROUP BY bidderID HAVING COUNT(*) >= 50""",
    "big spenders": """
        SELECT bidderID, SUM(bid_price) AS total FROM Bid WINDOW(RANGE 30 DAYS) WHERE bid_price > 100
        GROUP BY bidderID HAVING SUM(bid_price) > 10000""",
    "taxed": """
        SELECT itemID, bid_price * 3 AS triple FROM Bid
        WHERE bid_price * 3 > 10000 AND itemID BETWEEN 200 AND 300 AND bidderID <> 77""",
    "bands": """
        SELECT itemID, CASE WHEN bid_price < 500 THEN 'low' WHEN bid_price < 5000 THEN 'middle' ELSE 'high' END AS band
        FROM Bid""",
    "bidders of a city": """
        SELECT B.itemID, P.name FROM Bid WINDOW(RANGE 10 MINUTES) B JOIN Person P ON B.bidderID = P.id
        WHERE P.city LIKE 'Ber%' AND B.bid_price >= 250""",
    "last readings": """
        SELECT sensor, AVG(celsius) AS a FROM Reading WINDOW(PARTITION BY sensor ROWS 20) WHERE ok
        GROUP BY sensor HAVING AVG(celsius) > 85""",
    "halls": """
        SELECT place, celsius FROM Reading WINDOW(ROWS 100)
        WHERE place IN ('hall 1', 'hall 2', 'hall 7') AND celsius + 273 > 350""",
    "shifts": """
        SELECT place, COUNT(DISTINCT sensor) AS n FROM Reading WINDOW(LANDMARK 21600 RESET 28800)
        GROUP BY place HAVING COUNT(DISTINCT sensor) > 12""",
    "rising": """
        SELECT A.sensor FROM Reading WINDOW(RANGE 90) A, Reading B
        WHERE A.sensor = B.sensor AND B.celsius > A.celsius + 15""",
    "quiet": """
        SELECT sensor FROM Reading WINDOW(RANGE 5 MINUTES) A
        WHERE NOT EXISTS (SELECT * FROM ClosedAuction WINDOW(RANGE 15 MINUTES) C
                          WHERE C.itemID = A.sensor AND C.buyerID > 900)""",
    "arithmetic": """
        SELECT sensor FROM Reading
        WHERE MOD(celsius, 100) = 37 AND sensor * 3 > 1001 AND sensor - 7 < 9000 AND place <> 'lab'""",
    "codes": """
        SELECT SUBSTRING(place, 3, 40) AS code, SPLIT_PART(place, '::', 3) AS part, LPAD(place, 30, '0') AS padded
        FROM Reading WHERE LENGTH(place) > 60 OR UPPER(place) = 'LAB'""",
    "labels": """
        SELECT sensor FROM Reading
        WHERE REGEXP_LIKE(place, '^[a-z]+[0-9]') OR POSITION('hall' IN place) > 12
              OR REPLACE(place, 'foo', 'bar') = 'bar'""",
    "rounded": "SELECT ROUND(bid_price, 3) AS price, ROUND(bid_price * 1.19, 2) AS taxed FROM Bid",
    "visits": """
        SELECT sensor, COUNT(*) AS n FROM Reading WINDOW(PARTITION BY sensor SESSION 45 MINUTES)
        GROUP BY sensor HAVING COUNT(*) > 7""",
    "trend": """
        SELECT sensor, LAG(celsius, 12) OVER (PARTITION BY sensor ORDER BY ts) AS before,
               MAX(celsius) OVER (PARTITION BY sensor ORDER BY ts RANGE BETWEEN 3600 PRECEDING AND CURRENT ROW) AS most,
               COUNT(*) OVER (PARTITION BY sensor ORDER BY ts ROWS BETWEEN 15 PRECEDING AND CURRENT ROW) AS n
        FROM Reading""",
    "elements": """
        SELECT buyer, e FROM Basket CROSS JOIN UNNEST(prices) WITH ORDINALITY AS u(e, n) WHERE e > 640 AND n <= 6""",
    "arrays": "SELECT prices[4] AS fourth FROM Basket WHERE CARDINALITY(prices) > 9 OR ARRAY_CONTAINS(prices, 99)",
    "documents": "SELECT JSON_VALUE(note, '$.a[2].b') AS b FROM Basket",
    "written": "SELECT sensor FROM Reading WHERE CAST(celsius AS TEXT) LIKE '12_' OR CAST(ok AS TEXT) = 'true'",
    "digits": "SELECT sensor FROM Reading WHERE SUBSTRING(CAST(sensor AS TEXT), 1, 3) = '417'",
    "mean": "SELECT sensor FROM Reading WINDOW(RANGE 1 DAY) GROUP BY sensor HAVING AVG(celsius) > 12.5",
    "letters": "SELECT buyer FROM Basket WHERE UPPER(note) LIKE 'STRASSE%'",
    "hottest": "SELECT sensor, celsius FROM Reading WINDOW(RANGE 1 HOUR) ORDER BY celsius DESC LIMIT 25",
}
_CONSTANT = re.compile(r"(?<![A-Za-z_\d'])(?P<number>\d+)(?!\w)|'(?P<text>[^']*)'")


def with_one_changed(query: str) -> Iterator[str]:
    """The query with one number greater by one, or one text longer by a letter; each makes a difference."""
    for found in _CONSTANT.finditer(query):
        number, text = found["number"], found["text"]
        other = f"'{text}x'" if number is None else str(int(number) + 1)
        yield query[: found.start()] + other + query[found.end() :]
