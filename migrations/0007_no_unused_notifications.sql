ALTER TABLE `users` DROP COLUMN `mail_when_done`;--> statement-breakpoint
ALTER TABLE `users` DROP COLUMN `discord_url`;