CREATE TABLE `fights` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`game` text NOT NULL,
	`name` text NOT NULL,
	`from_scans` text NOT NULL,
	`to_scans` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `fights_user` ON `fights` (`user_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `header_mappings` (
	`user_id` text NOT NULL,
	`headers_hash` text NOT NULL,
	`mapping` text NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `headers_hash`)
);
--> statement-breakpoint
CREATE TABLE `imports` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`name` text NOT NULL,
	`content_hash` text NOT NULL,
	`said` text NOT NULL,
	`state` text NOT NULL,
	`scan_ids` text DEFAULT '[]' NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `imports_user` ON `imports` (`user_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `imports_expiry` ON `imports` (`expires_at`);--> statement-breakpoint
CREATE TABLE `report_links` (
	`id` text PRIMARY KEY NOT NULL,
	`report_id` text NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`revoked_at` integer
);
--> statement-breakpoint
CREATE INDEX `report_links_report` ON `report_links` (`report_id`);--> statement-breakpoint
CREATE TABLE `reports` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`name` text NOT NULL,
	`game` text NOT NULL,
	`ranges` text NOT NULL,
	`settings` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `reports_user` ON `reports` (`user_id`,`updated_at`);--> statement-breakpoint
CREATE TABLE `rosters` (
	`user_id` text NOT NULL,
	`game` text NOT NULL,
	`kingdom_id` integer NOT NULL,
	`entries` text NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `game`, `kingdom_id`)
);
--> statement-breakpoint
CREATE TABLE `scan_labels` (
	`user_id` text NOT NULL,
	`scan_id` text NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`tags` text DEFAULT '[]' NOT NULL,
	`note` text DEFAULT '' NOT NULL,
	`hidden` integer DEFAULT false NOT NULL,
	PRIMARY KEY(`user_id`, `scan_id`)
);
--> statement-breakpoint
CREATE TABLE `scans` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`game` text NOT NULL,
	`kingdom_id` integer NOT NULL,
	`captured_at` integer NOT NULL,
	`range_from` integer,
	`stage` text,
	`key` text NOT NULL,
	`source` text NOT NULL,
	`dialect` text NOT NULL,
	`rows` integer NOT NULL,
	`bytes` integer NOT NULL,
	`quality` text NOT NULL,
	`content_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `scans_content` ON `scans` (`user_id`,`content_hash`,`game`,`kingdom_id`,`captured_at`);--> statement-breakpoint
CREATE INDEX `scans_user` ON `scans` (`user_id`,`captured_at`);--> statement-breakpoint
CREATE INDEX `scans_expiry` ON `scans` (`expires_at`);