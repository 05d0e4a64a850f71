"""What every benchmark needs: data, timing, peers that must agree, tables and charts."""
