"""Any plan as one SQL query over tables of snapshots: what the adapters of SQL engines share."""
