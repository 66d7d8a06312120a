-- Writes nothing and needs the right to write, so that a file that cannot be written to is found at the
-- start: BEGIN IMMEDIATE alone passes on such a file. Zero rows, always.
DELETE FROM agent_turns WHERE false
