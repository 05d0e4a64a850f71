-- Cars that gave four reports in a row from one place.
CREATE STREAM Stopped AS
  SELECT car, xway, dir, lane, pos, seg
  FROM Position WINDOW(RANGE 2 MINUTES)
  GROUP BY car, xway, dir, lane, pos, seg
  HAVING COUNT(*) >= 4;
