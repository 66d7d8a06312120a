-- Removes a test's database, with whoever is still connected to it. Zero rows, always.
DROP DATABASE IF EXISTS {name} WITH (FORCE)
