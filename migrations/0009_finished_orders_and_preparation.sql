CREATE TABLE `notifications` (
	`user_id` text PRIMARY KEY NOT NULL,
	`by_mail` integer DEFAULT false NOT NULL,
	`discord` text,
	`trouble` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `items` ADD `preparing_until` integer;--> statement-breakpoint
ALTER TABLE `items` DROP COLUMN `first_scan`;--> statement-breakpoint
ALTER TABLE `schedules` ADD `request_hash` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `outbox` ADD `channel` text DEFAULT 'mail' NOT NULL;