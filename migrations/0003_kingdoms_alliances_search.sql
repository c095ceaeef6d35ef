CREATE TABLE `alliances` (
	`game` text NOT NULL,
	`kingdom_id` integer NOT NULL,
	`tag` text NOT NULL,
	`name` text NOT NULL,
	`members` integer NOT NULL,
	`power` integer NOT NULL,
	`score` integer NOT NULL,
	PRIMARY KEY(`game`, `kingdom_id`, `tag`)
);
--> statement-breakpoint
CREATE TABLE `kingdoms` (
	`game` text NOT NULL,
	`kingdom_id` integer NOT NULL,
	`captured_at` integer NOT NULL,
	`digested_at` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`game`, `kingdom_id`)
);
--> statement-breakpoint
CREATE INDEX `kingdoms_undigested` ON `kingdoms` (`captured_at`) WHERE "kingdoms"."digested_at" < "kingdoms"."captured_at";--> statement-breakpoint
CREATE TABLE `search_entries` (
	`id` integer PRIMARY KEY NOT NULL,
	`game` text NOT NULL,
	`kind` text NOT NULL,
	`ref` text NOT NULL,
	`name` text NOT NULL,
	`key` text NOT NULL,
	`pairs` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `search_entries_ref` ON `search_entries` (`game`,`kind`,`ref`);--> statement-breakpoint
CREATE INDEX `search_entries_key` ON `search_entries` (`key`);--> statement-breakpoint
ALTER TABLE `kingdom_days` ADD `inactive` integer;