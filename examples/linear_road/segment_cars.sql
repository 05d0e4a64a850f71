-- How many cars there were in the last minute.
CREATE STREAM SegmentCars AS
  SELECT xway, dir, seg, COUNT(DISTINCT car) AS cars
  FROM Position WINDOW(RANGE 1 MINUTE SLIDE 1 MINUTE)
  GROUP BY xway, dir, seg;
