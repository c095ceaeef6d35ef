CREATE TABLE `licences` (
	`version` integer PRIMARY KEY NOT NULL,
	`text` text NOT NULL,
	`holds_from` text,
	`edits` integer NOT NULL,
	`changed_at` integer NOT NULL
);
