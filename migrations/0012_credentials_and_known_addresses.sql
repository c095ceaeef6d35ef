CREATE TABLE `known_addresses` (
	`user_id` text NOT NULL,
	`address` text NOT NULL,
	`last_seen_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `address`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
ALTER TABLE `users` ADD `credentials_version` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `mail_tokens` ADD `credentials_version` integer DEFAULT 0 NOT NULL;