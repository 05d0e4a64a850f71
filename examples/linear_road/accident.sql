-- Two cars or more have stopped in one place; it is cleared when one of them moves.
CREATE STREAM Accident AS
  SELECT xway, dir, lane, pos, seg
  FROM Stopped
  GROUP BY xway, dir, lane, pos, seg
  HAVING COUNT(*) >= 2;
