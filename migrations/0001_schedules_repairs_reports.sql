CREATE TABLE `issue_reports` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` text NOT NULL,
	`order_id` integer NOT NULL,
	`item_id` text,
	`message` text NOT NULL,
	`rows` text DEFAULT '' NOT NULL,
	`created_at` integer NOT NULL,
	`answer` text,
	`answered_at` integer
);
--> statement-breakpoint
CREATE INDEX `issue_reports_open` ON `issue_reports` (`created_at`) WHERE "issue_reports"."answered_at" IS NULL;--> statement-breakpoint
CREATE TABLE `news` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`title` text NOT NULL,
	`body` text NOT NULL,
	`published_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `news_published` ON `news` (`published_at`);--> statement-breakpoint
CREATE TABLE `runs` (
	`schedule_id` integer NOT NULL,
	`due_at` integer NOT NULL,
	`outcome` text NOT NULL,
	`order_id` integer,
	`note` text,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`schedule_id`, `due_at`),
	FOREIGN KEY (`schedule_id`) REFERENCES `schedules`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `schedules` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`entries` text NOT NULL,
	`start_at` integer NOT NULL,
	`end_at` integer,
	`period` text NOT NULL,
	`interval` integer NOT NULL,
	`state` text DEFAULT 'active' NOT NULL,
	`next_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `schedules_user` ON `schedules` (`user_id`,`id`);--> statement-breakpoint
CREATE INDEX `schedules_due` ON `schedules` (`next_at`) WHERE "schedules"."state" = 'active';--> statement-breakpoint
CREATE TABLE `share_links` (
	`id` text PRIMARY KEY NOT NULL,
	`item_id` text NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`revoked_at` integer
);
--> statement-breakpoint
CREATE INDEX `share_links_item` ON `share_links` (`item_id`);--> statement-breakpoint
ALTER TABLE `items` ADD `version` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `items` ADD `repaired_at` integer;--> statement-breakpoint
ALTER TABLE `items` ADD `first_scan` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `mail_when_done` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `discord_url` text;