-- Pairs of queries that mean the same on all streams of catalogue.sql. A line `-- name:` begins a pair.

-- name: a conjunction is two filters
SELECT * FROM A WHERE x > 0 AND y < 2;
SELECT * FROM (SELECT * FROM A WHERE x > 0) WHERE y < 2;

-- name: AND commutes
SELECT * FROM A WHERE x > 0 AND y < 2;
SELECT * FROM A WHERE y < 2 AND x > 0;

-- name: De Morgan
SELECT * FROM A WHERE NOT (x > 0 AND y < 2);
SELECT * FROM A WHERE NOT x > 0 OR NOT y < 2;

-- name: a negated comparison
SELECT * FROM A WHERE NOT x < y;
SELECT * FROM A WHERE x >= y;

-- name: BETWEEN
SELECT * FROM A WHERE x BETWEEN 0 AND y;
SELECT * FROM A WHERE x >= 0 AND y >= x;

-- name: IN of a list
SELECT * FROM A WHERE x IN (0, y, 2);
SELECT * FROM A WHERE x = 0 OR x = y OR x = 2;

-- name: NOT IN of a list
SELECT * FROM A WHERE x NOT IN (0, y);
SELECT * FROM A WHERE x <> 0 AND x <> y;

-- name: IS NOT NULL
SELECT * FROM A WHERE x IS NOT NULL;
SELECT * FROM A WHERE x = x;

-- name: IS NOT DISTINCT FROM
SELECT * FROM A WHERE x IS NOT DISTINCT FROM y;
SELECT * FROM A WHERE x = y OR x IS NULL AND y IS NULL;

-- name: a filter keeps what is TRUE
SELECT * FROM A WHERE x > y;
SELECT * FROM A WHERE CASE WHEN x > y THEN TRUE ELSE FALSE END;

-- name: IS TRUE
SELECT * FROM A WHERE (x > y) IS TRUE;
SELECT * FROM A WHERE x > y;

-- name: COALESCE
SELECT COALESCE(x, y) AS v FROM A;
SELECT CASE WHEN x IS NOT NULL THEN x ELSE y END AS v FROM A;

-- name: the simple CASE
SELECT CASE x WHEN 0 THEN 'zero' WHEN y THEN 'same' END AS v FROM A;
SELECT CASE WHEN x = 0 THEN 'zero' WHEN x = y THEN 'same' ELSE NULL END AS v FROM A;

-- name: projections compose
SELECT y FROM (SELECT y, x FROM A);
SELECT y FROM A;

-- name: nothing
SELECT * FROM A WHERE FALSE;
SELECT * FROM A EXCEPT ALL SELECT * FROM A;

-- name: a prefix by LIKE
SELECT * FROM T WHERE s LIKE 'a%' AND s LIKE '%';
SELECT * FROM T WHERE s LIKE 'a%';

-- name: NaN equals NaN
SELECT * FROM T WHERE f = f;
SELECT * FROM T WHERE f IS NOT NULL;

-- name: a comma join is a join
SELECT A.y, B.z FROM A, B WHERE A.x = B.x;
SELECT A.y, B.z FROM A JOIN B ON A.x = B.x;

-- name: joins commute
SELECT A.y, B.z FROM A JOIN B ON A.x = B.x;
SELECT A.y, B.z FROM B JOIN A ON B.x = A.x;

-- name: joins associate
SELECT A.y, B.z, C.z AS w FROM A JOIN B ON A.x = B.x JOIN B AS C ON B.z = C.x;
SELECT A.y, BC.z, BC.w FROM A JOIN (SELECT B.x, B.z, C.z AS w FROM B JOIN B AS C ON B.z = C.x) AS BC ON A.x = BC.x;

-- name: a filter below an inner join
SELECT A.y, B.z FROM A JOIN B ON A.x = B.x WHERE A.y > 0;
SELECT A.y, B.z FROM (SELECT * FROM A WHERE y > 0) AS A JOIN B ON A.x = B.x;

