ALTER TABLE `snapshots` ADD `kind` text DEFAULT 'scan' NOT NULL;--> statement-breakpoint
DROP TRIGGER `snapshots_kingdom_known`;
--> statement-breakpoint
-- The newest scan of each kingdom, whichever way it came in; a history is no scan.
CREATE TRIGGER `snapshots_kingdom_known` AFTER INSERT ON `snapshots` WHEN NEW.`kind` = 'scan' BEGIN
	INSERT INTO `kingdoms` (`game`, `kingdom_id`, `captured_at`) VALUES (NEW.`game`, NEW.`kingdom_id`, NEW.`captured_at`)
	ON CONFLICT (`game`, `kingdom_id`) DO UPDATE SET `captured_at` = excluded.`captured_at`
	WHERE excluded.`captured_at` > `captured_at`;
END;
