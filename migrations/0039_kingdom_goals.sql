CREATE TABLE `kingdom_goals` (
	`user_id` text NOT NULL,
	`game` text NOT NULL,
	`kingdom_id` integer NOT NULL,
	`goals` text NOT NULL,
	`farms` integer,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `game`, `kingdom_id`)
);
