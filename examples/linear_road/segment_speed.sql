-- The average speed of the last five minutes, once a minute.
CREATE STREAM SegmentSpeed AS
  SELECT xway, dir, seg, AVG(speed) AS speed
  FROM Position WINDOW(RANGE 5 MINUTES SLIDE 1 MINUTE)
  GROUP BY xway, dir, seg;
