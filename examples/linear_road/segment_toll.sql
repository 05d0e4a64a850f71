-- What a segment costs: nothing if traffic flows, or if there is an accident within the next five segments.
CREATE STREAM SegmentToll AS
  SELECT S.xway AS xway, S.dir AS dir, S.seg AS seg, S.speed AS speed, T.base * (C.cars - T.few) * (C.cars - T.few) AS toll
  FROM SegmentSpeed S, SegmentCars C, Tariff T
  WHERE S.xway = C.xway AND S.dir = C.dir AND S.seg = C.seg AND S.speed < T.slow AND C.cars > T.few
    AND NOT EXISTS (SELECT * FROM Accident A
                    WHERE A.xway = S.xway AND A.dir = S.dir
                      AND (A.seg - S.seg) * (1 - 2 * S.dir) BETWEEN 0 AND 4);
