-- How many reminders an organization has. Always one row.
SELECT count(*) FROM example_reminders WHERE organization = $1
