"""Slow, obvious implementations that the tests compare the package with. They import none of it."""
