"""Bids that came within a minute after their auction was opened: a join of two streams, right and wrong."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as f


def early_bids(auctions: DataFrame, bids: DataFrame) -> DataFrame:
    """A bid at 12:01:00 is no longer early for an auction of 12:00:00."""
    return _bids(auctions, bids, "bid.at < auction.opened + INTERVAL 1 MINUTE")


def early_bids_with_a_bug(auctions: DataFrame, bids: DataFrame) -> DataFrame:
    return _bids(auctions, bids, "bid.at <= auction.opened + INTERVAL 1 MINUTE")


def _bids(auctions: DataFrame, bids: DataFrame, in_time: str) -> DataFrame:
    same = "auction.id = bid.auction AND bid.at >= auction.opened"
    found = auctions.alias("auction").join(bids.alias("bid"), f.expr(f"{same} AND {in_time}"))
    return found.select("id", "price", "at")
