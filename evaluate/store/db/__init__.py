"""The database of the queue: tables, migrations, transactions, and the journal of all changes."""
