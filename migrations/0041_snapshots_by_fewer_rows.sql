-- Each scan writes a row of `snapshots` with its indexes. The sequence of ids cost another row, and so did the index by
-- item. An item refers to its newest snapshot, and those before it are among the snapshots of its kingdom. Until it is
-- replaced, the release before finds them by reading the whole table.
CREATE TABLE `snapshots_without_sequence` (
	`id` integer PRIMARY KEY NOT NULL,
	`key` text NOT NULL,
	`game` text NOT NULL,
	`kingdom_id` integer NOT NULL,
	`captured_at` integer NOT NULL,
	`source` text NOT NULL,
	`rows` integer NOT NULL,
	`bytes` integer NOT NULL,
	`quality` text NOT NULL,
	`item_id` text,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`kind` text DEFAULT 'scan' NOT NULL
);--> statement-breakpoint
INSERT INTO `snapshots_without_sequence`
	(`id`, `key`, `game`, `kingdom_id`, `kind`, `captured_at`, `source`, `rows`, `bytes`, `quality`, `item_id`, `version`,
	`created_at`)
SELECT `id`, `key`, `game`, `kingdom_id`, `kind`, `captured_at`, `source`, `rows`, `bytes`, `quality`, `item_id`, `version`,
	`created_at`
FROM `snapshots` ORDER BY `id`;--> statement-breakpoint
DROP TABLE `snapshots`;--> statement-breakpoint
ALTER TABLE `snapshots_without_sequence` RENAME TO `snapshots`;--> statement-breakpoint
CREATE UNIQUE INDEX `snapshots_key` ON `snapshots` (`key`);--> statement-breakpoint
CREATE INDEX `snapshots_kingdom` ON `snapshots` (`game`,`kingdom_id`,`captured_at`);--> statement-breakpoint
-- Without a sequence, the id of a recalled snapshot may be given again.
DELETE FROM `event_part_versions` WHERE `snapshot_id` NOT IN (SELECT `id` FROM `snapshots`);--> statement-breakpoint
-- As before the rebuild: a scan makes its kingdom known and its time the newest. A history does not.
CREATE TRIGGER `snapshots_kingdom_known` AFTER INSERT ON `snapshots` WHEN NEW.`kind` = 'scan' BEGIN
	INSERT INTO `kingdoms` (`game`, `kingdom_id`, `captured_at`) VALUES (NEW.`game`, NEW.`kingdom_id`, NEW.`captured_at`)
	ON CONFLICT (`game`, `kingdom_id`) DO UPDATE SET `captured_at` = excluded.`captured_at`
	WHERE excluded.`captured_at` > `captured_at`;
END;
