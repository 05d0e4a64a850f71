-- Q4: the highest bid or bids in the last 10 minutes.
SELECT *
FROM Bid WINDOW(RANGE 10 MINUTES)
WHERE bid_price = (SELECT MAX(bid_price) FROM Bid WINDOW(RANGE 10 MINUTES));
