"""Linear Road as ten queries, each a box between shared stores."""
