CREATE TABLE `event_follows` (
	`user_id` text NOT NULL,
	`event_id` integer NOT NULL,
	`kingdom` text DEFAULT '' NOT NULL,
	`told_ts` integer NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `event_id`, `kingdom`),
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `event_follows_told` ON `event_follows` (`event_id`,`told_ts`);--> statement-breakpoint
CREATE TABLE `own_kingdoms` (
	`user_id` text NOT NULL,
	`game` text NOT NULL,
	`kingdom` text NOT NULL,
	PRIMARY KEY(`user_id`, `game`)
);
--> statement-breakpoint
ALTER TABLE `notifications` ADD `events_by_mail` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `notifications` ADD `events_by_webhook` integer DEFAULT true NOT NULL;