-- Every car that crosses into a segment is told what it costs, and charged.
CREATE STREAM Toll AS
  SELECT K.car AS car, K.xway AS xway, K.seg AS seg, COALESCE(T.toll, 0) AS toll
  FROM Crossing K LEFT JOIN SegmentToll T ON K.xway = T.xway AND K.dir = T.dir AND K.seg = T.seg;
