"""What cannot be rebuilt: sections, manifests, tombstones, the journal, lock and format.

Owns every durable write; must not know what any index makes of the records.
"""
