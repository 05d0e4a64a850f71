-- The NEXMark auctions (Tucker, Tufte, Papadimos, Maier 2002), abbreviated as in Figure 2 of Krämer & Seeger 2009.
-- Currency conversion needs a function DolToEuro(FLOAT) -> FLOAT, registered from Python.

CREATE TABLE Category(id INT PRIMARY KEY, name TEXT NOT NULL, parentID INT);
CREATE TABLE Person(id INT PRIMARY KEY, name TEXT NOT NULL, city TEXT);
CREATE TABLE Item(id INT PRIMARY KEY, name TEXT NOT NULL, categoryID INT REFERENCES Category(id));

-- An item is sold once: that is what lets Figure 9 push the grouping of the closing price below a join.
CREATE STREAM OpenAuction(itemID INT ONCE, sellerID INT, start_price REAL, timestamp TIMESTAMP) ORDERED BY timestamp;
CREATE STREAM ClosedAuction(itemID INT, buyerID INT, timestamp TIMESTAMP) ORDERED BY timestamp;
CREATE STREAM Bid(itemID INT, bid_price REAL, bidderID INT, timestamp TIMESTAMP) ORDERED BY timestamp;
