-- Pairs of queries that look alike and are not equivalent, with streams that tell them apart. Streams that are
-- not given are empty. A line `-- name:` begins a pair, a line `-- A:` gives the stream A.

-- name: duplicates: DISTINCT
-- A: raw(x int, y int): (1, 1)@0 (1, 2)@0
SELECT x FROM A;
SELECT DISTINCT x FROM A;

-- name: duplicates: UNION
-- A: raw(x int, y int): (1, 1)@0
-- B: raw(x int, z int): (1, 1)@0
SELECT x FROM A UNION ALL SELECT x FROM B;
SELECT x FROM A UNION SELECT x FROM B;

-- name: duplicates: EXCEPT
-- A: raw(x int, y int): (1, 1)@0 (1, 2)@0
-- B: raw(x int, z int): (1, 1)@0
SELECT x FROM A EXCEPT ALL SELECT x FROM B;
SELECT x FROM A EXCEPT SELECT x FROM B;

-- name: duplicates: INTERSECT
-- A: raw(x int, y int): (1, 1)@0 (1, 2)@0
-- B: raw(x int, z int): (1, 1)@0 (1, 2)@0
SELECT x FROM A INTERSECT ALL SELECT x FROM B;
SELECT x FROM A INTERSECT SELECT x FROM B;

-- name: duplicates: a join for IN
-- A: raw(x int, y int): (1, 1)@0
-- B: raw(x int, z int): (1, 1)@0 (1, 2)@0
SELECT y FROM A WHERE x IN (SELECT x FROM B);
SELECT A.y FROM A JOIN B ON A.x = B.x;

-- name: NOT IN: a NULL on the right
-- A: raw(x int, y int): (1, 1)@0
-- B: raw(x int, z int): (null, 1)@0
SELECT * FROM A WHERE x NOT IN (SELECT x FROM B);
SELECT * FROM A WHERE NOT EXISTS (SELECT * FROM B WHERE B.x = A.x);

-- name: NOT IN: a NULL on the left
-- A: raw(x int, y int): (null, 1)@0
-- B: raw(x int, z int): (1, 1)@0
SELECT * FROM A WHERE x NOT IN (SELECT x FROM B);
SELECT * FROM A ANTI JOIN B ON A.x = B.x;

-- name: NOT IN: an aggregate over nothing is a NULL
-- A: raw(x int, y int): (1, 1)@0
SELECT * FROM A WHERE x NOT IN (SELECT MAX(x) FROM B);
SELECT * FROM A WHERE x NOT IN (SELECT x FROM B);

-- name: NULLs: a column equals itself
-- A: raw(x int, y int): (null, 1)@0
SELECT * FROM A WHERE x = x;
SELECT * FROM A;

-- name: NULLs: an excluded middle
-- A: raw(x int, y int): (null, 1)@0
SELECT * FROM A WHERE x = 1 OR NOT x = 1;
SELECT * FROM A WHERE TRUE;

-- name: NULLs: IS DISTINCT FROM
-- A: raw(x int, y int): (null, 1)@0
SELECT * FROM A WHERE x <> y;
SELECT * FROM A WHERE x IS DISTINCT FROM y;

-- name: NULLs: COALESCE
-- A: raw(x int, y int): (null, 1)@0
SELECT * FROM A WHERE x = 0;
SELECT * FROM A WHERE COALESCE(x, 0) = 0;

-- name: NULLs: COUNT of a column
-- A: raw(x int, y int): (1, null)@0
SELECT x, COUNT(*) AS n FROM A GROUP BY x;
SELECT x, COUNT(y) AS n FROM A GROUP BY x;

-- name: NULLs: joins and groups
-- A: raw(x int, y int): (null, 1)@0
-- B: raw(x int, z int): (null, 2)@0
SELECT A.y, B.z FROM A JOIN B ON A.x = B.x;
SELECT A.y, B.z FROM A JOIN B ON A.x IS NOT DISTINCT FROM B.x;

-- name: NULLs: the average of what is there
-- A: raw(x int, y int): (1, null)@0 (1, 4)@0
SELECT x, AVG(y) AS m FROM A GROUP BY x;
SELECT x, AVG(COALESCE(y, 0)) AS m FROM A GROUP BY x;

-- name: empty groups: the total count
-- B: raw(x int, z int): (1, 1)@0
SELECT COUNT(*) AS n FROM A;
SELECT COUNT(*) AS n FROM A GROUP BY ();

-- name: empty groups: a count that a join loses
-- A: raw(x int, y int): (1, 5)@0
SELECT y, (SELECT COUNT(*) FROM B WHERE B.x = A.x) AS n FROM A;
SELECT A.y, G.n FROM A JOIN (SELECT x, COUNT(*) AS n FROM B GROUP BY x) AS G ON A.x = G.x;

-- name: empty groups: a count that an outer join pads
-- A: raw(x int, y int): (1, 5)@0
SELECT y, (SELECT COUNT(*) FROM B WHERE B.x = A.x) AS n FROM A;
SELECT A.y, G.n FROM A LEFT JOIN (SELECT x, COUNT(*) AS n FROM B GROUP BY x) AS G ON A.x = G.x;

-- name: empty groups: EXISTS of a total
-- A: raw(x int, y int): (1, 5)@0
SELECT * FROM A WHERE EXISTS (SELECT MAX(z) FROM B);
SELECT * FROM A WHERE EXISTS (SELECT z FROM B);

