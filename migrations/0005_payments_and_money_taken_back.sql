CREATE TABLE `balance_alerts` (
	`user_id` text PRIMARY KEY NOT NULL,
	`threshold_cents` integer NOT NULL,
	`last_entry` integer DEFAULT 0 NOT NULL,
	`checked_entry` integer DEFAULT -1 NOT NULL,
	`warned` integer DEFAULT false NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `balance_alerts_due` ON `balance_alerts` (`user_id`) WHERE "balance_alerts"."last_entry" > "balance_alerts"."checked_entry";--> statement-breakpoint
CREATE TABLE `payments` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`request_key` text NOT NULL,
	`state` text DEFAULT 'open' NOT NULL,
	`session_id` text,
	`payment_intent` text,
	`created_at` integer NOT NULL,
	`paid_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `payments_request` ON `payments` (`user_id`,`request_key`);--> statement-breakpoint
CREATE UNIQUE INDEX `payments_session` ON `payments` (`session_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `payments_intent` ON `payments` (`payment_intent`);--> statement-breakpoint
CREATE INDEX `payments_paid` ON `payments` (`paid_at`) WHERE "payments"."paid_at" IS NOT NULL;--> statement-breakpoint
CREATE TABLE `reconciliations` (
	`day` text PRIMARY KEY NOT NULL,
	`ran_at` integer NOT NULL,
	`stripe_cents` integer NOT NULL,
	`ledger_cents` integer NOT NULL,
	`differences` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `reversals` (
	`id` text PRIMARY KEY NOT NULL,
	`payment_id` text NOT NULL,
	`user_id` text NOT NULL,
	`kind` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`covered_cents` integer DEFAULT 0 NOT NULL,
	`stage` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`payment_id`) REFERENCES `payments`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "reversal_not_negative" CHECK("reversals"."amount_cents" >= 0 AND "reversals"."covered_cents" >= 0)
);
--> statement-breakpoint
CREATE INDEX `reversals_uncovered` ON `reversals` (`user_id`) WHERE "reversals"."covered_cents" < "reversals"."amount_cents";
--> statement-breakpoint
-- While money that Stripe took back is not covered, nothing new is bought: no verb can forget to ask.
CREATE TRIGGER `ledger_entries_blocked` BEFORE INSERT ON `ledger_entries`
WHEN NEW.`kind` = 'charge' AND EXISTS (
	SELECT 1 FROM `reversals` WHERE `user_id` = NEW.`user_id` AND `covered_cents` < `amount_cents`
) BEGIN
	SELECT RAISE(ABORT, 'constraint failed: money taken back is not covered');
END;
--> statement-breakpoint
-- A balance that somebody wants to be told of has moved.
CREATE TRIGGER `ledger_entries_alert` AFTER INSERT ON `ledger_entries` BEGIN
	UPDATE `balance_alerts` SET `last_entry` = NEW.`id` WHERE `user_id` = NEW.`user_id`;
END;
