CREATE TABLE `failed_answers` (
	`minute` integer PRIMARY KEY NOT NULL,
	`count` integer NOT NULL
);
