CREATE TABLE `team_invites` (
	`id` text PRIMARY KEY NOT NULL,
	`team_id` text NOT NULL,
	`role` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`user_id` text,
	FOREIGN KEY (`team_id`) REFERENCES `teams`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `team_invites_team` ON `team_invites` (`team_id`);--> statement-breakpoint
CREATE INDEX `team_invites_expires` ON `team_invites` (`expires_at`);--> statement-breakpoint
CREATE TABLE `team_members` (
	`team_id` text NOT NULL,
	`user_id` text NOT NULL,
	`role` text NOT NULL,
	`joined_at` integer NOT NULL,
	PRIMARY KEY(`team_id`, `user_id`),
	FOREIGN KEY (`team_id`) REFERENCES `teams`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `team_members_user` ON `team_members` (`user_id`);--> statement-breakpoint
CREATE TABLE `teams` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`owner_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`balance_cents` integer DEFAULT 0 NOT NULL,
	`monthly_limit_cents` integer DEFAULT 0 NOT NULL,
	`closed_at` integer,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "team_balance_not_negative" CHECK("teams"."balance_cents" >= 0)
);
--> statement-breakpoint
CREATE INDEX `teams_owner` ON `teams` (`owner_id`);--> statement-breakpoint
ALTER TABLE `ledger_entries` ADD `team_id` text REFERENCES teams(id);--> statement-breakpoint
CREATE INDEX `ledger_entries_team` ON `ledger_entries` (`team_id`,`created_at`) WHERE "ledger_entries"."team_id" IS NOT NULL;--> statement-breakpoint
ALTER TABLE `orders` ADD `team_id` text REFERENCES teams(id);--> statement-breakpoint
-- An entry moves the balance of the team, if it has one, otherwise of the user.
DROP TRIGGER `ledger_entries_balance`;
--> statement-breakpoint
CREATE TRIGGER `ledger_entries_balance` AFTER INSERT ON `ledger_entries` BEGIN
	UPDATE `users` SET `balance_cents` = `balance_cents` + NEW.`amount_cents`
		WHERE `id` = NEW.`user_id` AND NEW.`team_id` IS NULL;
	UPDATE `teams` SET `balance_cents` = `balance_cents` + NEW.`amount_cents` WHERE `id` = NEW.`team_id`;
END;
--> statement-breakpoint
-- An account with money taken back neither orders nor moves money to a team, and its teams do not order.
DROP TRIGGER `ledger_entries_blocked`;
--> statement-breakpoint
CREATE TRIGGER `ledger_entries_blocked` BEFORE INSERT ON `ledger_entries`
WHEN (NEW.`kind` = 'charge' OR (NEW.`kind` = 'transfer' AND NEW.`team_id` IS NULL AND NEW.`amount_cents` < 0))
	AND EXISTS (
		SELECT 1 FROM `reversals`
		WHERE `user_id` = coalesce((SELECT `owner_id` FROM `teams` WHERE `id` = NEW.`team_id`), NEW.`user_id`)
			AND `covered_cents` < `amount_cents`
	) BEGIN
	SELECT RAISE(ABORT, 'constraint failed: money taken back is not covered');
END;
--> statement-breakpoint
-- A team pays only for its leaders, and for those who do not own it only within its limit of the month (UTC).
CREATE TRIGGER `ledger_entries_team_charge` BEFORE INSERT ON `ledger_entries`
WHEN NEW.`kind` = 'charge' AND NEW.`team_id` IS NOT NULL BEGIN
	SELECT RAISE(ABORT, 'constraint failed: no leader of the team') WHERE NOT EXISTS (
		SELECT 1 FROM `team_members` JOIN `teams` ON `teams`.`id` = `team_members`.`team_id`
		WHERE `team_members`.`team_id` = NEW.`team_id` AND `team_members`.`user_id` = NEW.`user_id`
			AND `closed_at` IS NULL AND (`role` = 'leader' OR `owner_id` = NEW.`user_id`)
	);
	SELECT RAISE(ABORT, 'constraint failed: monthly limit of the team') WHERE EXISTS (
		SELECT 1 FROM `teams` WHERE `id` = NEW.`team_id` AND `owner_id` <> NEW.`user_id`
			AND `monthly_limit_cents` + NEW.`amount_cents` + (
				SELECT coalesce(sum(`amount_cents`), 0) FROM `ledger_entries`
				WHERE `team_id` = NEW.`team_id` AND `user_id` <> `owner_id` AND `kind` IN ('charge', 'return')
					AND `created_at` >= unixepoch(NEW.`created_at` / 1000, 'unixepoch', 'start of month') * 1000
			) < 0
	);
END;
--> statement-breakpoint
-- Its money would belong to nobody.
CREATE TRIGGER `users_deleted_own_no_team` BEFORE UPDATE OF `deleted_at` ON `users`
WHEN NEW.`deleted_at` IS NOT NULL AND EXISTS (
	SELECT 1 FROM `teams` WHERE `owner_id` = NEW.`id` AND `closed_at` IS NULL
) BEGIN
	SELECT RAISE(ABORT, 'constraint failed: owner of a team');
END;