-- name: a product with a filter is a join
SELECT A.y, B.z FROM A CROSS JOIN B WHERE A.x < B.x;
SELECT A.y, B.z FROM A JOIN B ON A.x < B.x;

-- name: ON TRUE is a product
SELECT A.y, B.z FROM A JOIN B ON TRUE;
SELECT A.y, B.z FROM A, B;

-- name: LEFT is RIGHT the other way round
SELECT A.y, B.z FROM A LEFT JOIN B ON A.x = B.x;
SELECT A.y, B.z FROM B RIGHT JOIN A ON A.x = B.x;

-- name: an outer join whose padding is filtered away
SELECT A.y, B.z FROM A LEFT JOIN B ON A.x = B.x WHERE B.x IS NOT NULL;
SELECT A.y, B.z FROM A JOIN B ON A.x = B.x;

-- name: an outer join whose partners are filtered away
SELECT A.x, A.y FROM A LEFT JOIN B ON A.x = B.x WHERE B.x IS NULL;
SELECT * FROM A WHERE NOT EXISTS (SELECT * FROM B WHERE B.x = A.x);

-- name: an outer join without its own side
SELECT A.y, B.z FROM A FULL JOIN B ON A.x = B.x WHERE A.y > 0;
SELECT A.y, B.z FROM A LEFT JOIN B ON A.x = B.x WHERE A.y > 0;

-- name: a full join is a left join and the lonely right rows
SELECT A.y, B.z FROM A FULL JOIN B ON A.x = B.x;
SELECT A.y, B.z FROM A LEFT JOIN B ON A.x = B.x UNION ALL SELECT CAST(NULL AS INT) AS y, z FROM B ANTI JOIN A ON A.x = B.x;

-- name: a filter on the left below a left join
SELECT A.y, B.z FROM A LEFT JOIN B ON A.x = B.x WHERE A.y > 0;
SELECT A.y, B.z FROM (SELECT * FROM A WHERE y > 0) AS A LEFT JOIN B ON A.x = B.x;

-- name: a filter on the right inside ON
SELECT A.y, B.z FROM A LEFT JOIN B ON A.x = B.x AND B.z > 0;
SELECT A.y, B.z FROM A LEFT JOIN (SELECT * FROM B WHERE z > 0) AS B ON A.x = B.x;

-- name: a distinct join needs no more than partners
SELECT DISTINCT A.x FROM A JOIN B ON A.x = B.x;
SELECT DISTINCT x FROM A WHERE EXISTS (SELECT * FROM B WHERE B.x = A.x);

-- name: SEMI JOIN
SELECT * FROM A SEMI JOIN B ON A.x = B.x;
SELECT * FROM A WHERE EXISTS (SELECT * FROM B WHERE A.x = B.x);

-- name: ANTI JOIN
SELECT * FROM A ANTI JOIN B ON A.x = B.x;
SELECT * FROM A WHERE NOT EXISTS (SELECT * FROM B WHERE A.x = B.x);

-- name: rows with and without partners are all rows
SELECT * FROM A SEMI JOIN B ON A.x = B.x UNION ALL SELECT * FROM A ANTI JOIN B ON A.x = B.x;
SELECT * FROM A;

-- name: IN is EXISTS
SELECT * FROM A WHERE x IN (SELECT x FROM B);
SELECT * FROM A WHERE EXISTS (SELECT * FROM B WHERE B.x = A.x);

-- name: IN is = ANY
SELECT * FROM A WHERE x IN (SELECT z FROM B WHERE B.x > A.y);
SELECT * FROM A WHERE x = ANY (SELECT z FROM B WHERE B.x > A.y);

-- name: NOT IN is <> ALL
SELECT * FROM A WHERE x NOT IN (SELECT x FROM B);
SELECT * FROM A WHERE x <> ALL (SELECT x FROM B);

-- name: NOT IN without NULL is NOT EXISTS
SELECT * FROM A WHERE x IS NOT NULL AND x NOT IN (SELECT x FROM B WHERE x IS NOT NULL);
SELECT * FROM A WHERE x IS NOT NULL AND NOT EXISTS (SELECT * FROM B WHERE B.x = A.x);

