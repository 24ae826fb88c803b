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
INSERT INTO "journal" VALUES(3,103.0,'e1','moved','{"to": "done", "reason": {"cause": "verdict", "verdict": "OK"}, "charged": null}','a5b46cce6ee562adaf8b46320389e1c6cdf03398fbff47420450c71bed4aeb22');
INSERT INTO "journal" VALUES(4,104.0,'e2','submitted','{"challenge": "cinc2017", "team": "team 0", "name": "e2.zip", "sha256": "0000000000000000000000000000000000000000000000000000000000000002", "bytes": 10, "commit": "", "number": 2}','ea20dcd1c870388752f97cd927cdf493ae224e20dca37d46f3fdac702b85776a');
INSERT INTO "journal" VALUES(5,105.0,'e2','moved','{"to": "parked", "reason": {"cause": "earlier", "message": "quiz: the infrastructure is at fault: SandboxFault: the guest closed its channel"}, "charged": null}','a97a01de7def4df527c76a5f255ecbe10c6a9453ffd2063ba2897939585719d2');
INSERT INTO "journal" VALUES(6,106.0,'e3','submitted','{"challenge": "cinc2017", "team": "team 1", "name": "e3.zip", "sha256": "0000000000000000000000000000000000000000000000000000000000000003", "bytes": 10, "commit": "", "number": 3}','d8df482d0d6d51cae5d3e9a62e13d0b9c93b8b70555186d5164c65137a9f4aaa');
INSERT INTO "journal" VALUES(7,107.0,'e4','submitted','{"challenge": "cinc2017", "team": "team 0", "name": "e4.zip", "sha256": "0000000000000000000000000000000000000000000000000000000000000004", "bytes": 10, "commit": "", "number": 4}','33dcd4ddbcc73392bdaf8c7efc2804337ec2c62a94cd4c97d89996e13a188ae0');
INSERT INTO "journal" VALUES(8,108.0,'e4','moved','{"to": "cancelled", "reason": {"cause": "organiser"}, "charged": null}','9cc955ffbb35a389a74694db2ec132a27b9c49d873e7b7f4f7a6347eaa6b35f1');
INSERT INTO "journal" VALUES(9,109.0,'e5','submitted','{"challenge": "cinc2017", "team": "team 1", "name": "e5.zip", "sha256": "0000000000000000000000000000000000000000000000000000000000000005", "bytes": 10, "commit": "", "number": 5}','1a77a1abb2fc8524d5986342786e7061cef2a3d723fe8929a09c954d7af565ef');
INSERT INTO "journal" VALUES(10,110.0,'e5','charged','{"charged": true}','d4f0083b658835b34afc428de8a89869dbd1e04ed465637408606a00e37ee902');
INSERT INTO "journal" VALUES(11,111.0,'e5','moved','{"to": "exam", "reason": {"cause": "earlier", "message": "try 2 in 30 s: SandboxFault: the guest closed its channel"}, "charged": null}','4e7cf3a6f6d7a2629d100c7f6d33a525c314a7ceb46d2949a2f7f31c3ba35501');
INSERT INTO "journal" VALUES(12,112.0,'e1','result','{"stage": "prep", "attempt": 1, "result": {"stage": "prep", "verdict": "OK", "message": "", "usage": {"instructions": 5, "wall_seconds": 0.5, "memory_bytes": 0, "output_bytes": 0}, "records": [], "diagnostics": "", "machine": null}}','4f40bf9b9ec9558a7ff81d2095421d2a20073c91137bcd685abe92e2e38f6b89');
INSERT INTO "journal" VALUES(13,113.0,'e1','result','{"stage": "quiz", "attempt": 1, "result": {"stage": "quiz", "verdict": "OK", "message": "", "usage": {"instructions": 5, "wall_seconds": 0.5, "memory_bytes": 0, "output_bytes": 0}, "records": [], "diagnostics": "", "machine": null}}','0e4b6d89783dc053c66f0eae81d52d4525ba5eba2d26f32295f08f1ee1d56f83');
INSERT INTO "journal" VALUES(14,114.0,'e1','result','{"stage": "exam", "attempt": 1, "result": {"stage": "exam", "verdict": "OK", "message": "", "usage": {"instructions": 5, "wall_seconds": 0.5, "memory_bytes": 0, "output_bytes": 0}, "records": [], "diagnostics": "", "machine": null}}','ad235ff845ae543444615ec1f1c51d9882af74afff94cf2dafb13fe1d69ea0c2');
INSERT INTO "journal" VALUES(15,115.0,'e1','result','{"stage": "score", "attempt": 1, "result": {"stage": "score", "verdict": "OK", "message": "", "usage": {"instructions": 5, "wall_seconds": 0.5, "memory_bytes": 0, "output_bytes": 0}, "records": [], "diagnostics": "", "machine": null}}','4ec50e153ae97f32006c97862b5f9d93fb859e6a2c06b87eefb685ee28d60f9e');
INSERT INTO "journal" VALUES(16,116.0,'e1','score','{"attempt": 1, "score": {"primary": "F1", "values": {"F1": 0.5}, "official": {"F1": 0.5}, "intervals": {}, "notes": []}}','074780dbfbaa0ce3e242a47cacaee5d05480fec8f13ef6f014a172cb801e3190');
INSERT INTO "journal" VALUES(17,117.0,'e1','shadowed','{"attempt": 2, "purpose": "r1", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}','de5b5a422835338448561e494f2f5eb07da0dd4c30305dccb8e47acfb98044f7');
INSERT INTO "journal" VALUES(18,118.0,'e1','shadow-moved','{"attempt": 2, "to": "cancelled", "detail": "discarded"}','90156fc29cdadb606190e761f309318afc7050aced60df58251a6e8d97a36c93');
INSERT INTO "journal" VALUES(19,119.0,'e1','shadowed','{"attempt": 3, "purpose": "r2", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}','47b321b8d3c47c307eca8169e2eb6f431754ca8ff329ff15852eb123a11ac7b9');
INSERT INTO "journal" VALUES(20,120.0,'e1','shadow-moved','{"attempt": 3, "to": "parked", "detail": "score: no references"}','ac4ea6c051a2f73c57e60b43e54e3d7a817f16315390817ee58666f630af623c');
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
