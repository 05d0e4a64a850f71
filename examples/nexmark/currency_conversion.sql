-- Q1: convert the prices of incoming bids from U.S. dollars into euros.
SELECT itemID, DolToEuro(bid_price), bidderID
FROM Bid;