-- name: empty groups: at least all of nothing
-- A: raw(x int, y int): (1, 5)@0
SELECT * FROM A WHERE x >= ALL (SELECT z FROM B);
SELECT * FROM A WHERE x >= (SELECT MAX(z) FROM B);

-- name: quantifiers: ANY and ALL
-- A: raw(x int, y int): (1, 5)@0
-- B: raw(x int, z int): (1, 0)@0 (1, 2)@0
SELECT * FROM A WHERE x > ANY (SELECT z FROM B);
SELECT * FROM A WHERE x > ALL (SELECT z FROM B);

-- name: quantifiers: not more than some
-- A: raw(x int, y int): (1, 5)@0
-- B: raw(x int, z int): (1, 0)@0 (1, 2)@0
SELECT * FROM A WHERE NOT x > ANY (SELECT z FROM B);
SELECT * FROM A WHERE x <= ANY (SELECT z FROM B);

-- name: outer-join filters: the left side in ON
-- A: raw(x int, y int): (1, 0)@0
-- B: raw(x int, z int): (1, 1)@0
SELECT A.y, B.z FROM A LEFT JOIN B ON A.x = B.x AND A.y > 0;
SELECT A.y, B.z FROM A LEFT JOIN B ON A.x = B.x WHERE A.y > 0;

-- name: outer-join filters: the right side in WHERE
-- A: raw(x int, y int): (1, 1)@0
-- B: raw(x int, z int): (1, 0)@0
SELECT A.y, B.z FROM A LEFT JOIN B ON A.x = B.x AND B.z > 0;
SELECT A.y, B.z FROM A LEFT JOIN B ON A.x = B.x WHERE B.z > 0;

-- name: outer-join filters: NULL or not there
-- A: raw(x int, y int): (1, 1)@0
-- B: raw(x int, z int): (1, null)@0
SELECT A.y FROM A LEFT JOIN B ON A.x = B.x WHERE B.z IS NULL;
SELECT y FROM A WHERE NOT EXISTS (SELECT * FROM B WHERE B.x = A.x);

-- name: outer-join filters: which side is kept
-- A: raw(x int, y int): (1, 1)@0
SELECT A.y, B.z FROM A LEFT JOIN B ON A.x = B.x;
SELECT A.y, B.z FROM A RIGHT JOIN B ON A.x = B.x;

-- name: window sizes
-- A: raw(x int, y int): (1, 1)@0
SELECT * FROM A WINDOW(RANGE 2);
SELECT * FROM A WINDOW(RANGE 3);

-- name: window sizes: a slide
-- A: raw(x int, y int): (1, 1)@1
SELECT * FROM A WINDOW(RANGE 4);
SELECT * FROM A WINDOW(RANGE 4 SLIDE 2);

-- name: window sizes: rows and instants
-- A: raw(x int, y int): (1, 1)@0 (2, 2)@5
SELECT * FROM A WINDOW(RANGE 2);
SELECT * FROM A WINDOW(ROWS 2);

-- name: window sizes: one side of a join
-- A: raw(x int, y int): (1, 1)@0
-- B: raw(x int, z int): (1, 1)@2
SELECT A.y FROM A WINDOW(RANGE 3), B WHERE A.x = B.x;
SELECT A.y FROM A, B WINDOW(RANGE 3) WHERE A.x = B.x;

-- name: windows: a filter below a count window
-- A: raw(x int, y int): (1, 1)@0 (0, 2)@1
SELECT * FROM (SELECT * FROM A WHERE x > 0) WINDOW(ROWS 1);
SELECT * FROM A WINDOW(ROWS 1) WHERE x > 0;

-- name: windows: DISTINCT below a time window
-- A: raw(x int, y int): (1, 1)@0 (1, 1)@1
SELECT * FROM (SELECT DISTINCT * FROM A) WINDOW(RANGE 2);
SELECT DISTINCT * FROM A WINDOW(RANGE 2);

-- name: windows: a projection below a count window
-- A: raw(x int, y int): (1, 5)@0 (2, 0)@0
SELECT y FROM A WINDOW(ROWS 1);
SELECT * FROM (SELECT y FROM A) WINDOW(ROWS 1);

-- name: windows: ties
-- A: raw(x int, y int): (1, 1)@0 (2, 2)@0
SELECT * FROM A WINDOW(ROWS 1);
SELECT * FROM A WINDOW(ROWS 1 WITH TIES);

-- name: windows: one for all or one for each
-- A: raw(x int, y int): (1, 1)@0 (2, 2)@1
SELECT * FROM A WINDOW(ROWS 1);
SELECT * FROM A WINDOW(PARTITION BY x ROWS 1);

-- name: windows: a difference below a window
-- A: raw(x int, y int): (1, 1)@0
-- B: raw(x int, z int): (1, 1)@1
SELECT * FROM (SELECT x FROM A EXCEPT ALL SELECT x FROM B) WINDOW(RANGE 2);
SELECT x FROM A WINDOW(RANGE 2) EXCEPT ALL SELECT x FROM B WINDOW(RANGE 2);

-- name: streams: what enters and what is there
-- A: raw(x int, y int): (1, 1)@0
ISTREAM(SELECT * FROM A WINDOW(RANGE 2));
SELECT * FROM A WINDOW(RANGE 2);
