BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0003');
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
	changed FLOAT NOT NULL, owner VARCHAR(200) DEFAULT '' NOT NULL, flow INTEGER DEFAULT '0' NOT NULL, reason TEXT DEFAULT '' NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (number)
);
INSERT INTO "entries" VALUES('e1',1,'cinc2017','team 1','e1.zip','0000000000000000000000000000000000000000000000000000000000000001',10,'','done',1,1,101.0,201.0,'',0,'{"cause": "verdict", "verdict": "OK"}');
INSERT INTO "entries" VALUES('e2',2,'cinc2017','team 0','e2.zip','0000000000000000000000000000000000000000000000000000000000000002',10,'','parked',1,0,102.0,202.0,'',0,'{"cause": "earlier", "message": "quiz: the infrastructure is at fault: SandboxFault: the guest closed its channel"}');
INSERT INTO "entries" VALUES('e3',3,'cinc2017','team 1','e3.zip','0000000000000000000000000000000000000000000000000000000000000003',10,'','queued',1,0,103.0,203.0,'',0,'');
INSERT INTO "entries" VALUES('e4',4,'cinc2017','team 0','e4.zip','0000000000000000000000000000000000000000000000000000000000000004',10,'','cancelled',1,0,104.0,204.0,'',0,'{"cause": "organiser"}');
INSERT INTO "entries" VALUES('e5',5,'cinc2017','team 1','e5.zip','0000000000000000000000000000000000000000000000000000000000000005',10,'','exam',1,1,105.0,205.0,'',0,'{"cause": "earlier", "message": "try 2 in 30 s: SandboxFault: the guest closed its channel"}');
CREATE TABLE hosts (
	executor VARCHAR(200) NOT NULL, 
	name VARCHAR(100) NOT NULL, 
	place VARCHAR(500) NOT NULL, 
	slots INTEGER NOT NULL, 
	version VARCHAR(50) NOT NULL, 
	flow VARCHAR(20) NOT NULL, 
	started FLOAT NOT NULL, 
	expires FLOAT NOT NULL, gpus INTEGER DEFAULT '0' NOT NULL, 
	PRIMARY KEY (executor)
);
INSERT INTO "hosts" VALUES('green:1','green','p',2,'0.1.0','flow2',90.0,9000000000.0,0);
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
INSERT INTO "journal" VALUES(3,103.0,'e1','moved','{"to": "done", "charged": null, "reason": {"cause": "verdict", "verdict": "OK"}}','5c665ef8ac9d957f1deedb38d2108521995eb1ed220a107bd9ad339554b807f2');
INSERT INTO "journal" VALUES(4,104.0,'e2','submitted','{"challenge": "cinc2017", "team": "team 0", "name": "e2.zip", "sha256": "0000000000000000000000000000000000000000000000000000000000000002", "bytes": 10, "commit": "", "number": 2}','3f9bf7e88828f77da16a9c760c7fbf2a05965c7611f26b8019c3f261ad749f17');
INSERT INTO "journal" VALUES(5,105.0,'e2','moved','{"to": "parked", "charged": null, "reason": {"cause": "earlier", "message": "quiz: the infrastructure is at fault: SandboxFault: the guest closed its channel"}}','53ffded9b13c65fb5d22528be02d66ba60344ed38da3e55c600bea61ce8e6d94');
INSERT INTO "journal" VALUES(6,106.0,'e3','submitted','{"challenge": "cinc2017", "team": "team 1", "name": "e3.zip", "sha256": "0000000000000000000000000000000000000000000000000000000000000003", "bytes": 10, "commit": "", "number": 3}','5de739cb9f2ab6c00b4e83785b21732589a677178c625a74ea4e5c4bf75205e3');
INSERT INTO "journal" VALUES(7,107.0,'e4','submitted','{"challenge": "cinc2017", "team": "team 0", "name": "e4.zip", "sha256": "0000000000000000000000000000000000000000000000000000000000000004", "bytes": 10, "commit": "", "number": 4}','79f3b84f1bf81f23305c77962925b0e95b31f89a37c6f5d1c6b198a7b66a12f4');
INSERT INTO "journal" VALUES(8,108.0,'e4','moved','{"to": "cancelled", "charged": null, "reason": {"cause": "organiser"}}','008effc2fa8f46153489565cb76af233ea11b1624659390ebaa1bb9e1e11dfdf');
INSERT INTO "journal" VALUES(9,109.0,'e5','submitted','{"challenge": "cinc2017", "team": "team 1", "name": "e5.zip", "sha256": "0000000000000000000000000000000000000000000000000000000000000005", "bytes": 10, "commit": "", "number": 5}','b95b9540a0b799e49163dbf647a7c8bdb1c762ebabe5c3a65c67f8d00f7dff3b');
INSERT INTO "journal" VALUES(10,110.0,'e5','charged','{"charged": true}','32c362208f73ecc95abc253bac149a062417a6b9e549729b7761347e57952631');
INSERT INTO "journal" VALUES(11,111.0,'e5','moved','{"to": "exam", "charged": null, "reason": {"cause": "earlier", "message": "try 2 in 30 s: SandboxFault: the guest closed its channel"}}','0d33d85b9de251b29cd61393d679b96185867eb1bbe496e229de3ccdc57fca5b');
INSERT INTO "journal" VALUES(12,112.0,'e1','result','{"stage": "prep", "attempt": 1, "result": {"stage": "prep", "verdict": "OK", "message": "", "usage": {"instructions": 5, "wall_seconds": 0.5, "memory_bytes": 0, "output_bytes": 0}, "records": [], "diagnostics": "", "machine": null}}','53123fc148edcafd0e148223278fbf17a14d5454dd248e80f5764420497859b0');
INSERT INTO "journal" VALUES(13,113.0,'e1','result','{"stage": "quiz", "attempt": 1, "result": {"stage": "quiz", "verdict": "OK", "message": "", "usage": {"instructions": 5, "wall_seconds": 0.5, "memory_bytes": 0, "output_bytes": 0}, "records": [], "diagnostics": "", "machine": null}}','f9f4bf2844bf745ab13680351298aac2b5d97f88868bf2eed47eb096de4fa19d');
INSERT INTO "journal" VALUES(14,114.0,'e1','result','{"stage": "exam", "attempt": 1, "result": {"stage": "exam", "verdict": "OK", "message": "", "usage": {"instructions": 5, "wall_seconds": 0.5, "memory_bytes": 0, "output_bytes": 0}, "records": [], "diagnostics": "", "machine": null}}','0f7d90be53d389484ebdf695da4e37bc1924c2ab324de3042f4771425a0404c5');
INSERT INTO "journal" VALUES(15,115.0,'e1','result','{"stage": "score", "attempt": 1, "result": {"stage": "score", "verdict": "OK", "message": "", "usage": {"instructions": 5, "wall_seconds": 0.5, "memory_bytes": 0, "output_bytes": 0}, "records": [], "diagnostics": "", "machine": null}}','d5baea1ece8e5e26e5aaf537c030342797766135d936bc1985b8e99c5214d3cb');
INSERT INTO "journal" VALUES(16,116.0,'e1','score','{"attempt": 1, "score": {"primary": "F1", "values": {"F1": 0.5}, "official": {"F1": 0.5}, "intervals": {}, "notes": []}}','f50731ec9f787fec455dfd268552644a4fa35536fd3dd50d6ea3ed0b69761e07');
INSERT INTO "journal" VALUES(17,117.0,'e1','shadowed','{"attempt": 2, "purpose": "r1", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}','9b77ba415bc09e9afdf2c8ec612444d83b81c9609c9357bd9e8c368798c6bc80');
INSERT INTO "journal" VALUES(18,118.0,'e1','shadow-moved','{"attempt": 2, "to": "cancelled", "reason": {"cause": "discarded"}}','61f36058b2804db543449da560471de39bdddac42d6b72153b6c8d2863c6cb59');
INSERT INTO "journal" VALUES(19,119.0,'e1','shadowed','{"attempt": 3, "purpose": "r2", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}','cdfd6d98748c6d936372ffd38d3019216aeab1c2a825d10461744629c325c4be');
INSERT INTO "journal" VALUES(20,120.0,'e1','shadow-moved','{"attempt": 3, "to": "parked", "reason": {"cause": "earlier", "message": "score: no references"}}','3eeebaf3abfc4554a9cb7acbf8007bf88faeaeeec644598e3d55094f21f687fa');
CREATE TABLE record_outcomes (
	entry VARCHAR(24) NOT NULL, 
	attempt INTEGER NOT NULL, 
	stage VARCHAR(10) NOT NULL, 
	record VARCHAR(500) NOT NULL, 
	verdict VARCHAR(20) NOT NULL, 
	instructions BIGINT NOT NULL, 
	wall_seconds FLOAT NOT NULL, 
	PRIMARY KEY (entry, attempt, stage, record), 
	FOREIGN KEY(entry) REFERENCES entries (id)
);
INSERT INTO "record_outcomes" VALUES('e1',1,'exam','A1','OK',5,0.5);
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
	at FLOAT NOT NULL, 
	PRIMARY KEY (entry, attempt), 
	FOREIGN KEY(entry) REFERENCES entries (id)
);
INSERT INTO "scores" VALUES('e1',1,'F1',0.5,'{"primary": "F1", "values": {"F1": 0.5}, "official": {"F1": 0.5}, "intervals": {}, "notes": []}',151.0);
CREATE TABLE settings (
	"key" VARCHAR(200) NOT NULL, 
	value TEXT NOT NULL, 
	PRIMARY KEY ("key")
);
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
	flow INTEGER NOT NULL, reason TEXT DEFAULT '' NOT NULL, 
	PRIMARY KEY (entry, attempt), 
	FOREIGN KEY(entry) REFERENCES entries (id)
);
INSERT INTO "shadows" VALUES('e1',2,'r1','cinc2017','',1,'score','cancelled',300.0,0,'',0,'{"cause": "discarded"}');
INSERT INTO "shadows" VALUES('e1',3,'r2','cinc2017','',1,'score','parked',300.0,0,'',0,'{"cause": "earlier", "message": "score: no references"}');
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
	deadline FLOAT, gpus TEXT DEFAULT '[]' NOT NULL, 
	PRIMARY KEY (entry, attempt, task), 
	FOREIGN KEY(entry) REFERENCES entries (id)
);
INSERT INTO "tasks" VALUES('e5',1,'exam-0',1,'exam',1.5,'green:1',210.0,400.0,'[]');
CREATE INDEX entries_by_state ON entries (state, team, number);
CREATE INDEX entries_by_challenge ON entries (challenge, team);
CREATE INDEX shadows_by_purpose ON shadows (purpose);
CREATE INDEX shadows_by_state ON shadows (state);
CREATE INDEX journal_by_entry ON journal (entry, number);
COMMIT;