-- name: NOT IN spelt out
SELECT * FROM A WHERE x NOT IN (SELECT x FROM B);
SELECT * FROM A WHERE NOT EXISTS (SELECT * FROM B WHERE (B.x = A.x) IS NOT FALSE);

-- name: more than some is more than the least
SELECT * FROM A WHERE x > ANY (SELECT z FROM B);
SELECT * FROM A WHERE x > (SELECT MIN(z) FROM B);

-- name: not more than some is at most all
SELECT * FROM A WHERE NOT x > ANY (SELECT z FROM B);
SELECT * FROM A WHERE x <= ALL (SELECT z FROM B);

-- name: at least all is less than none
SELECT * FROM A WHERE x IS NOT NULL AND x >= ALL (SELECT z FROM B WHERE z IS NOT NULL);
SELECT * FROM A WHERE x IS NOT NULL AND NOT EXISTS (SELECT * FROM B WHERE z > A.x);

-- name: the highest, by MAX and by ALL
SELECT * FROM A WHERE y = (SELECT MAX(y) FROM A);
SELECT * FROM A WHERE y IS NOT NULL AND y >= ALL (SELECT y FROM A WHERE y IS NOT NULL);

-- name: EXISTS is a count above 0
SELECT * FROM A WHERE EXISTS (SELECT * FROM B WHERE B.x = A.x);
SELECT * FROM A WHERE (SELECT COUNT(*) FROM B WHERE B.x = A.x) > 0;

-- name: NOT EXISTS is a count of 0
SELECT * FROM A WHERE NOT EXISTS (SELECT * FROM B WHERE B.x < A.y);
SELECT * FROM A WHERE 0 = (SELECT COUNT(*) FROM B WHERE B.x < A.y);

-- name: a correlated average by a join
SELECT A.x, A.y FROM A WHERE y > (SELECT AVG(z) FROM B WHERE B.x = A.x);
SELECT A.x, A.y FROM A JOIN (SELECT x, AVG(z) AS m FROM B GROUP BY x) AS G ON A.x = G.x WHERE A.y > G.m;

-- name: a correlated maximum by an outer join
SELECT y, (SELECT MAX(z) FROM B WHERE B.x = A.x) AS m FROM A;
SELECT A.y, G.m FROM A LEFT JOIN (SELECT x, MAX(z) AS m FROM B GROUP BY x) AS G ON A.x = G.x;

-- name: a correlated count by an outer join
SELECT y, (SELECT COUNT(*) FROM B WHERE B.x = A.x) AS n FROM A;
SELECT A.y, COALESCE(G.n, 0) AS n FROM A LEFT JOIN (SELECT x, COUNT(*) AS n FROM B GROUP BY x) AS G ON A.x = G.x;

-- name: a disjunction with EXISTS
SELECT * FROM A WHERE y > 0 OR EXISTS (SELECT * FROM B WHERE B.x = A.x);
SELECT * FROM A WHERE y > 0 UNION ALL SELECT * FROM A WHERE (y > 0) IS NOT TRUE AND x IN (SELECT x FROM B);

-- name: a value of EXISTS
SELECT x, EXISTS (SELECT * FROM B WHERE B.x = A.x) AS e FROM A;
SELECT x, CASE WHEN x IN (SELECT x FROM B) THEN TRUE ELSE FALSE END AS e FROM A;

-- name: in two subqueries is in their intersection
SELECT * FROM A WHERE x IN (SELECT x FROM B) AND x IN (SELECT y FROM A);
SELECT * FROM A WHERE x IN (SELECT x FROM B INTERSECT SELECT y FROM A);

-- name: a subquery two levels down
SELECT * FROM A WHERE EXISTS (SELECT * FROM B WHERE B.x = A.x AND EXISTS (SELECT * FROM B AS C WHERE C.z = B.z AND C.x > A.y));
SELECT * FROM A WHERE EXISTS (SELECT * FROM B, B AS C WHERE B.x = A.x AND C.z = B.z AND C.x > A.y);

