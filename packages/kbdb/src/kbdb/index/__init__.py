"""What can be rebuilt: catalogue, lexical index, overlay of fresh sections, fingerprints.

The home of tantivy and SQLite; everything here may be deleted and made again from the records.
"""
