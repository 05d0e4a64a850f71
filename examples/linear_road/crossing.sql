-- Reports of cars that have come into another segment since their last one; those on the exit lane 4 need no notice.
CREATE STREAM Crossing AS
  SELECT P.car AS car, P.xway AS xway, P.dir AS dir, P.seg AS seg
  FROM Position P,
       (SELECT car, xway, dir, seg, COUNT(*) AS reports
        FROM Position WINDOW(RANGE 31 SECONDS)
        GROUP BY car, xway, dir, seg) L
  WHERE P.car = L.car AND P.xway = L.xway AND P.dir = L.dir AND P.seg = L.seg AND L.reports = 1 AND P.lane <> 4;
