-- Every car that crosses into a segment is told of accidents within the next five segments.
CREATE STREAM AccidentAlert AS
  SELECT K.car AS car, K.seg AS seg, A.seg AS accident
  FROM Crossing K, Accident A
  WHERE K.xway = A.xway AND K.dir = A.dir AND (A.seg - K.seg) * (1 - 2 * K.dir) BETWEEN 0 AND 4;