-- name: HAVING with a subquery
SELECT x, COUNT(*) AS n FROM A GROUP BY x HAVING x IN (SELECT x FROM B);
SELECT x, COUNT(*) AS n FROM A WHERE x IN (SELECT x FROM B) GROUP BY x;

-- name: an uncorrelated EXISTS keeps all or nothing
SELECT x FROM A WHERE EXISTS (SELECT * FROM B WHERE z > 0);
SELECT A.x FROM A CROSS JOIN (SELECT DISTINCT 1 AS one FROM B WHERE z > 0) AS E;

-- name: WITH is a subquery in FROM
WITH P AS (SELECT x FROM A WHERE y > 0), Q AS (SELECT DISTINCT x FROM P) SELECT P.x FROM P JOIN Q ON P.x = Q.x;
SELECT P.x FROM (SELECT x FROM A WHERE y > 0) AS P JOIN (SELECT DISTINCT x FROM A WHERE y > 0) AS Q ON P.x = Q.x;

-- name: DISTINCT is a group without aggregates
SELECT DISTINCT x FROM A;
SELECT x FROM A GROUP BY x;

-- name: HAVING about a key is WHERE
SELECT x, MAX(y) AS m FROM A GROUP BY x HAVING x > 0;
SELECT x, MAX(y) AS m FROM A WHERE x > 0 GROUP BY x;

-- name: HAVING is a filter over groups
SELECT x FROM A GROUP BY x HAVING COUNT(*) > 1;
SELECT x FROM (SELECT x, COUNT(*) AS n FROM A GROUP BY x) WHERE n > 1;

-- name: COUNT of a column
SELECT x, COUNT(y) AS n FROM A GROUP BY x;
SELECT x, SUM(CASE WHEN y IS NULL THEN 0 ELSE 1 END) AS n FROM A GROUP BY x;

-- name: COUNT DISTINCT
SELECT COUNT(DISTINCT x) AS n FROM A;
SELECT COUNT(x) AS n FROM (SELECT DISTINCT x FROM A);

-- name: the maximum of maxima
SELECT MAX(m) AS m FROM (SELECT MAX(y) AS m FROM A GROUP BY x);
SELECT MAX(y) AS m FROM A;

-- name: the first of the top
SELECT x, TOP(y, 1) AS m FROM A GROUP BY x;
SELECT x, MAX(y) AS m FROM A GROUP BY x;

-- name: a group by an expression
SELECT x IS NULL AS n, COUNT(*) AS c FROM A GROUP BY x IS NULL;
SELECT n, COUNT(*) AS c FROM (SELECT x IS NULL AS n FROM A) GROUP BY n;

-- name: groups of groups
SELECT DISTINCT x FROM (SELECT x, y FROM A GROUP BY x, y);
SELECT DISTINCT x FROM A;

-- name: the total count is 0 where the scalar one has no row
SELECT COUNT(*) AS n FROM A GROUP BY ();
SELECT DISTINCT COALESCE(N.n, 0) AS n FROM (SELECT COUNT(*) AS one FROM B GROUP BY ()) AS E LEFT JOIN (SELECT COUNT(*) AS n FROM A) AS N ON TRUE;

-- name: UNION ALL commutes
SELECT x FROM A UNION ALL SELECT x FROM B;
SELECT x FROM B UNION ALL SELECT x FROM A;

-- name: UNION is a distinct UNION ALL
SELECT x FROM A UNION SELECT x FROM B;
SELECT DISTINCT x FROM (SELECT x FROM A UNION ALL SELECT x FROM B);

-- name: INTERSECT ALL by two differences
SELECT * FROM A INTERSECT ALL SELECT * FROM B;
SELECT * FROM A EXCEPT ALL (SELECT * FROM A EXCEPT ALL SELECT * FROM B);

-- name: EXCEPT is what does not exist on the right
SELECT x FROM A EXCEPT SELECT x FROM B;
SELECT DISTINCT x FROM A WHERE NOT EXISTS (SELECT * FROM B WHERE B.x IS NOT DISTINCT FROM A.x);

