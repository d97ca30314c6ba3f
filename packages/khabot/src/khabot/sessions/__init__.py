"""Sessions and tasks in SQLite: store, migrations, retention, archive, backup and transfer.

The home of SQL; must not know how an agent runs.
"""
