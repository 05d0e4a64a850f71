-- What a car has been charged so far.
CREATE STREAM Balance AS
  SELECT R.query AS query, R.car AS car, COALESCE(SUM(T.toll), 0) AS balance
  FROM BalanceRequest R LEFT JOIN Toll WINDOW(RANGE UNBOUNDED) T ON R.car = T.car
  GROUP BY R.query, R.car;