-- name: INTERSECT is what exists on the right
SELECT x FROM A INTERSECT SELECT x FROM B;
SELECT DISTINCT x FROM A WHERE EXISTS (SELECT * FROM B WHERE B.x IS NOT DISTINCT FROM A.x);

-- name: a filter over a union
SELECT * FROM (SELECT x FROM A UNION ALL SELECT x FROM B) WHERE x > 0;
SELECT x FROM A WHERE x > 0 UNION ALL SELECT x FROM B WHERE x > 0;

-- name: INTERSECT binds tighter than UNION
SELECT x FROM A UNION SELECT x FROM B INTERSECT SELECT y FROM A;
(SELECT x FROM A) UNION (SELECT x FROM B INTERSECT SELECT y FROM A);

-- name: the now-window is the identity
SELECT * FROM A WINDOW(RANGE 1);
SELECT * FROM A;

-- name: a filter below a time window
SELECT * FROM (SELECT * FROM A WHERE x > 0) WINDOW(RANGE 3);
SELECT * FROM A WINDOW(RANGE 3) WHERE x > 0;

-- name: a projection below a time window
SELECT * FROM (SELECT y FROM A) WINDOW(RANGE 3 SLIDE 2);
SELECT y FROM A WINDOW(RANGE 3 SLIDE 2);

-- name: a time window over a union
SELECT * FROM (SELECT x FROM A UNION ALL SELECT x FROM B) WINDOW(RANGE 2);
SELECT x FROM A WINDOW(RANGE 2) UNION ALL SELECT x FROM B WINDOW(RANGE 2);

-- name: a window over a WITH
WITH P AS (SELECT x FROM A) SELECT * FROM P WINDOW(RANGE 3);
SELECT x FROM A WINDOW(RANGE 3);

-- name: a landmark at the beginning
SELECT * FROM A WINDOW(LANDMARK 0);
SELECT * FROM A WINDOW(RANGE UNBOUNDED);

-- name: a slide of 1
SELECT * FROM A WINDOW(RANGE 4 SLIDE 1);
SELECT * FROM A WINDOW(RANGE 4);

-- name: units of time
SELECT * FROM A WINDOW(RANGE 1 MINUTE SLIDE 2 SECONDS);
SELECT * FROM A WINDOW(RANGE 60 SLIDE 2);

-- name: a filter on the key below a partitioned window
SELECT * FROM (SELECT * FROM A WHERE x > 0) WINDOW(PARTITION BY x ROWS 2);
SELECT * FROM A WINDOW(PARTITION BY x ROWS 2) WHERE x > 0;

-- name: a projection below a window with ties
SELECT y FROM A WINDOW(ROWS 2 WITH TIES);
SELECT * FROM (SELECT y FROM A) WINDOW(ROWS 2 WITH TIES);

-- name: RSTREAM is the identity
RSTREAM(SELECT x FROM A WINDOW(RANGE 2));
SELECT x FROM A WINDOW(RANGE 2);

-- name: what enters an unbounded window is what arrives
ISTREAM(SELECT * FROM A WINDOW(RANGE UNBOUNDED));
SELECT * FROM A;

-- name: nothing leaves an unbounded window
DSTREAM(SELECT * FROM A WINDOW(RANGE UNBOUNDED));
SELECT * FROM A WHERE FALSE;

-- name: a subquery in ON is one in WHERE
SELECT A.y, B.z FROM A JOIN B ON A.x = B.x AND B.z IN (SELECT y FROM A);
SELECT A.y, B.z FROM A JOIN B ON A.x = B.x WHERE B.z IN (SELECT y FROM A);

-- name: a correlated subquery in ON
SELECT A.y, B.z FROM A JOIN B ON NOT EXISTS (SELECT * FROM A AS C WHERE C.x = A.x AND C.y > B.z);
SELECT A.y, B.z FROM A, B WHERE B.z >= ALL (SELECT y FROM A AS C WHERE C.x = A.x AND B.z IS NOT NULL AND y IS NOT NULL);
