CREATE TABLE `removals` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`game` text NOT NULL,
	`governor_id` integer NOT NULL,
	`name` text NOT NULL,
	`code` text NOT NULL,
	`note` text NOT NULL,
	`state` text DEFAULT 'open' NOT NULL,
	`created_at` integer NOT NULL,
	`decided_at` integer,
	`decided_by` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `removals_governor` ON `removals` (`game`,`governor_id`) WHERE "removals"."state" <> 'refused';--> statement-breakpoint
CREATE INDEX `removals_state` ON `removals` (`state`,`created_at`);