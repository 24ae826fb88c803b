"""The journal replayed and compared with the tables; dumps of a database."""
