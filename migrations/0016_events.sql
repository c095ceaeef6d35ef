CREATE TABLE `event_files` (
	`event_id` integer NOT NULL,
	`hash` text NOT NULL,
	`event_snapshot_id` integer NOT NULL,
	`answer` text NOT NULL,
	PRIMARY KEY(`event_id`, `hash`),
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`event_snapshot_id`) REFERENCES `event_snapshots`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `event_parts` (
	`event_snapshot_id` integer NOT NULL,
	`kingdom_id` integer NOT NULL,
	`snapshot_id` integer,
	`stands_in` integer DEFAULT false NOT NULL,
	PRIMARY KEY(`event_snapshot_id`, `kingdom_id`),
	FOREIGN KEY (`event_snapshot_id`) REFERENCES `event_snapshots`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `event_refreshes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`event_id` integer NOT NULL,
	`due_at` integer NOT NULL,
	`order_id` integer,
	`started_at` integer NOT NULL,
	`deadline` integer NOT NULL,
	`state` text DEFAULT 'running' NOT NULL,
	`msg` text DEFAULT '' NOT NULL,
	`ended_at` integer,
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `event_refreshes_due` ON `event_refreshes` (`event_id`,`due_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `event_refreshes_running` ON `event_refreshes` (`event_id`) WHERE "event_refreshes"."state" = 'running';--> statement-breakpoint
CREATE INDEX `event_refreshes_open` ON `event_refreshes` (`deadline`) WHERE "event_refreshes"."state" = 'running';--> statement-breakpoint
CREATE TABLE `event_snapshots` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`event_id` integer NOT NULL,
	`ts` integer NOT NULL,
	`source` text NOT NULL,
	`created_at` integer NOT NULL,
	`corrected_at` integer,
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `event_snapshots_moment` ON `event_snapshots` (`event_id`,`ts`);--> statement-breakpoint
CREATE TABLE `events` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`game` text NOT NULL,
	`kvk_id` text NOT NULL,
	`name` text NOT NULL,
	`mark` text DEFAULT 'open' NOT NULL,
	`start_at` integer NOT NULL,
	`end_at` integer NOT NULL,
	`plan` text NOT NULL,
	`revision` integer DEFAULT 1 NOT NULL,
	`next_refresh` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `events_due` ON `events` (`next_refresh`) WHERE "events"."mark" = 'open';--> statement-breakpoint
CREATE INDEX `events_game` ON `events` (`game`,`start_at`);--> statement-breakpoint
CREATE TABLE `own_governors` (
	`user_id` text NOT NULL,
	`game` text NOT NULL,
	`governor_id` integer NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`user_id`, `game`, `governor_id`)
);
--> statement-breakpoint
-- The account that internal scans are ordered by. It counts as deleted, so nobody signs in to it and nothing lists it.
INSERT INTO `users` (`id`, `username`, `username_key`, `email`, `email_key`, `password_hash`, `created_at`, `deleted_at`)
VALUES ('service:events', 'events', 'service:events', '', 'service:events', '', 0, 0);
