CREATE TABLE `bot_groups` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`token_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`revoked_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `bot_groups_token` ON `bot_groups` (`token_hash`);--> statement-breakpoint
CREATE TABLE `bots` (
	`group_id` text NOT NULL,
	`bot_id` text NOT NULL,
	`account_game` text NOT NULL,
	`kingdom_id` integer,
	`account_ip` text DEFAULT '' NOT NULL,
	`governor_id` integer,
	`packets_count` integer DEFAULT 0 NOT NULL,
	`tasking_count` integer DEFAULT 0 NOT NULL,
	`tasking_count_failed` integer DEFAULT 0 NOT NULL,
	`kingdom_titles` integer DEFAULT false NOT NULL,
	`discord_titles` integer DEFAULT false NOT NULL,
	`last_connected_at` integer NOT NULL,
	`error` text,
	PRIMARY KEY(`group_id`, `bot_id`),
	FOREIGN KEY (`group_id`) REFERENCES `bot_groups`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `bots_last_connected` ON `bots` (`last_connected_at`);--> statement-breakpoint
CREATE TABLE `governor_changes` (
	`game` text NOT NULL,
	`governor_id` integer NOT NULL,
	`field` text NOT NULL,
	`captured_at` integer NOT NULL,
	`old_value` text NOT NULL,
	`new_value` text NOT NULL,
	`kingdom_id` integer NOT NULL,
	PRIMARY KEY(`game`, `governor_id`, `captured_at`, `field`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `governor_changes_kingdom` ON `governor_changes` (`game`,`kingdom_id`,`captured_at`);--> statement-breakpoint
CREATE TABLE `governor_days` (
	`game` text NOT NULL,
	`governor_id` integer NOT NULL,
	`day` text NOT NULL,
	`kingdom_id` integer NOT NULL,
	`rank` integer NOT NULL,
	`power` integer NOT NULL,
	`score` integer,
	`deads` integer,
	`t4` integer,
	`t5` integer,
	`captured_at` integer NOT NULL,
	PRIMARY KEY(`game`, `governor_id`, `day`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `governors` (
	`game` text NOT NULL,
	`governor_id` integer NOT NULL,
	`kingdom_id` integer NOT NULL,
	`name` text NOT NULL,
	`alliance_tag` text NOT NULL,
	`power` integer NOT NULL,
	`score` integer,
	`deads` integer,
	`hall` integer,
	`t1` integer,
	`t2` integer,
	`t3` integer,
	`t4` integer,
	`t5` integer,
	`profile` text NOT NULL,
	`captured_at` integer NOT NULL,
	PRIMARY KEY(`game`, `governor_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `governors_kingdom` ON `governors` (`game`,`kingdom_id`,`power`);--> statement-breakpoint
CREATE TABLE `items` (
	`id` text PRIMARY KEY NOT NULL,
	`order_id` integer NOT NULL,
	`position` integer NOT NULL,
	`product_id` text NOT NULL,
	`game` text NOT NULL,
	`kingdom_id` integer NOT NULL,
	`governors` integer NOT NULL,
	`full_profile` integer NOT NULL,
	`price_cents` integer NOT NULL,
	`details` text NOT NULL,
	`state` text DEFAULT 'open' NOT NULL,
	`subtask_count` integer NOT NULL,
	`incomplete_count` integer NOT NULL,
	`failed_count` integer DEFAULT 0 NOT NULL,
	`error` text,
	`snapshot_id` integer,
	`finished_at` integer,
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `items_order` ON `items` (`order_id`,`position`);--> statement-breakpoint
CREATE INDEX `items_unfinished` ON `items` (`order_id`) WHERE "items"."state" IN ('open', 'finishing');--> statement-breakpoint
CREATE INDEX `items_settling` ON `items` (`order_id`) WHERE "items"."state" IN ('open', 'finishing') AND "items"."incomplete_count" = 0;--> statement-breakpoint
CREATE TABLE `kingdom_days` (
	`game` text NOT NULL,
	`kingdom_id` integer NOT NULL,
	`day` text NOT NULL,
	`captured_at` integer NOT NULL,
	`snapshot_id` integer NOT NULL,
	`totals` text NOT NULL,
	PRIMARY KEY(`game`, `kingdom_id`, `day`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `ledger_entries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`kind` text NOT NULL,
	`reference` text NOT NULL,
	`note` text DEFAULT '' NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `ledger_entries_reference` ON `ledger_entries` (`reference`);--> statement-breakpoint
CREATE INDEX `ledger_entries_user` ON `ledger_entries` (`user_id`,`id`);--> statement-breakpoint
CREATE TABLE `orders` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`uuid` text NOT NULL,
	`user_id` text NOT NULL,
	`placed_at` integer NOT NULL,
	`total_cents` integer NOT NULL,
	`idempotency_key` text,
	`request_hash` text DEFAULT '' NOT NULL,
	`entries` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `orders_uuid` ON `orders` (`uuid`);--> statement-breakpoint
CREATE UNIQUE INDEX `orders_idempotency` ON `orders` (`user_id`,`idempotency_key`);--> statement-breakpoint
CREATE INDEX `orders_user` ON `orders` (`user_id`,`id`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`user_agent` text DEFAULT '' NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`user_id`);--> statement-breakpoint
CREATE TABLE `snapshots` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
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
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `snapshots_key` ON `snapshots` (`key`);--> statement-breakpoint
CREATE INDEX `snapshots_kingdom` ON `snapshots` (`game`,`kingdom_id`,`captured_at`);--> statement-breakpoint
CREATE TABLE `subtasks` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`item_id` text NOT NULL,
	`number` integer NOT NULL,
	`order_id` integer NOT NULL,
	`game` text NOT NULL,
	`due` integer NOT NULL,
	`state` text DEFAULT 'waiting' NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`lease` text,
	`lease_until` integer DEFAULT 0 NOT NULL,
	`bot_id` text,
	`error` text,
	FOREIGN KEY (`item_id`) REFERENCES `items`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `subtasks_item` ON `subtasks` (`item_id`,`number`);--> statement-breakpoint
CREATE INDEX `subtasks_leases` ON `subtasks` (`lease_until`) WHERE "subtasks"."state" = 'leased';--> statement-breakpoint
CREATE INDEX `subtasks_queue` ON `subtasks` (`game`,`due`) WHERE "subtasks"."state" IN ('waiting', 'leased');--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`username` text NOT NULL,
	`username_key` text NOT NULL,
	`email` text NOT NULL,
	`email_key` text NOT NULL,
	`full_name` text DEFAULT '' NOT NULL,
	`password_hash` text NOT NULL,
	`role` text DEFAULT 'user' NOT NULL,
	`eula_version` integer DEFAULT 0 NOT NULL,
	`verified_at` integer,
	`created_at` integer NOT NULL,
	`balance_cents` integer DEFAULT 0 NOT NULL,
	`stripe_customer_id` text,
	CONSTRAINT "balance_not_negative" CHECK("users"."balance_cents" >= 0)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_username` ON `users` (`username_key`);--> statement-breakpoint
CREATE UNIQUE INDEX `users_email` ON `users` (`email_key`);--> statement-breakpoint
-- The ledger is append-only, and the balance follows from it: no verb can forget one of the two.
CREATE TRIGGER `ledger_entries_balance` AFTER INSERT ON `ledger_entries` BEGIN
	UPDATE `users` SET `balance_cents` = `balance_cents` + NEW.`amount_cents` WHERE `id` = NEW.`user_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `ledger_entries_no_update` BEFORE UPDATE ON `ledger_entries` BEGIN
	SELECT RAISE(ABORT, 'ledger entries are never changed');
END;
--> statement-breakpoint
CREATE TRIGGER `ledger_entries_no_delete` BEFORE DELETE ON `ledger_entries` BEGIN
	SELECT RAISE(ABORT, 'ledger entries are never deleted');
END;
