"""Discovery: all equivalences of small plans over windows, proved, and as few of them as the others follow from."""

from equivalence.discovery.find_rules import Discovered, discover
from equivalence.discovery.scheme import Scheme

__all__ = ["Discovered", "Scheme", "discover"]
