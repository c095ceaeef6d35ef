CREATE TABLE `event_part_versions` (
	`event_snapshot_id` integer NOT NULL,
	`kingdom_id` integer NOT NULL,
	`snapshot_id` integer NOT NULL,
	`replaced_at` integer NOT NULL,
	PRIMARY KEY(`event_snapshot_id`, `kingdom_id`, `snapshot_id`),
	FOREIGN KEY (`event_snapshot_id`) REFERENCES `event_snapshots`(`id`) ON UPDATE no action ON DELETE no action
);
