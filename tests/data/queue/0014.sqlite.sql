BEGIN TRANSACTION;
CREATE TABLE accounts (
	entry VARCHAR(24) NOT NULL, 
	phase VARCHAR(500) NOT NULL, 
	number INTEGER NOT NULL, 
	bits FLOAT NOT NULL, 
	terms TEXT NOT NULL, 
	shown BOOLEAN, 
	score FLOAT, 
	best FLOAT, 
	PRIMARY KEY (entry), 
	FOREIGN KEY(entry) REFERENCES entries (id)
);
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0014');
CREATE TABLE answers (
	address VARCHAR(320) NOT NULL, 
	"key" VARCHAR(255) NOT NULL, 
	request VARCHAR(64) NOT NULL, 
	status INTEGER NOT NULL, 
	body TEXT NOT NULL, 
	at FLOAT NOT NULL, 
	PRIMARY KEY (address, "key")
);
CREATE TABLE bests (
	challenge VARCHAR(500) NOT NULL, 
	team VARCHAR(100) NOT NULL, 
	rules VARCHAR(200) NOT NULL, 
	attempt TEXT NOT NULL, 
	PRIMARY KEY (challenge, team, rules)
);
CREATE TABLE details (
	sha256 VARCHAR(64) NOT NULL, 
	data BLOB NOT NULL, 
	PRIMARY KEY (sha256)
);
CREATE TABLE entries (
	id VARCHAR(24) NOT NULL, 
	number INTEGER NOT NULL, 
	challenge VARCHAR(500) NOT NULL, 
	team VARCHAR(100) NOT NULL, 
	name VARCHAR(255) NOT NULL, 
	sha256 VARCHAR(64) NOT NULL, 
	bytes BIGINT NOT NULL, 
	"commit" VARCHAR(64) NOT NULL, 
	state VARCHAR(10) NOT NULL, 
	attempt INTEGER NOT NULL, 
	charged BOOLEAN NOT NULL, 
	submitted FLOAT NOT NULL, 
	changed FLOAT NOT NULL, owner VARCHAR(200) DEFAULT '' NOT NULL, flow INTEGER DEFAULT '0' NOT NULL, reason TEXT DEFAULT '' NOT NULL, "plan" TEXT DEFAULT '' NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (number)
);
INSERT INTO "entries" VALUES('e1',1,'cinc2017','team 1','e1.zip','0000000000000000000000000000000000000000000000000000000000000001',10,'','done',1,1,101.0,201.0,'',0,'{"cause": "verdict", "verdict": "OK"}','');
INSERT INTO "entries" VALUES('e2',2,'cinc2017','team 0','e2.zip','0000000000000000000000000000000000000000000000000000000000000002',10,'','parked',1,0,102.0,202.0,'',0,'{"cause": "earlier", "message": "quiz: the infrastructure is at fault: SandboxFault: the guest closed its channel"}','');
INSERT INTO "entries" VALUES('e3',3,'cinc2017','team 1','e3.zip','0000000000000000000000000000000000000000000000000000000000000003',10,'','queued',1,0,103.0,203.0,'',0,'','');
INSERT INTO "entries" VALUES('e4',4,'cinc2017','team 0','e4.zip','0000000000000000000000000000000000000000000000000000000000000004',10,'','cancelled',1,0,104.0,204.0,'',0,'{"cause": "organiser"}','');
INSERT INTO "entries" VALUES('e5',5,'cinc2017','team 1','e5.zip','0000000000000000000000000000000000000000000000000000000000000005',10,'','exam',1,1,105.0,205.0,'',0,'{"cause": "earlier", "message": "try 2 in 30 s: SandboxFault: the guest closed its channel"}','');
CREATE TABLE fault_entries (
	fault INTEGER NOT NULL, 
	entry VARCHAR(24) NOT NULL, 
	attempt INTEGER NOT NULL, 
	PRIMARY KEY (fault, entry, attempt), 
	FOREIGN KEY(fault) REFERENCES faults (id), 
	FOREIGN KEY(entry) REFERENCES entries (id)
);
CREATE TABLE faults (
	id INTEGER NOT NULL, 
	part VARCHAR(20) NOT NULL, 
	name VARCHAR(500) NOT NULL, 
	stage VARCHAR(10) NOT NULL, 
	message TEXT NOT NULL, 
	lines TEXT NOT NULL, 
	first FLOAT NOT NULL, 
	last FLOAT NOT NULL, 
	times INTEGER NOT NULL, 
	streak TEXT NOT NULL, 
	challenges TEXT NOT NULL, 
	stopped BOOLEAN NOT NULL, 
	resolved FLOAT NOT NULL, 
	PRIMARY KEY (id)
);
CREATE TABLE hosts (
	executor VARCHAR(200) NOT NULL, 
	name VARCHAR(100) NOT NULL, 
	place VARCHAR(500) NOT NULL, 
	slots INTEGER NOT NULL, 
	version VARCHAR(50) NOT NULL, 
	flow VARCHAR(20) NOT NULL, 
	started FLOAT NOT NULL, 
	expires FLOAT NOT NULL, gpus INTEGER DEFAULT '0' NOT NULL, ttl FLOAT DEFAULT '0' NOT NULL, threads TEXT DEFAULT '' NOT NULL, 
	PRIMARY KEY (executor)
);
INSERT INTO "hosts" VALUES('green:1','green','p',2,'0.1.0','flow2',90.0,9000000000.0,0,0.0,'');
CREATE TABLE identities (
	issuer VARCHAR(500) NOT NULL, 
	subject VARCHAR(255) NOT NULL, 
	address VARCHAR(320) NOT NULL, 
	since FLOAT NOT NULL, 
	PRIMARY KEY (issuer, subject)
);
CREATE TABLE journal (
	number INTEGER NOT NULL, 
	at FLOAT NOT NULL, 
	entry VARCHAR(24) NOT NULL, 
	event VARCHAR(20) NOT NULL, 
	data TEXT NOT NULL, 
	chain VARCHAR(64) NOT NULL, 
	PRIMARY KEY (number)
);
INSERT INTO "journal" VALUES(1,101.0,'e1','submitted','{"challenge": "cinc2017", "team": "team 1", "name": "e1.zip", "sha256": "0000000000000000000000000000000000000000000000000000000000000001", "bytes": 10, "commit": "", "number": 1}','9ad2d3809b4b3ed4553f37b93707d294cf782e7fd8cfe6ecb7aae304cbc59067');
INSERT INTO "journal" VALUES(2,102.0,'e1','charged','{"charged": true}','1fea580f42d26c5551a6110d4cca5080c4def3dee9e6ab5b4a1762d28762433f');
INSERT INTO "journal" VALUES(3,103.0,'e1','moved','{"to": "done", "detail": "OK", "charged": null}','0535e87c0abefb5c25994e8c1feabddfcce2ca05b164b50eff955a6520ba9c9d');
INSERT INTO "journal" VALUES(4,104.0,'e2','submitted','{"challenge": "cinc2017", "team": "team 0", "name": "e2.zip", "sha256": "0000000000000000000000000000000000000000000000000000000000000002", "bytes": 10, "commit": "", "number": 2}','376f3dc7d472d89e87ab4f719e412ff9d41461c5c281fdbe3209913581859c4c');
INSERT INTO "journal" VALUES(5,105.0,'e2','moved','{"to": "parked", "detail": "quiz: the infrastructure is at fault: SandboxFault: the guest closed its channel", "charged": null}','ab093d91e8308bf497c4f0069b50a1a98b6528c81ab9072df0badda13c04df67');
INSERT INTO "journal" VALUES(6,106.0,'e3','submitted','{"challenge": "cinc2017", "team": "team 1", "name": "e3.zip", "sha256": "0000000000000000000000000000000000000000000000000000000000000003", "bytes": 10, "commit": "", "number": 3}','501c2f7ea3f1a1e10510dedae9a9c91ad6f7aeff57b531a45797e80a5f56fd91');
INSERT INTO "journal" VALUES(7,107.0,'e4','submitted','{"challenge": "cinc2017", "team": "team 0", "name": "e4.zip", "sha256": "0000000000000000000000000000000000000000000000000000000000000004", "bytes": 10, "commit": "", "number": 4}','367f3895928dcefd829332b694cae8a840c14a5f8db2ff87273e073b41e62e18');
INSERT INTO "journal" VALUES(8,108.0,'e4','moved','{"to": "cancelled", "detail": "by the organiser", "charged": null}','a1676070e331838d90548581d505cdf984f041d59c36462d827b7fedaa2853d0');
INSERT INTO "journal" VALUES(9,109.0,'e5','submitted','{"challenge": "cinc2017", "team": "team 1", "name": "e5.zip", "sha256": "0000000000000000000000000000000000000000000000000000000000000005", "bytes": 10, "commit": "", "number": 5}','0b66f6591acc5ebc847edcc9296c9843da1f08b2b4224719852dba3ca76235fa');
INSERT INTO "journal" VALUES(10,110.0,'e5','charged','{"charged": true}','5a9adc864eb3c944f0ee055b6db77ed0f249a693bbd35eeeb2c87e04f6ad8907');
INSERT INTO "journal" VALUES(11,111.0,'e5','moved','{"to": "exam", "detail": "try 2 in 30 s: SandboxFault: the guest closed its channel", "charged": null}','04870e810823a85e51ef8e1027992cdd6fc7026d03739159663fd643d9cd90d0');
INSERT INTO "journal" VALUES(12,112.0,'e1','result','{"stage": "prep", "attempt": 1, "result": {"stage": "prep", "verdict": "OK", "message": "", "usage": {"instructions": 5, "wall_seconds": 0.5, "memory_bytes": 0, "output_bytes": 0}, "records": [], "diagnostics": "", "machine": null}}','4826f2ca4ddca95b7039b80532b19977318c96b04841409b22f2573704049304');
INSERT INTO "journal" VALUES(13,113.0,'e1','result','{"stage": "quiz", "attempt": 1, "result": {"stage": "quiz", "verdict": "OK", "message": "", "usage": {"instructions": 5, "wall_seconds": 0.5, "memory_bytes": 0, "output_bytes": 0}, "records": [], "diagnostics": "", "machine": null}}','da24f66ebdde74a374683f7c834bcd108b12c06c5c5c6a0eab9efaa47579db88');
INSERT INTO "journal" VALUES(14,114.0,'e1','result','{"stage": "exam", "attempt": 1, "result": {"stage": "exam", "verdict": "OK", "message": "", "usage": {"instructions": 5, "wall_seconds": 0.5, "memory_bytes": 0, "output_bytes": 0}, "records": [], "diagnostics": "", "machine": null}}','8b09c6df20250718291c33601d5b141d1272ed38502025e7ceccada2241a49fd');
INSERT INTO "journal" VALUES(15,115.0,'e1','result','{"stage": "score", "attempt": 1, "result": {"stage": "score", "verdict": "OK", "message": "", "usage": {"instructions": 5, "wall_seconds": 0.5, "memory_bytes": 0, "output_bytes": 0}, "records": [], "diagnostics": "", "machine": null}}','9cb1a30e7f10c212e4c454ff6ef9c0172cc32d5692aeab5227bd4cdf4e48fe61');
INSERT INTO "journal" VALUES(16,116.0,'e1','score','{"attempt": 1, "score": {"primary": "F1", "values": {"F1": 0.5}, "official": {"F1": 0.5}, "intervals": {}, "notes": []}}','3656a04dbe116272d652394d7e95aa2dc859c8a7355b9a6231caf2664a67ea2a');
INSERT INTO "journal" VALUES(17,117.0,'e1','shadowed','{"attempt": 2, "purpose": "r1", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}','a3d407e4fa420b6265b6ce0187bb7a970519b7e543c1dbb3bfe995cc97b45e13');
INSERT INTO "journal" VALUES(18,118.0,'e1','shadow-moved','{"attempt": 2, "to": "cancelled", "detail": "discarded"}','fd6eb7cad4dec0f6c48177b7e9cec7553248b49bdd1d9bbe6add380a573d0e72');
INSERT INTO "journal" VALUES(19,119.0,'e1','shadowed','{"attempt": 3, "purpose": "r2", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}','8af2c23662eacaec72c3bc0b43b44387269518465c9a61456d931cc0515cab26');
INSERT INTO "journal" VALUES(20,120.0,'e1','shadow-moved','{"attempt": 3, "to": "parked", "detail": "score: no references"}','fdfda640a1e521d0f70bd48a2bf2130910d1985f3a9afd9d97f95588c8c0f721');
CREATE TABLE journal_parts (
	first INTEGER NOT NULL, 
	last INTEGER NOT NULL, 
	chain VARCHAR(64) NOT NULL, 
	lines TEXT NOT NULL, 
	PRIMARY KEY (first)
);
CREATE TABLE links (
	digest VARCHAR(64) NOT NULL, 
	kind VARCHAR(20) NOT NULL, 
	subject VARCHAR(2000) NOT NULL, 
	created FLOAT NOT NULL, 
	expires FLOAT NOT NULL, 
	PRIMARY KEY (digest)
);
CREATE TABLE members (
	team VARCHAR(100) NOT NULL, 
	address VARCHAR(320) NOT NULL, 
	name VARCHAR(200) DEFAULT '' NOT NULL, 
	role VARCHAR(20) NOT NULL, 
	mail BOOLEAN NOT NULL, person VARCHAR(320) DEFAULT '' NOT NULL, own BOOLEAN DEFAULT 0 NOT NULL, 
	PRIMARY KEY (team, address), 
	FOREIGN KEY(team) REFERENCES teams (name)
);
CREATE TABLE results (
	entry VARCHAR(24) NOT NULL, 
	attempt INTEGER NOT NULL, 
	stage VARCHAR(10) NOT NULL, 
	verdict VARCHAR(20) NOT NULL, 
	instructions BIGINT NOT NULL, 
	wall_seconds FLOAT NOT NULL, 
	result TEXT NOT NULL, 
	at FLOAT NOT NULL, 
	PRIMARY KEY (entry, attempt, stage), 
	FOREIGN KEY(entry) REFERENCES entries (id)
);
INSERT INTO "results" VALUES('e1',1,'prep','OK',5,0.5,'{"stage": "prep", "verdict": "OK", "message": "", "usage": {"instructions": 5, "wall_seconds": 0.5, "memory_bytes": 0, "output_bytes": 0}, "records": [], "diagnostics": "", "machine": null}',150.0);
INSERT INTO "results" VALUES('e1',1,'quiz','OK',5,0.5,'{"stage": "quiz", "verdict": "OK", "message": "", "usage": {"instructions": 5, "wall_seconds": 0.5, "memory_bytes": 0, "output_bytes": 0}, "records": [], "diagnostics": "", "machine": null}',150.0);
INSERT INTO "results" VALUES('e1',1,'exam','OK',5,0.5,'{"stage": "exam", "verdict": "OK", "message": "", "usage": {"instructions": 5, "wall_seconds": 0.5, "memory_bytes": 0, "output_bytes": 0}, "records": [], "diagnostics": "", "machine": null}',150.0);
INSERT INTO "results" VALUES('e1',1,'score','OK',5,0.5,'{"stage": "score", "verdict": "OK", "message": "", "usage": {"instructions": 5, "wall_seconds": 0.5, "memory_bytes": 0, "output_bytes": 0}, "records": [], "diagnostics": "", "machine": null}',150.0);
CREATE TABLE scores (
	entry VARCHAR(24) NOT NULL, 
	attempt INTEGER NOT NULL, 
	"key" VARCHAR(100) NOT NULL, 
	value FLOAT, 
	score TEXT NOT NULL, 
	at FLOAT NOT NULL, low FLOAT, high FLOAT, judged VARCHAR(64) DEFAULT '' NOT NULL, 
	PRIMARY KEY (entry, attempt), 
	FOREIGN KEY(entry) REFERENCES entries (id)
);
INSERT INTO "scores" VALUES('e1',1,'F1',0.5,'{"primary": "F1", "values": {"F1": 0.5}, "official": {"F1": 0.5}, "intervals": {}, "notes": []}',151.0,NULL,NULL,'');
CREATE TABLE sessions (
	digest VARCHAR(64) NOT NULL, 
	address VARCHAR(320) NOT NULL, 
	created FLOAT NOT NULL, 
	expires FLOAT NOT NULL, 
	PRIMARY KEY (digest)
);
CREATE TABLE settings (
	"key" VARCHAR(200) NOT NULL, 
	value TEXT NOT NULL, 
	PRIMARY KEY ("key")
);
INSERT INTO "settings" VALUES('times-exact-after','0');
INSERT INTO "settings" VALUES('rejudgings','2');
CREATE TABLE shadows (
	entry VARCHAR(24) NOT NULL, 
	attempt INTEGER NOT NULL, 
	purpose VARCHAR(100) NOT NULL, 
	challenge VARCHAR(500) NOT NULL, 
	"references" TEXT NOT NULL, 
	base INTEGER NOT NULL, 
	first VARCHAR(10) NOT NULL, 
	state VARCHAR(10) NOT NULL, 
	changed FLOAT NOT NULL, 
	adopted BOOLEAN NOT NULL, 
	owner VARCHAR(200) NOT NULL, 
	flow INTEGER NOT NULL, reason TEXT DEFAULT '' NOT NULL, "plan" TEXT DEFAULT '' NOT NULL, 
	PRIMARY KEY (entry, attempt), 
	FOREIGN KEY(entry) REFERENCES entries (id)
);
INSERT INTO "shadows" VALUES('e1',2,'r1','cinc2017','',1,'score','cancelled',300.0,0,'',0,'{"cause": "discarded"}','');
INSERT INTO "shadows" VALUES('e1',3,'r2','cinc2017','',1,'score','parked',300.0,0,'',0,'{"cause": "earlier", "message": "score: no references"}','');
CREATE TABLE shares (
	queue VARCHAR(10) NOT NULL, 
	team VARCHAR(100) NOT NULL, 
	tag FLOAT NOT NULL, 
	PRIMARY KEY (queue, team)
);
INSERT INTO "shares" VALUES('entries','team 0',2.0);
INSERT INTO "shares" VALUES('entries','',1.0);
CREATE TABLE tasks (
	entry VARCHAR(24) NOT NULL, 
	attempt INTEGER NOT NULL, 
	task VARCHAR(20) NOT NULL, 
	number INTEGER NOT NULL, 
	stage VARCHAR(10) NOT NULL, 
	tag FLOAT NOT NULL, 
	executor VARCHAR(200) NOT NULL, 
	since FLOAT NOT NULL, 
	deadline FLOAT, gpus TEXT DEFAULT '[]' NOT NULL, turn INTEGER DEFAULT '0' NOT NULL, place BIGINT DEFAULT '0' NOT NULL, seconds FLOAT DEFAULT '0' NOT NULL, shards INTEGER DEFAULT '1' NOT NULL, avoid TEXT DEFAULT '' NOT NULL, 
	PRIMARY KEY (entry, attempt, task), 
	FOREIGN KEY(entry) REFERENCES entries (id)
);
INSERT INTO "tasks" VALUES('e5',1,'exam-0',1,'exam',1.5,'green:1',210.0,400.0,'[]',0,0,0.0,1,'');
CREATE TABLE team_names (
	folded VARCHAR(2000) NOT NULL, 
	name VARCHAR(100) NOT NULL, 
	team VARCHAR(100) NOT NULL, 
	PRIMARY KEY (folded), 
	FOREIGN KEY(team) REFERENCES teams (name)
);
CREATE TABLE teams (
	name VARCHAR(100) NOT NULL, 
	since FLOAT NOT NULL, 
	PRIMARY KEY (name)
);
CREATE TABLE ties (
	challenge VARCHAR(500) NOT NULL, 
	rules VARCHAR(200) NOT NULL, 
	digest VARCHAR(64) NOT NULL, 
	letters TEXT NOT NULL, 
	PRIMARY KEY (challenge, rules)
);
CREATE TABLE tokens (
	digest VARCHAR(64) NOT NULL, 
	id VARCHAR(24) NOT NULL, 
	address VARCHAR(320) NOT NULL, 
	name VARCHAR(100) NOT NULL, 
	scopes VARCHAR(100) NOT NULL, 
	created FLOAT NOT NULL, 
	expires FLOAT NOT NULL, 
	PRIMARY KEY (digest), 
	UNIQUE (id)
);
CREATE TABLE uploads (
	id VARCHAR(64) NOT NULL, 
	address VARCHAR(320) NOT NULL, 
	team VARCHAR(100) NOT NULL, 
	challenge VARCHAR(500) NOT NULL, 
	name VARCHAR(255) NOT NULL, 
	bytes BIGINT NOT NULL, 
	received BIGINT NOT NULL, 
	entry VARCHAR(24) DEFAULT '' NOT NULL, 
	error TEXT DEFAULT '' NOT NULL, 
	created FLOAT NOT NULL, source TEXT DEFAULT '' NOT NULL, arrived FLOAT, fault TEXT DEFAULT '' NOT NULL, tries INTEGER DEFAULT '0' NOT NULL, again FLOAT DEFAULT '0' NOT NULL, 
	PRIMARY KEY (id)
);
CREATE TABLE usual (
	challenge VARCHAR(500) NOT NULL, 
	stage VARCHAR(10) NOT NULL, 
	seconds TEXT NOT NULL, 
	PRIMARY KEY (challenge, stage)
);
CREATE INDEX entries_by_state ON entries (state, team, number);
CREATE INDEX shadows_by_purpose ON shadows (purpose);
CREATE INDEX shadows_by_state ON shadows (state);
CREATE INDEX journal_by_entry ON journal (entry, number);
CREATE INDEX entries_by_challenge ON entries (challenge, team, state, charged, number, submitted, attempt, id);
CREATE INDEX scores_by_value ON scores (entry, attempt, value);
CREATE INDEX entries_by_change ON entries (state, changed);
CREATE INDEX team_names_by_team ON team_names (team);
CREATE INDEX sessions_by_address ON sessions (address);
CREATE INDEX tokens_by_address ON tokens (address);
CREATE INDEX uploads_by_team ON uploads (team);
CREATE TRIGGER bests_entries_insert after insert on entries begin delete from bests where new.state = 'done' and challenge = new.challenge and team = new.team;  end;
CREATE TRIGGER bests_entries_update after update of challenge, team, number, submitted, state, attempt, charged on entries begin delete from bests where old.state = 'done' and challenge = old.challenge and team = old.team; delete from bests where new.state = 'done' and challenge = new.challenge and team = new.team;  end;
CREATE TRIGGER bests_entries_delete after delete on entries begin delete from bests where old.state = 'done' and challenge = old.challenge and team = old.team;  end;
CREATE TRIGGER bests_scores_insert after insert on scores begin delete from bests where (challenge, team) in (select challenge, team from entries where id = new.entry and state = 'done');  end;
CREATE TRIGGER bests_scores_update after update on scores begin delete from bests where (challenge, team) in (select challenge, team from entries where id = old.entry and state = 'done'); delete from bests where (challenge, team) in (select challenge, team from entries where id = new.entry and state = 'done');  end;
CREATE TRIGGER bests_scores_delete after delete on scores begin delete from bests where (challenge, team) in (select challenge, team from entries where id = old.entry and state = 'done');  end;
CREATE TRIGGER bests_results_insert after insert on results begin delete from bests where (challenge, team) in (select challenge, team from entries where id = new.entry and state = 'done');  end;
CREATE TRIGGER bests_results_update after update on results begin delete from bests where (challenge, team) in (select challenge, team from entries where id = old.entry and state = 'done'); delete from bests where (challenge, team) in (select challenge, team from entries where id = new.entry and state = 'done');  end;
CREATE TRIGGER bests_results_delete after delete on results begin delete from bests where (challenge, team) in (select challenge, team from entries where id = old.entry and state = 'done');  end;
CREATE UNIQUE INDEX members_once ON members (person, team);
CREATE UNIQUE INDEX members_own ON members (person) WHERE own;
CREATE UNIQUE INDEX identities_by_address ON identities (issuer, address);
CREATE INDEX tasks_by_place ON tasks (executor, place, since);
CREATE INDEX faults_by_part ON faults (resolved, part, name);
CREATE INDEX fault_entries_by_entry ON fault_entries (entry);
COMMIT;
