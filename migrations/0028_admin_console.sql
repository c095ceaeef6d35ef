CREATE TABLE `failed_attempts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`subtask_id` integer NOT NULL,
	`item_id` text NOT NULL,
	`order_id` integer NOT NULL,
	`game` text NOT NULL,
	`bot_id` text NOT NULL,
	`reason` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `failed_attempts_at` ON `failed_attempts` (`at`);--> statement-breakpoint
CREATE INDEX `failed_attempts_order` ON `failed_attempts` (`order_id`);--> statement-breakpoint
CREATE INDEX `failed_attempts_bot` ON `failed_attempts` (`bot_id`,`at`);--> statement-breakpoint
CREATE TABLE `settings` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL,
	`version` integer NOT NULL,
	`changed_at` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `subtasks` ADD `leased_at` integer;--> statement-breakpoint
ALTER TABLE `subtasks` ADD `ended_at` integer;--> statement-breakpoint
CREATE INDEX `subtasks_ended` ON `subtasks` (`ended_at`) WHERE "subtasks"."ended_at" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `subtasks_bot` ON `subtasks` (`bot_id`,`ended_at`) WHERE "subtasks"."ended_at" IS NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `locked_at` integer;--> statement-breakpoint
ALTER TABLE `users` ADD `locked_reason` text;--> statement-breakpoint
ALTER TABLE `bot_groups` ADD `paused_at` integer;--> statement-breakpoint
ALTER TABLE `bots` ADD `paused_at` integer;--> statement-breakpoint
ALTER TABLE `bots` ADD `retired_at` integer;--> statement-breakpoint
CREATE INDEX `issue_reports_order` ON `issue_reports` (`order_id`);--> statement-breakpoint
CREATE INDEX `items_kingdom` ON `items` (`kingdom_id`,`order_id`);--> statement-breakpoint
CREATE INDEX `items_ended_badly` ON `items` (`state`,`order_id`) WHERE "items"."state" IN ('failed', 'cancelled');--> statement-breakpoint
CREATE INDEX `orders_placed` ON `orders` (`placed_at`);--> statement-breakpoint
CREATE INDEX `audit_entries_actor` ON `audit_entries` (`actor`,`id`);