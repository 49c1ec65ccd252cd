"""Measures of nav: each script prints its own table."""
