-- Linear Road (Arasu et al. 2004): cars on expressways report where they are every 30 seconds.
-- Tariff has one row: a segment costs base · (cars − few)² if it is slower than slow and has more cars than few.
-- The benchmark has slow = 40, few = 50, base = 2; small traffic needs a smaller few.

CREATE STREAM Position(car INT, speed INT, xway INT, lane INT, dir INT, seg INT, pos INT, time BIGINT) ORDERED BY time;
CREATE STREAM BalanceRequest(query INT, car INT, time BIGINT) ORDERED BY time;
CREATE STREAM ExpenditureRequest(query INT, car INT, day INT, xway INT, time BIGINT) ORDERED BY time;

CREATE TABLE Tariff(slow FLOAT NOT NULL, few INT NOT NULL, base INT NOT NULL);
CREATE TABLE History(car INT, day INT, xway INT, tolls INT NOT NULL, PRIMARY KEY (car, day, xway));
