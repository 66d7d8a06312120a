-- Makes a test's database; a name cannot be bound, so it is put in. The template is the one to which nobody can be
-- connected: the copy of another fails while anybody but its copier is. Zero rows, always.
CREATE DATABASE {name} TEMPLATE template0
