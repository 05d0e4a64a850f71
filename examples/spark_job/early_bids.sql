CREATE STREAM auctions(id INT, opened TIMESTAMP) ORDERED BY opened;
CREATE STREAM bids(auction INT, price INT, at TIMESTAMP) ORDERED BY at;

SELECT id, price
FROM auctions WINDOW(RANGE 1 MINUTE), bids
WHERE id = auction
