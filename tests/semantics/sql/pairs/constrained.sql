-- Pairs of queries that are equivalent thanks to what is declared, and no longer if the declaration is weakened as
-- the line `-- but:` says. A line `-- name:` begins a pair, statements before the last two declare.

-- name: a primary key leaves DISTINCT nothing to do
-- but: PRIMARY KEY => NOT NULL
CREATE TABLE C(id INT PRIMARY KEY, name TEXT);
SELECT DISTINCT id, name FROM C;
SELECT id, name FROM C;

-- name: a primary key of two columns makes groups of one row
-- but: PRIMARY KEY (a, b) => UNIQUE (a, b)
CREATE STREAM S(a INT, b INT, t BIGINT, PRIMARY KEY (a, b)) ORDERED BY t;
SELECT a, b, COUNT(*) AS n FROM S GROUP BY a, b;
SELECT a, b, 1 AS n FROM S;

-- name: a primary key turns a join into a semijoin
-- but: PRIMARY KEY =>
CREATE STREAM A(x INT, y INT, t BIGINT) ORDERED BY t;
CREATE TABLE C(id INT PRIMARY KEY);
SELECT A.y FROM A JOIN C ON A.x = C.id;
SELECT y FROM A WHERE x IN (SELECT id FROM C);

-- name: a primary key lets an outer join stand for a scalar subquery
-- but: PRIMARY KEY =>
CREATE STREAM A(x INT, y INT, t BIGINT) ORDERED BY t;
CREATE TABLE C(id INT PRIMARY KEY, name TEXT);
SELECT y, (SELECT MAX(name) FROM C WHERE C.id = A.x) AS name FROM A;
SELECT A.y, C.name FROM A LEFT JOIN C ON A.x = C.id;

-- name: what is unique is so where it is not NULL
-- but: UNIQUE =>
CREATE TABLE C(id INT UNIQUE);
SELECT DISTINCT id FROM C WHERE id IS NOT NULL;
SELECT id FROM C WHERE id IS NOT NULL;

-- name: what is unique may be NULL twice
-- but: UNIQUE NOT NULL => UNIQUE
CREATE TABLE C(id INT UNIQUE NOT NULL);
SELECT DISTINCT id FROM C;
SELECT id FROM C;

-- name: where nothing is NULL, NOT IN is NOT EXISTS
-- but: x INT NOT NULL => x INT
CREATE STREAM A(x INT NOT NULL, t BIGINT) ORDERED BY t;
CREATE STREAM B(x INT NOT NULL, t BIGINT) ORDERED BY t;
SELECT x FROM A WHERE x NOT IN (SELECT x FROM B);
SELECT x FROM A WHERE NOT EXISTS (SELECT * FROM B WHERE B.x = A.x);

-- name: where nothing is NULL, all are counted
-- but: NOT NULL =>
CREATE STREAM A(x INT, y INT NOT NULL, t BIGINT) ORDERED BY t;
SELECT x, COUNT(y) AS n FROM A GROUP BY x;
SELECT x, COUNT(*) AS n FROM A GROUP BY x;

-- name: a reference leaves a join nothing to do
-- but: REFERENCES C(id) =>
CREATE TABLE C(id INT PRIMARY KEY);
CREATE STREAM A(x INT REFERENCES C(id), y INT, t BIGINT) ORDERED BY t;
SELECT A.y FROM A JOIN C ON A.x = C.id;
SELECT y FROM A WHERE x IS NOT NULL;

-- name: a reference to what is no key leaves a semijoin nothing to do
-- but: NOT NULL REFERENCES C(id) => REFERENCES C(id)
CREATE STREAM C(id INT, t BIGINT) ORDERED BY t;
CREATE STREAM A(x INT NOT NULL REFERENCES C(id), y INT, t BIGINT) ORDERED BY t;
SELECT y FROM A WHERE EXISTS (SELECT * FROM C WHERE C.id = A.x);
SELECT y FROM A;

-- name: a reference by two columns
-- but: FOREIGN KEY (x, y) => FOREIGN KEY (x, x)
CREATE TABLE C(a INT, b INT, PRIMARY KEY (a, b));
CREATE STREAM A(x INT NOT NULL, y INT NOT NULL, t BIGINT, FOREIGN KEY (x, y) REFERENCES C(a, b)) ORDERED BY t;
SELECT A.x, A.y FROM A LEFT JOIN C ON A.x = C.a AND A.y = C.b;
SELECT A.x, A.y FROM A JOIN C ON A.x = C.a AND A.y = C.b;

-- name: a window goes below a join with a table
-- but: TABLE C(id INT) => STREAM C(id INT, t BIGINT) ORDERED BY t
CREATE STREAM A(x INT, t BIGINT) ORDERED BY t;
CREATE TABLE C(id INT);
SELECT * FROM (SELECT A.x FROM A JOIN C ON A.x = C.id) WINDOW(RANGE 2);
SELECT A.x FROM A WINDOW(RANGE 2) JOIN C ON A.x = C.id;

-- name: what enters a join with a table enters the stream
-- but: TABLE C(id INT) => STREAM C(id INT, t BIGINT) ORDERED BY t
CREATE STREAM A(x INT, t BIGINT) ORDERED BY t;
CREATE TABLE C(id INT);
ISTREAM(SELECT x FROM A WINDOW(RANGE 2) WHERE x IN (SELECT id FROM C));
SELECT x FROM (ISTREAM(SELECT x FROM A WINDOW(RANGE 2))) WHERE x IN (SELECT id FROM C);
