-- The application's own table, in the database that is also Idem's store. Always no row.
-- Nothing in it is unique but a row's own id: a second reminder would be a second row.
CREATE TABLE IF NOT EXISTS example_reminders (
    id           text PRIMARY KEY,
    organization text NOT NULL,
    text         text NOT NULL,
    hour         integer NOT NULL,
    minute       integer NOT NULL,
    every        text NOT NULL
)
