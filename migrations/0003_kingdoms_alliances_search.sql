CREATE TABLE `alliances` (
	`game` text NOT NULL,
	`kingdom_id` integer NOT NULL,
	`tag` text NOT NULL,
	`name` text NOT NULL,
	`members` integer NOT NULL,
	`power` integer NOT NULL,
	`score` integer NOT NULL,
	PRIMARY KEY(`game`, `kingdom_id`, `tag`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `kingdoms` (
	`game` text NOT NULL,
	`kingdom_id` integer NOT NULL,
	`captured_at` integer NOT NULL,
	`digested_at` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`game`, `kingdom_id`)
) WITHOUT ROWID;
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
ALTER TABLE `kingdom_days` ADD `inactive` integer;--> statement-breakpoint
CREATE VIRTUAL TABLE `search_index` USING fts5(
	`key`, `pairs`, content = 'search_entries', content_rowid = 'id', tokenize = 'trigram'
);
--> statement-breakpoint
CREATE TRIGGER `search_entries_added` AFTER INSERT ON `search_entries` BEGIN
	INSERT INTO `search_index` (`rowid`, `key`, `pairs`) VALUES (NEW.`id`, NEW.`key`, NEW.`pairs`);
END;
--> statement-breakpoint
CREATE TRIGGER `search_entries_removed` AFTER DELETE ON `search_entries` BEGIN
	INSERT INTO `search_index` (`search_index`, `rowid`, `key`, `pairs`) VALUES ('delete', OLD.`id`, OLD.`key`, OLD.`pairs`);
END;
--> statement-breakpoint
-- The newest snapshot of each kingdom, whichever way it came in.
CREATE TRIGGER `snapshots_kingdom_known` AFTER INSERT ON `snapshots` BEGIN
	INSERT INTO `kingdoms` (`game`, `kingdom_id`, `captured_at`) VALUES (NEW.`game`, NEW.`kingdom_id`, NEW.`captured_at`)
	ON CONFLICT (`game`, `kingdom_id`) DO UPDATE SET `captured_at` = excluded.`captured_at`
	WHERE excluded.`captured_at` > `captured_at`;
END;
--> statement-breakpoint
INSERT INTO `kingdoms` (`game`, `kingdom_id`, `captured_at`)
SELECT `game`, `kingdom_id`, max(`captured_at`) FROM `snapshots` GROUP BY `game`, `kingdom_id`;
