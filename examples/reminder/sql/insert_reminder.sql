-- One row for one reminder. Zero rows: never.
INSERT INTO example_reminders (id, organization, text, hour, minute, every)
VALUES ($1, $2, $3, $4, $5, $6)
