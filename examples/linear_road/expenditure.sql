-- What a car spent on one expressway on an earlier day.
CREATE STREAM Expenditure AS
  SELECT R.query AS query, R.car AS car, H.day AS day, H.tolls AS tolls
  FROM ExpenditureRequest R, History H
  WHERE R.car = H.car AND R.day = H.day AND R.xway = H.xway;
