BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0008');
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
INSERT INTO "entries" VALUES('e035c3bccb8e1',1,'cinc2017','red','0.zip','5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9',2,'','done',2,1,1.79544631141567897795e+09,1.79544631450514507293e+09,'old:1',0,'{"cause": "verdict", "verdict": "OK"}','');
INSERT INTO "entries" VALUES('ec9c0bcecb2a2',2,'cinc2017','Blue','1.zip','6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b',2,'','done',2,1,1.79544631152184796336e+09,1.79544631450514507293e+09,'old:1',0,'{"cause": "verdict", "verdict": "OK"}','');
INSERT INTO "entries" VALUES('ed4526559d9db',3,'cinc2017','großes Team','2.zip','d4735e3a265e16eee03f59718b9b5d03019c07d8b6c51f90da3a666eec13ab35',2,'','done',2,1,1.79544631154505729677e+09,1.79544631450514507293e+09,'old:1',0,'{"cause": "verdict", "verdict": "OK"}','');
INSERT INTO "entries" VALUES('eee3a0e44c60b',4,'cinc2017','green','3.zip','4e07408562bedb8b60ce05c1decfe3ad16b72230967de01f640b7e4729b49fce',2,'','done',1,0,1.79544631157970857615e+09,1.79544631278876066203e+09,'old:1',0,'{"cause": "verdict", "verdict": "PREP_ERROR"}','');
INSERT INTO "entries" VALUES('e227944ae22bd',5,'cinc2017','red','4.zip','4b227777d4dd1fc61c6f884f48641d02b4d121d3fd328cb08b5531fcacdabf8a',2,'','done',1,0,1.79544631161543536182e+09,1.79544631289161825179e+09,'old:1',0,'{"cause": "verdict", "verdict": "WRONG_ANSWER"}','');
INSERT INTO "entries" VALUES('e77a6a095f32f',6,'cinc2017','Blue','5.zip','ef2d127de37b942baad06145e54b0c619a1f22327b2ebbcfbec78f5564afe39d',2,'','done',2,1,1.79544631162483072283e+09,1.79544631450514507293e+09,'old:1',0,'{"cause": "verdict", "verdict": "OK"}','');
INSERT INTO "entries" VALUES('ead9741ba7ef7',7,'cinc2017','großes Team','6.zip','e7f6c011776e8db7cd330b54174fd76f7d0216b612387a5ffcfb81e6f0919683',2,'','prep',1,0,1.79544631163938117027e+09,1.7954463120306463241e+09,'old:1',0,'','');
INSERT INTO "entries" VALUES('e0bd1e43fabe9',8,'cinc2017','green','7.zip','7902699be42c8a8e46fbbb4501726517e86b22c56a189f7625a6da49081b2451',2,'','quiz',1,0,1.79544631166111636161e+09,1.79544631312424492839e+09,'old:1',0,'','');
INSERT INTO "entries" VALUES('e85c1da521b94',9,'cinc2017','red','8.zip','2c624232cdd221771294dfbb310aca000a0df6ac8b66b696d90ef06fdefb64a3',2,'','exam',1,1,1.79544631173805308349e+09,1.79544631387624478344e+09,'old:1',0,'{"cause": "retry", "message": "try 2 in 30 s: SandboxFault: the guest is gone", "stage": "exam"}','');
INSERT INTO "entries" VALUES('e22ff431ca677',10,'cinc2017','Blue','9.zip','19581e27de7ced00ff1ce50b2047e7a567c76b1cbaebabe5ef03f7c3017bb5b7',2,'','score',1,1,1.79544631179947924612e+09,1.79544631333092951771e+09,'old:1',0,'','');
INSERT INTO "entries" VALUES('e7add14e2aec9',11,'cinc2017','großes Team','10.zip','4a44dc15364204a80fe80e9039455cc1608281820fe2b24f1e5233ade6af1dd5',2,'','parked',1,1,1.79544631183153820036e+09,1.79544631343624329564e+09,'old:1',0,'{"cause": "infrastructure", "message": "exam: SandboxFault: the guest is gone", "stage": "exam"}','');
INSERT INTO "entries" VALUES('ec0d639a96d4d',12,'cinc2017','green','11.zip','4fc82b26aecb47d2868c4efbe3581732a3e7cbcc6c2efb32062c08170a05eeb8',2,'','parked',1,1,1.79544631184368348123e+09,1.79544631356427645684e+09,'old:1',0,'{"cause": "infrastructure", "message": "exam: SandboxFault: the guest is gone", "stage": "exam"}','');
INSERT INTO "entries" VALUES('e61cdec782e70',13,'cinc2017','red','12.zip','6b51d431df5d7f141cbececcf79edf3dd861c3b4069f0b11661a3eefacbba918',2,'','queued',2,1,1.79544631185204076767e+09,1.79544631365867018695e+09,'',0,'','');
INSERT INTO "entries" VALUES('e7a6bd6a6224d',14,'cinc2017','Blue','13.zip','3fdba35f04dc8c462986c992bcf875546257113072a909c162f7e470e581e278',2,'','cancelled',1,1,1.79544631186148715014e+09,1.79544631382848858831e+09,'old:1',0,'{"cause": "organiser"}','');
INSERT INTO "entries" VALUES('e064d0cbd2a30',15,'cinc2017','großes Team','14.zip','8527a891e224136950ff32ca212b45bc93f69fbb801c3b1ebedac52775f99e61',2,'','queued',1,0,1.79544631187168955807e+09,1.79544631187168955807e+09,'',0,'','');
INSERT INTO "entries" VALUES('eb5291caf82f0',16,'cinc2017','green','15.zip','e629fa6598d732768f7c726b4b621285f9c3b85303900aa912017db7617d8bdb',2,'','queued',1,0,1.79544631188337922098e+09,1.79544631188337922098e+09,'',0,'','');
INSERT INTO "entries" VALUES('ef20ae2707c46',17,'cinc2017','red','16.zip','b17ef6d19c7a5b1ee83b907c595526dcb1eb06db8227d650d5dda0a9f4ce8cd9',2,'','queued',1,0,1.79544631189768290517e+09,1.79544631189768290517e+09,'',0,'','');
INSERT INTO "entries" VALUES('e835ab6e28104',18,'cinc2017','Blue','17.zip','4523540f1504cd17100c4835e85b7eefd49911580f8efff0599a8f283be6b9e3',2,'','queued',1,0,1.79544631191589140889e+09,1.79544631191589140889e+09,'',0,'','');
INSERT INTO "entries" VALUES('e815f3f78e740',19,'cinc2017','großes Team','18.zip','4ec9599fc203d176a301536c2e091a19bc852759b255bd6818810a42c5fed14a',2,'','queued',1,0,1.7954463119260332584e+09,1.7954463119260332584e+09,'',0,'','');
INSERT INTO "entries" VALUES('e40da5beb8578',20,'cinc2017','green','19.zip','9400f1b21cb527d7fa3d3eabba93557a18ebe7a2ca4e471cfe5e4c5b4ca7f767',2,'','queued',1,0,1.79544631193953442569e+09,1.79544631193953442569e+09,'',0,'','');
INSERT INTO "entries" VALUES('eb19e260aa4a6',21,'cinc2017','red','20.zip','f5ca38f748a1d6eaf726b8a42fb575c3c71f1864a8143301782de13da2d9202b',2,'','cancelled',1,0,1.79544631195554637908e+09,1.79544631389873051647e+09,'',0,'{"cause": "organiser"}','');
CREATE TABLE hosts (
	executor VARCHAR(200) NOT NULL, 
	name VARCHAR(100) NOT NULL, 
	place VARCHAR(500) NOT NULL, 
	slots INTEGER NOT NULL, 
	version VARCHAR(50) NOT NULL, 
	flow VARCHAR(20) NOT NULL, 
	started FLOAT NOT NULL, 
	expires FLOAT NOT NULL, gpus INTEGER DEFAULT '0' NOT NULL, ttl FLOAT DEFAULT '0' NOT NULL, 
	PRIMARY KEY (executor)
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
INSERT INTO "journal" VALUES(1,1.79544631141567897795e+09,'e035c3bccb8e1','submitted','{"challenge": "cinc2017", "team": "red", "name": "0.zip", "sha256": "5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9", "bytes": 2, "commit": "", "number": 1}','5f75d4468b017a400603623fe9e57fb12741ff7d0678aa114ef9027952ad775a');
INSERT INTO "journal" VALUES(2,1.79544631152184796336e+09,'ec9c0bcecb2a2','submitted','{"challenge": "cinc2017", "team": "Blue", "name": "1.zip", "sha256": "6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b", "bytes": 2, "commit": "", "number": 2}','502a00904228d19194b6e7f5445b2870cfa695ba5748e8af91e48fb931d5761e');
INSERT INTO "journal" VALUES(3,1.79544631154505729677e+09,'ed4526559d9db','submitted','{"challenge": "cinc2017", "team": "gro\u00dfes Team", "name": "2.zip", "sha256": "d4735e3a265e16eee03f59718b9b5d03019c07d8b6c51f90da3a666eec13ab35", "bytes": 2, "commit": "", "number": 3}','60045d668fc1502d88edabeaebe19cf2a9dfadf26e20e8a31b6c59437dafd618');
INSERT INTO "journal" VALUES(4,1.79544631157970857615e+09,'eee3a0e44c60b','submitted','{"challenge": "cinc2017", "team": "green", "name": "3.zip", "sha256": "4e07408562bedb8b60ce05c1decfe3ad16b72230967de01f640b7e4729b49fce", "bytes": 2, "commit": "", "number": 4}','79cbf6cbc646c4751aacdb4073ea2deb818dbb253913d1a5a90036922592183c');
INSERT INTO "journal" VALUES(5,1.79544631161543536182e+09,'e227944ae22bd','submitted','{"challenge": "cinc2017", "team": "red", "name": "4.zip", "sha256": "4b227777d4dd1fc61c6f884f48641d02b4d121d3fd328cb08b5531fcacdabf8a", "bytes": 2, "commit": "", "number": 5}','a3a6fb83a92b9cb1a957789b0460a02751a053f3b7661bf1a876cc6c03d4ca7b');
INSERT INTO "journal" VALUES(6,1.79544631162483072283e+09,'e77a6a095f32f','submitted','{"challenge": "cinc2017", "team": "Blue", "name": "5.zip", "sha256": "ef2d127de37b942baad06145e54b0c619a1f22327b2ebbcfbec78f5564afe39d", "bytes": 2, "commit": "", "number": 6}','bfa897d0e5aa3b75200920567ba9fb4d5c46339f240dc6b0e2cd7fcfbf712400');
INSERT INTO "journal" VALUES(7,1.79544631163938117027e+09,'ead9741ba7ef7','submitted','{"challenge": "cinc2017", "team": "gro\u00dfes Team", "name": "6.zip", "sha256": "e7f6c011776e8db7cd330b54174fd76f7d0216b612387a5ffcfb81e6f0919683", "bytes": 2, "commit": "", "number": 7}','ad01c333d4808d7133750339cc55ecc89bf44967aad9c61f3f5b083478c79d76');
INSERT INTO "journal" VALUES(8,1.79544631166111636161e+09,'e0bd1e43fabe9','submitted','{"challenge": "cinc2017", "team": "green", "name": "7.zip", "sha256": "7902699be42c8a8e46fbbb4501726517e86b22c56a189f7625a6da49081b2451", "bytes": 2, "commit": "", "number": 8}','7067d38173c0b56d338fa8bec56a8c452e709b8a888506b831b0d91b28996b8c');
INSERT INTO "journal" VALUES(9,1.79544631173805308349e+09,'e85c1da521b94','submitted','{"challenge": "cinc2017", "team": "red", "name": "8.zip", "sha256": "2c624232cdd221771294dfbb310aca000a0df6ac8b66b696d90ef06fdefb64a3", "bytes": 2, "commit": "", "number": 9}','2bd39d505db6302816f8fd6634c30f75ddfe69d024adcc5adf03f2e37cd2f1c8');
INSERT INTO "journal" VALUES(10,1.79544631179947924612e+09,'e22ff431ca677','submitted','{"challenge": "cinc2017", "team": "Blue", "name": "9.zip", "sha256": "19581e27de7ced00ff1ce50b2047e7a567c76b1cbaebabe5ef03f7c3017bb5b7", "bytes": 2, "commit": "", "number": 10}','73d71c5adeb3596f5f15ae78af24ca6ff21ab9718493494c466d6f771b821a8e');
INSERT INTO "journal" VALUES(11,1.79544631183153820036e+09,'e7add14e2aec9','submitted','{"challenge": "cinc2017", "team": "gro\u00dfes Team", "name": "10.zip", "sha256": "4a44dc15364204a80fe80e9039455cc1608281820fe2b24f1e5233ade6af1dd5", "bytes": 2, "commit": "", "number": 11}','384232b682653badb93cd0070b99690a5cc636dfaf2c52614e90c75ecbe87f64');
INSERT INTO "journal" VALUES(12,1.79544631184368348123e+09,'ec0d639a96d4d','submitted','{"challenge": "cinc2017", "team": "green", "name": "11.zip", "sha256": "4fc82b26aecb47d2868c4efbe3581732a3e7cbcc6c2efb32062c08170a05eeb8", "bytes": 2, "commit": "", "number": 12}','71e891f1886dc0bc773a6183a16522da6736255bcf9f348cd294da1af134f4c7');
INSERT INTO "journal" VALUES(13,1.79544631185204076767e+09,'e61cdec782e70','submitted','{"challenge": "cinc2017", "team": "red", "name": "12.zip", "sha256": "6b51d431df5d7f141cbececcf79edf3dd861c3b4069f0b11661a3eefacbba918", "bytes": 2, "commit": "", "number": 13}','0acb9d971543e356ed4e2ad76568d816e471c018d6acbaf473efa2f0db1a22c7');
INSERT INTO "journal" VALUES(14,1.79544631186148715014e+09,'e7a6bd6a6224d','submitted','{"challenge": "cinc2017", "team": "Blue", "name": "13.zip", "sha256": "3fdba35f04dc8c462986c992bcf875546257113072a909c162f7e470e581e278", "bytes": 2, "commit": "", "number": 14}','01e9bccd26e300cfaf0e269b0ce253213f79cce14b809086cffff48f5d83f195');
INSERT INTO "journal" VALUES(15,1.79544631187168955807e+09,'e064d0cbd2a30','submitted','{"challenge": "cinc2017", "team": "gro\u00dfes Team", "name": "14.zip", "sha256": "8527a891e224136950ff32ca212b45bc93f69fbb801c3b1ebedac52775f99e61", "bytes": 2, "commit": "", "number": 15}','f7bfecadc916905e6b20b8accb7704630b809efa82b811f2325435cfa4de40e3');
INSERT INTO "journal" VALUES(16,1.79544631188337922098e+09,'eb5291caf82f0','submitted','{"challenge": "cinc2017", "team": "green", "name": "15.zip", "sha256": "e629fa6598d732768f7c726b4b621285f9c3b85303900aa912017db7617d8bdb", "bytes": 2, "commit": "", "number": 16}','ef1e848f2a19666327627f91c85d0a5c4b66d093552449b450c9f33437efc6d1');
INSERT INTO "journal" VALUES(17,1.79544631189768290517e+09,'ef20ae2707c46','submitted','{"challenge": "cinc2017", "team": "red", "name": "16.zip", "sha256": "b17ef6d19c7a5b1ee83b907c595526dcb1eb06db8227d650d5dda0a9f4ce8cd9", "bytes": 2, "commit": "", "number": 17}','228673321ce8b4fb2d09241b8971651e49506bf7675c8599fa1030830bb3cc4c');
INSERT INTO "journal" VALUES(18,1.79544631191589140889e+09,'e835ab6e28104','submitted','{"challenge": "cinc2017", "team": "Blue", "name": "17.zip", "sha256": "4523540f1504cd17100c4835e85b7eefd49911580f8efff0599a8f283be6b9e3", "bytes": 2, "commit": "", "number": 18}','534ae1b6bf8dee6b2ae24c5530a6af3ed39bddc70d60e0fa3c019f6c2fb664f5');
INSERT INTO "journal" VALUES(19,1.7954463119260332584e+09,'e815f3f78e740','submitted','{"challenge": "cinc2017", "team": "gro\u00dfes Team", "name": "18.zip", "sha256": "4ec9599fc203d176a301536c2e091a19bc852759b255bd6818810a42c5fed14a", "bytes": 2, "commit": "", "number": 19}','3bf49b991ecb511bc129743d5de66e89737a01b3153c0199f4ac05f9a341437f');
INSERT INTO "journal" VALUES(20,1.79544631193953442569e+09,'e40da5beb8578','submitted','{"challenge": "cinc2017", "team": "green", "name": "19.zip", "sha256": "9400f1b21cb527d7fa3d3eabba93557a18ebe7a2ca4e471cfe5e4c5b4ca7f767", "bytes": 2, "commit": "", "number": 20}','1de9cefb310b7737f123f1c7f778f016051cd9e59d4c49da86de6c6fff7087fe');
INSERT INTO "journal" VALUES(21,1.79544631195554637908e+09,'eb19e260aa4a6','submitted','{"challenge": "cinc2017", "team": "red", "name": "20.zip", "sha256": "f5ca38f748a1d6eaf726b8a42fb575c3c71f1864a8143301782de13da2d9202b", "bytes": 2, "commit": "", "number": 21}','ece56a57bbb5942ac31bb1a24054b8dc834d4edf0d6da9dd82d2e7647459289b');
INSERT INTO "journal" VALUES(22,1.79544631197786164287e+09,'e035c3bccb8e1','moved','{"to": "prep", "reason": {}, "charged": null}','39d36e2847162f3042f32984704b099e6d9436726df031381198ee7a1d1455c9');
INSERT INTO "journal" VALUES(23,1.79544631199323678014e+09,'ec9c0bcecb2a2','moved','{"to": "prep", "reason": {}, "charged": null}','925851d104b71f5ddb20a5e1ef7b26b62f0caf1d5c693aa1d39d9af1b01e6ffe');
INSERT INTO "journal" VALUES(24,1.79544631200665163995e+09,'ed4526559d9db','moved','{"to": "prep", "reason": {}, "charged": null}','ba36c0952463f78a337678d959a4151d29023bc48f46443c55df87f2f27f0ec0');
INSERT INTO "journal" VALUES(25,1.79544631201811671255e+09,'eee3a0e44c60b','moved','{"to": "prep", "reason": {}, "charged": null}','e3350fb938d9900056706f2ce9c82a181530d9aaedfcff849ecbc5313ba0716f');
INSERT INTO "journal" VALUES(26,1.79544631202742266656e+09,'e227944ae22bd','moved','{"to": "prep", "reason": {}, "charged": null}','8219afbeb4cadbe835c73c7050343c4ede79e6670fee28e80006e6c2c2aa9dfd');
INSERT INTO "journal" VALUES(27,1.79544631202913427354e+09,'e77a6a095f32f','moved','{"to": "prep", "reason": {}, "charged": null}','bccac706fb4c747eed964fa7c51a978d8fe97ba34474cb73a3e296d89ad360dd');
INSERT INTO "journal" VALUES(28,1.7954463120306463241e+09,'ead9741ba7ef7','moved','{"to": "prep", "reason": {}, "charged": null}','0ea09ea79baa48894d13e176326769a58c5a238dabc9ace28441e245877055e2');
INSERT INTO "journal" VALUES(29,1.79544631204522657386e+09,'e0bd1e43fabe9','moved','{"to": "prep", "reason": {}, "charged": null}','49486ae620c762ad6cf9828ca2a10a509cd080aead6b945d9659b01101024da8');
INSERT INTO "journal" VALUES(30,1.79544631205894637112e+09,'e85c1da521b94','moved','{"to": "prep", "reason": {}, "charged": null}','75b8b6108fc160b199e57beee6b3500cc466bdc3c0816a153d4178499edbeeed');
INSERT INTO "journal" VALUES(31,1.7954463120610466004e+09,'e22ff431ca677','moved','{"to": "prep", "reason": {}, "charged": null}','69ac87e4080d70b65d2ffdffa8315ca33148cd8be6421ab5ded4eb5a465edd89');
INSERT INTO "journal" VALUES(32,1.79544631206252288824e+09,'e7add14e2aec9','moved','{"to": "prep", "reason": {}, "charged": null}','a0f1c4d4bc831f3a41694f8b763868d86d432152798bae8b79e7c49c9b4d1847');
INSERT INTO "journal" VALUES(33,1.7954463120808582306e+09,'ec0d639a96d4d','moved','{"to": "prep", "reason": {}, "charged": null}','0f3379f443ca803321d82ce7f928b1572f4ce7cd062eaf20d195777b77312eda');
INSERT INTO "journal" VALUES(34,1.79544631208566451072e+09,'e61cdec782e70','moved','{"to": "prep", "reason": {}, "charged": null}','6ed95abce6e5076b01071a56b4d2d853deef1ef6a9afad5c32045d8a0fab401b');
INSERT INTO "journal" VALUES(35,1.79544631210015487665e+09,'e7a6bd6a6224d','moved','{"to": "prep", "reason": {}, "charged": null}','f9474047409bd976fb3152b9ae04b341d9a2024a3409312bb7d98f31775d6335');
INSERT INTO "journal" VALUES(36,1.79544631213265490528e+09,'e035c3bccb8e1','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','719e51589a463e4bbd08d0605627f6f16597392dc68fcc17d62620636964d97c');
INSERT INTO "journal" VALUES(37,1.79544631216445231438e+09,'e035c3bccb8e1','moved','{"to": "quiz", "reason": {}, "charged": null}','36e569ab40e91fa402d003c5eaecc7fc03887e302d508bf2813fa6a38de29893');
INSERT INTO "journal" VALUES(38,1.79544631218686127666e+09,'e035c3bccb8e1','result','{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}','bec55b536ca17a92a2db904d554a8d7bbbd395611578bb16f8057a922360b666');
INSERT INTO "journal" VALUES(39,1.79544631221297764775e+09,'e035c3bccb8e1','moved','{"to": "exam", "reason": {}, "charged": null}','4aab08b5d6dd9e41dc12fa786c8cd8de1a4a7832a5de2fa9dfcb616304518717');
INSERT INTO "journal" VALUES(40,1.79544631223984837531e+09,'e035c3bccb8e1','charged','{"charged": true}','7f9133898258e475a5b27968e53ccfec752cb364064f9b59f71f6336b926ecc8');
INSERT INTO "journal" VALUES(41,1.79544631226095509528e+09,'e035c3bccb8e1','result','{"stage": "exam", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4"}','efdbcc36d48f701dba96dc7e7d7ed879bf9f130df8b94e303a826e991c58b9bd');
INSERT INTO "journal" VALUES(42,1.79544631228811359408e+09,'e035c3bccb8e1','moved','{"to": "score", "reason": {}, "charged": null}','b3fdfb2d077fa832fd4be388c39b48b2b998ef7caa24833b7b5e776da7558675');
INSERT INTO "journal" VALUES(43,1.79544631231509208674e+09,'e035c3bccb8e1','result','{"stage": "score", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}','443a770faa3490ea497d26295933d2e32977109bb70c42e2f7dccc6c9ac8c28e');
INSERT INTO "journal" VALUES(44,1.79544631232453560836e+09,'e035c3bccb8e1','score','{"attempt": 1, "key": "F1", "value": 0.5, "low": 0.25, "high": 0.75, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.5}, \"official\": {\"F1\": 0.5}, \"notes\": [], \"intervals\": {\"F1\": [0.25, 0.75]}}"}','401bbe9048f7f04cfddcba6cdbcf3cf1effb60a3982439536e16346f317413fe');
INSERT INTO "journal" VALUES(45,1.79544631235251760485e+09,'e035c3bccb8e1','moved','{"to": "done", "reason": {"cause": "verdict", "verdict": "OK"}, "charged": null}','fa15999ee3f2a10cf379309b2cc86a56d0e21494645c37ae2fbb8ca4f02632ee');
INSERT INTO "journal" VALUES(46,1.79544631237299466127e+09,'ec9c0bcecb2a2','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','77a6447ed2971d4d1ced0f8825190998062dc58ed4eefb6bce73304925c0b1f3');
INSERT INTO "journal" VALUES(47,1.79544631240045475962e+09,'ec9c0bcecb2a2','moved','{"to": "quiz", "reason": {}, "charged": null}','9615e697d182009d49bc266684bcd19416b7ecb42921c35ffddaa8d4fdb17238');
INSERT INTO "journal" VALUES(48,1.79544631241277456278e+09,'ec9c0bcecb2a2','result','{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}','0b1c732d5dc31585fa6fb3807b81f7572a4172cd621efbe87496037ccc0e5188');
INSERT INTO "journal" VALUES(49,1.79544631244037151333e+09,'ec9c0bcecb2a2','moved','{"to": "exam", "reason": {}, "charged": null}','70bfbe637a159aed935a2d32618df8580cce9205c586027c85e8504a25f95d82');
INSERT INTO "journal" VALUES(50,1.7954463124504323006e+09,'ec9c0bcecb2a2','charged','{"charged": true}','3473449213b84d93cc2c37ab23fa2b5256890d8fb1853114b17ee900bfb6ece9');
INSERT INTO "journal" VALUES(51,1.79544631245744943618e+09,'ec9c0bcecb2a2','result','{"stage": "exam", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4"}','58aefaac8bbb2e32020993562bbda520c0db0026fbe8a481fbc9c50824c1c58b');
INSERT INTO "journal" VALUES(52,1.7954463124762301445e+09,'ec9c0bcecb2a2','moved','{"to": "score", "reason": {}, "charged": null}','deea497823d055370e26fc10eb4558fbb43374f13ad9f8722b4a1477e0b4d8e5');
INSERT INTO "journal" VALUES(53,1.79544631248369717596e+09,'ec9c0bcecb2a2','result','{"stage": "score", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}','8679b9f5690cfc88883fd5db9e4dbe3441783381d65002f9504615b042083f9b');
INSERT INTO "journal" VALUES(54,1.79544631251623868937e+09,'ec9c0bcecb2a2','score','{"attempt": 1, "key": "F1", "value": 0.5, "low": 0.25, "high": 0.75, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.5}, \"official\": {\"F1\": 0.5}, \"notes\": [], \"intervals\": {\"F1\": [0.25, 0.75]}}"}','67db5f418c42fabbf9a3255009a3fcdee1d82ceafe435f833e9b76e952e58cd4');
INSERT INTO "journal" VALUES(55,1.79544631253271698952e+09,'ec9c0bcecb2a2','moved','{"to": "done", "reason": {"cause": "verdict", "verdict": "OK"}, "charged": null}','1f64b61b748e7e442ada2e9e84ca82cf397e5a698c3c6d50abf08fb9ee34d7b7');
INSERT INTO "journal" VALUES(56,1.79544631256305480004e+09,'ed4526559d9db','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','80fd6277abea4ff64a92d6bf7bf630c37cea11ac3843b14c4bdfc04cbd7b9dfb');
INSERT INTO "journal" VALUES(57,1.79544631258538913724e+09,'ed4526559d9db','moved','{"to": "quiz", "reason": {}, "charged": null}','8186be31fd06eb0c3a6452fa983784e11a7962028714c4f168a3970362adc9ea');
INSERT INTO "journal" VALUES(58,1.7954463125976691246e+09,'ed4526559d9db','result','{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}','5183ef3d48417bc40d7eb424f5a9a2605651d239c9eed3827aa37c8a391a89df');
INSERT INTO "journal" VALUES(59,1.79544631262833833699e+09,'ed4526559d9db','moved','{"to": "exam", "reason": {}, "charged": null}','f736afe29b706348f28e47fb858112bb770c6a8db3076f985ae932c62242b02f');
INSERT INTO "journal" VALUES(60,1.7954463126447119713e+09,'ed4526559d9db','charged','{"charged": true}','5290988892f10f24db567a221bb8c24adabb6c5fa8037cc495c5413f7f159021');
INSERT INTO "journal" VALUES(61,1.79544631266553974145e+09,'ed4526559d9db','result','{"stage": "exam", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4"}','cb2515340200428bb638edc37779e6bb512288146da65a81787188ca61ac80f3');
INSERT INTO "journal" VALUES(62,1.79544631268639302249e+09,'ed4526559d9db','moved','{"to": "score", "reason": {}, "charged": null}','760615b5a478a2ccfe2d20725200cd3c031f77dcfeed375e1c249887665aaa07');
INSERT INTO "journal" VALUES(63,1.79544631270933103565e+09,'ed4526559d9db','result','{"stage": "score", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}','b8d00210d53c7252af4d4d67aaf63dcf5059a8fb9948b9b98ee268bbbca7c1e6');
INSERT INTO "journal" VALUES(64,1.79544631273174691197e+09,'ed4526559d9db','score','{"attempt": 1, "key": "F1", "value": 0.5, "low": 0.25, "high": 0.75, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.5}, \"official\": {\"F1\": 0.5}, \"notes\": [], \"intervals\": {\"F1\": [0.25, 0.75]}}"}','1b10ddec2fdb047155986ceafade7024fb2eca0cd8f6cae939e26a4fa6b67acb');
INSERT INTO "journal" VALUES(65,1.79544631274398207667e+09,'ed4526559d9db','moved','{"to": "done", "reason": {"cause": "verdict", "verdict": "OK"}, "charged": null}','8cc8a0b79297d4547cfdb926391c754b8ec3e05900c50bf28d66585b5cb51f99');
INSERT INTO "journal" VALUES(66,1.79544631277311229704e+09,'eee3a0e44c60b','result','{"stage": "prep", "attempt": 1, "verdict": "PREP_ERROR", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:1507d3acde2ad05b52c105667aa22926b12e2664ceb959e1def1ef40760af46e"}','d148fa98a67ccd596efa36ca0463b4a0595bfbf4680716b9bdaa1b6e96213269');
INSERT INTO "journal" VALUES(67,1.79544631278876066203e+09,'eee3a0e44c60b','moved','{"to": "done", "reason": {"cause": "verdict", "verdict": "PREP_ERROR"}, "charged": null}','8f09ad2115589d030cb34dec17e114cca3df2cb6eecf1ba3de8658fc38619507');
INSERT INTO "journal" VALUES(68,1.79544631281973457339e+09,'e227944ae22bd','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','bc1ba6dae88b5b40a78c1bbe96fe8b74d814e09078e3e758ced9939d43c0ba09');
INSERT INTO "journal" VALUES(69,1.79544631284088301663e+09,'e227944ae22bd','moved','{"to": "quiz", "reason": {}, "charged": null}','d3e393663aa06ca6697ee26ce45ff3e64f08d550907f0eb0ba74580b0326100d');
INSERT INTO "journal" VALUES(70,1.79544631286429500578e+09,'e227944ae22bd','result','{"stage": "quiz", "attempt": 1, "verdict": "WRONG_ANSWER", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:4fe242bb787729374237cf7e5b948646ff64d1d1322ce53b54366dade8351acd"}','56241b70259b90107a233e075dfca44de2a49187f648b580d38843c45d9d264a');
INSERT INTO "journal" VALUES(71,1.79544631289161825179e+09,'e227944ae22bd','moved','{"to": "done", "reason": {"cause": "verdict", "verdict": "WRONG_ANSWER"}, "charged": null}','b7a43631c86ad082ad1f1ac61f090f5108dbbf3b16325464bb2fe744f1cb9465');
INSERT INTO "journal" VALUES(72,1.79544631292216873164e+09,'e77a6a095f32f','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','bc0b08ed931b7a1f9180914664ecd7064ce4fb426ec83c14efaa22ff6167aa33');
INSERT INTO "journal" VALUES(73,1.79544631294445610047e+09,'e77a6a095f32f','moved','{"to": "quiz", "reason": {}, "charged": null}','b4de7c56004028421c293f36b41745be02740fc9929ce1beea206daa2553f83e');
INSERT INTO "journal" VALUES(74,1.7954463129644227028e+09,'e77a6a095f32f','result','{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}','9bac8c631ba28df8cbc9ca9544e3d2845ab89437baccd1bdb8416f9f55a9c947');
INSERT INTO "journal" VALUES(75,1.7954463129882433414e+09,'e77a6a095f32f','moved','{"to": "exam", "reason": {}, "charged": null}','9d7dcadc1d62c390cba939159b4425513a0a773ee5a0d3faf49ea479260a85d0');
INSERT INTO "journal" VALUES(76,1.79544631300916767121e+09,'e77a6a095f32f','charged','{"charged": true}','4ef88994a3f68b86e3401f41eba6c606e272a19444327bd073f29b844da72d0f');
INSERT INTO "journal" VALUES(77,1.79544631302922248839e+09,'e77a6a095f32f','result','{"stage": "exam", "attempt": 1, "verdict": "TIME_LIMIT", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:665f52e08e7257c76de2b5472e0fc32f6f3ca726106bc46624d1723a15e712ab"}','ddb05812a3b8d3d58e2989530222d0116f6ba636f3e22ebf0d8277e62e67b11a');
INSERT INTO "journal" VALUES(78,1.79544631304432225227e+09,'e77a6a095f32f','moved','{"to": "done", "reason": {"cause": "verdict", "verdict": "TIME_LIMIT"}, "charged": null}','a0f11459000104b89e45a1d7344f54176bc3b6116b7d9ca76e665a4f7af4d751');
INSERT INTO "journal" VALUES(79,1.79544631306543898581e+09,'e0bd1e43fabe9','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','445b0902b9950746caa1679e60b737c945e6c376882ec94e5239f5907baaaad0');
INSERT INTO "journal" VALUES(80,1.79544631312424492839e+09,'e0bd1e43fabe9','moved','{"to": "quiz", "reason": {}, "charged": null}','a9a13a71618f860f5634f21a256c95f2a8db190d53eb4d6aeb70391b7524ebeb');
INSERT INTO "journal" VALUES(81,1.79544631314147067066e+09,'e85c1da521b94','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','8862af24a3b0d838052faedda6a195209784d57888e01bd9196de88a879f68f9');
INSERT INTO "journal" VALUES(82,1.79544631316127586365e+09,'e85c1da521b94','moved','{"to": "quiz", "reason": {}, "charged": null}','962c5ebd373a7f5093656cec05e17f915db4080be6526728e2b25c186b17d3fa');
INSERT INTO "journal" VALUES(83,1.79544631318124794962e+09,'e85c1da521b94','result','{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}','e88e8a30ce7e41d8446266624eed01d6cedf52d8a5629a35619bd318f710d0b9');
INSERT INTO "journal" VALUES(84,1.7954463131998112202e+09,'e85c1da521b94','moved','{"to": "exam", "reason": {}, "charged": null}','246ff6817a2e5db395b4e7b452bbebcbf192a9e196226a969ceae4ba7832dda7');
INSERT INTO "journal" VALUES(85,1.79544631321531963346e+09,'e85c1da521b94','charged','{"charged": true}','aec806fbfae27d0ee310042506dcd657f6b6ffaae9e7d2f74184ed719a583d75');
INSERT INTO "journal" VALUES(86,1.7954463132277255058e+09,'e22ff431ca677','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','e7f068927b7af1efb5f7ff7396e630b9b51478147aa933075f435e7a61b123fe');
INSERT INTO "journal" VALUES(87,1.79544631324841022492e+09,'e22ff431ca677','moved','{"to": "quiz", "reason": {}, "charged": null}','1a2b53b2ec0094f39fef564a0e5eeba83cf906103fef61626690707c22beebc5');
INSERT INTO "journal" VALUES(88,1.79544631325905227657e+09,'e22ff431ca677','result','{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}','388451c6f9b326fd10045620af0329aa8f52f98fe4161b01d5c048abb0dc4278');
INSERT INTO "journal" VALUES(89,1.79544631327209639544e+09,'e22ff431ca677','moved','{"to": "exam", "reason": {}, "charged": null}','11029a062e0bf0bba9a13b20373dcc8ce2c8d0e014aefbf441e84232aa6c37f9');
INSERT INTO "journal" VALUES(90,1.79544631329820585249e+09,'e22ff431ca677','charged','{"charged": true}','23bc4a2b66635df2697d3e2ef6128e89bc01e62aa2242946689eb26e2eebeba4');
INSERT INTO "journal" VALUES(91,1.79544631331274080277e+09,'e22ff431ca677','result','{"stage": "exam", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4"}','ba34caf87d9f74c7ae45af454462fbd6def062a8befe55254a6bba89376baa2f');
INSERT INTO "journal" VALUES(92,1.79544631333092951771e+09,'e22ff431ca677','moved','{"to": "score", "reason": {}, "charged": null}','90482886d175c53a6fbdde106df2253fcb82555ef256fbb934802b76a01d423e');
INSERT INTO "journal" VALUES(93,1.79544631334774613378e+09,'e7add14e2aec9','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','46b0c78f00f44b1cd8bfc0ae5817f48e647ce3869eb5761760d35e461bef6cc1');
INSERT INTO "journal" VALUES(94,1.7954463133722741604e+09,'e7add14e2aec9','moved','{"to": "quiz", "reason": {}, "charged": null}','9f73b560dc50d980b933d2e06d23f6601d28b990400a4f8bb063bc7a9203f3ca');
INSERT INTO "journal" VALUES(95,1.79544631339170122148e+09,'e7add14e2aec9','result','{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}','49432c859ed358c104ae71682ab4c8e38f59eedfda762fb34cdc4d59c24f7441');
INSERT INTO "journal" VALUES(96,1.79544631340813946721e+09,'e7add14e2aec9','moved','{"to": "exam", "reason": {}, "charged": null}','4cdfe9d6962c242efb86166ecc2e7fb5404d882e27d936071edb8e0e687cb40d');
INSERT INTO "journal" VALUES(97,1.79544631342051887517e+09,'e7add14e2aec9','charged','{"charged": true}','a72372d0ea8ea31c387753a68d35a361525bd75168ce80f0982d3640d49f7410');
INSERT INTO "journal" VALUES(98,1.79544631343624329564e+09,'e7add14e2aec9','moved','{"to": "parked", "reason": {"cause": "infrastructure", "stage": "exam", "message": "exam: SandboxFault: the guest is gone"}, "charged": null}','c192c9d88766781b2bf951696eb63eed724dd3992f7605d4e3671ed6488d02cf');
INSERT INTO "journal" VALUES(99,1.79544631344852638251e+09,'ec0d639a96d4d','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','60602ce44737301e477b7304492357f7bffdf94fa795c9915355d7ab9dca983b');
INSERT INTO "journal" VALUES(100,1.79544631347212934498e+09,'ec0d639a96d4d','moved','{"to": "quiz", "reason": {}, "charged": null}','69a9f08b52a66515efc3972a7688ea24e2813c6c5dcf923b210b0af31942cb30');
INSERT INTO "journal" VALUES(101,1.79544631349687194821e+09,'ec0d639a96d4d','result','{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}','e3670a6acbac5bad9132e50651e01490fbb81e807e37a5e8c8f901e19355f1b6');
INSERT INTO "journal" VALUES(102,1795446313.53067,'ec0d639a96d4d','moved','{"to": "exam", "reason": {}, "charged": null}','b68fccabf2d0136f3fd698e5e6e40ec676d9890101ec9cc9a91c6178f6bec32f');
INSERT INTO "journal" VALUES(103,1.79544631355246210105e+09,'ec0d639a96d4d','charged','{"charged": true}','7d387817c4e7b1649386f0e010a075c0265c6b3f9edf64748011dd2877e2387a');
INSERT INTO "journal" VALUES(104,1.79544631356427645684e+09,'ec0d639a96d4d','moved','{"to": "parked", "reason": {"cause": "infrastructure", "stage": "exam", "message": "exam: SandboxFault: the guest is gone"}, "charged": null}','06d789bfb16af0e34e2b98c203ef047d385b57e38cf29d3af655a079870eb37a');
INSERT INTO "journal" VALUES(105,1.79544631357337117196e+09,'e61cdec782e70','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','bf94f312cd55627a230723220332e073b88f130161160ba8d680881c7c0dcecd');
INSERT INTO "journal" VALUES(106,1.7954463135976471901e+09,'e61cdec782e70','moved','{"to": "quiz", "reason": {}, "charged": null}','00c646c71f5c0e4d7a9e67ad16fa9efc1b43a0c3a0d5a46c48274ca9b50105c4');
INSERT INTO "journal" VALUES(107,1.79544631360934162141e+09,'e61cdec782e70','result','{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}','e16b6270916246b88c9bb764a01f6964d5785018df3fd10767043316e7c7e514');
INSERT INTO "journal" VALUES(108,1.79544631362656784056e+09,'e61cdec782e70','moved','{"to": "exam", "reason": {}, "charged": null}','a927b980278a5ff1b9e64c1fcc1e4172090d2ae8f3c75ef9a9c11339c514720b');
INSERT INTO "journal" VALUES(109,1.79544631363537693022e+09,'e61cdec782e70','charged','{"charged": true}','7a374e03e1544c96ffe8a4f946799922497e204330ca9e58ebfac86e7db94b47');
INSERT INTO "journal" VALUES(110,1.79544631364102506634e+09,'e61cdec782e70','moved','{"to": "parked", "reason": {"cause": "infrastructure", "stage": "exam", "message": "exam: SandboxFault: the guest is gone"}, "charged": null}','34a38a24f2a0715e685fff6d04c840a120e309b372d4416d3184f149a97167b6');
INSERT INTO "journal" VALUES(111,1.79544631365867018695e+09,'e61cdec782e70','retried','{"attempt": 2}','c63774feaa7b267c66ceb56bc9e5ea6380fe84a24c0a8d28513af024435e8f23');
INSERT INTO "journal" VALUES(112,1.79544631370031929021e+09,'e7a6bd6a6224d','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','376030d2ae050a12029fa40fbab52ce6be4eadc218d04641e7142e2f881e3cd8');
INSERT INTO "journal" VALUES(113,1.79544631372435331342e+09,'e7a6bd6a6224d','moved','{"to": "quiz", "reason": {}, "charged": null}','46322560ba0e38f89c108dce7bc9d61b3d6e10628c2edd7a87cb90329c1c4935');
INSERT INTO "journal" VALUES(114,1.79544631375195693967e+09,'e7a6bd6a6224d','result','{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}','2edc784574907c63299a17f1ac334c8f5c364a8504d4af14b2012bd9497a8eb3');
INSERT INTO "journal" VALUES(115,1.79544631378444242476e+09,'e7a6bd6a6224d','moved','{"to": "exam", "reason": {}, "charged": null}','f7df6a2df15b0f70c4f33e1df02a785e69fa5a778997cbeefb9ef56feb9942e9');
INSERT INTO "journal" VALUES(116,1.79544631380463385588e+09,'e7a6bd6a6224d','charged','{"charged": true}','9e87fe6abdaaa2f70210e98ea1dbe53b353d0c046feae289f5e33c4f33ce25f0');
INSERT INTO "journal" VALUES(117,1.79544631382848858831e+09,'e7a6bd6a6224d','moved','{"to": "cancelled", "reason": {"cause": "organiser"}, "charged": null}','2332ae03d3e50fa61d058d58abdeaa5bc2960753c50b2492f367adc7c21634b8');
INSERT INTO "journal" VALUES(118,1.79544631387624478344e+09,'e85c1da521b94','moved','{"to": "exam", "reason": {"cause": "retry", "stage": "exam", "message": "try 2 in 30 s: SandboxFault: the guest is gone"}, "charged": null}','8b7272a0e017792b2f977a1886c097102b18e4d2a452609b48c49e972ad78227');
INSERT INTO "journal" VALUES(119,1.79544631389873051647e+09,'eb19e260aa4a6','moved','{"to": "cancelled", "reason": {"cause": "organiser"}, "charged": null}','823510f0b29518bb8a191387bdcd306114111b7879446eb8e1940ccbe6b933ba');
INSERT INTO "journal" VALUES(120,1.79544631397845196726e+09,'e035c3bccb8e1','shadowed','{"attempt": 2, "purpose": "r1", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}','e6b6d4d052a486c240d9a61c4fb9035e1a7487482786b70446011f340621e66d');
INSERT INTO "journal" VALUES(121,1.79544631397845196726e+09,'ec9c0bcecb2a2','shadowed','{"attempt": 2, "purpose": "r1", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}','b853b9e35a8ac002171875fbf6d5190ed57d3948946dec2d4a0b656368a3065a');
INSERT INTO "journal" VALUES(122,1.79544631397845196726e+09,'ed4526559d9db','shadowed','{"attempt": 2, "purpose": "r1", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}','8afa06d3b44a5fdcf2de7599f99c3a667450e2a2d3ba86c616342c56124a63bf');
INSERT INTO "journal" VALUES(123,1.79544631397845196726e+09,'e77a6a095f32f','shadowed','{"attempt": 2, "purpose": "r1", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}','d9a2fead82bb44e190f377ae68f11bf9ffe0e1095a07d9db6e663e301c934f37');
INSERT INTO "journal" VALUES(124,1.79544631404186320303e+09,'e035c3bccb8e1','shadowed','{"attempt": 3, "purpose": "r2", "challenge": "cinc2017", "references": "", "base": 1, "first": "exam"}','715fab4f813ccc8beeb6f274e0526648b0132456232f78877d22306f6e161b1f');
INSERT INTO "journal" VALUES(125,1.79544631404186320303e+09,'ec9c0bcecb2a2','shadowed','{"attempt": 3, "purpose": "r2", "challenge": "cinc2017", "references": "", "base": 1, "first": "exam"}','fa3f8146ebe3caaa9b3b56e2cc322a26c4cf23012f736ec76b485b2ef5411628');
INSERT INTO "journal" VALUES(126,1.79544631404186320303e+09,'ed4526559d9db','shadowed','{"attempt": 3, "purpose": "r2", "challenge": "cinc2017", "references": "", "base": 1, "first": "exam"}','ac8bda0b69801eac449809bdfc55fa64f9128a2ab0a42e5b48438b02a0ead731');
INSERT INTO "journal" VALUES(127,1.79544631404186320303e+09,'e77a6a095f32f','shadowed','{"attempt": 3, "purpose": "r2", "challenge": "cinc2017", "references": "", "base": 1, "first": "exam"}','7ee76aae0bffd21583b6d9768d7b03d8a1ff65339aac551f9d6591635a01d16b');
INSERT INTO "journal" VALUES(128,1.79544631408811783792e+09,'e035c3bccb8e1','shadowed','{"attempt": 4, "purpose": "r3", "challenge": "cinc2017", "references": "", "base": 1, "first": "prep"}','9ee0aee2daab1204b166a25cbb52c50913b331eab91e386b793e2c446392ad95');
INSERT INTO "journal" VALUES(129,1.79544631408811783792e+09,'ec9c0bcecb2a2','shadowed','{"attempt": 4, "purpose": "r3", "challenge": "cinc2017", "references": "", "base": 1, "first": "prep"}','886f7df5fc91d1b3c3d250aa31990ff507b92ff69a37bbca7fa64b1be9be6317');
INSERT INTO "journal" VALUES(130,1.79544631408811783792e+09,'ed4526559d9db','shadowed','{"attempt": 4, "purpose": "r3", "challenge": "cinc2017", "references": "", "base": 1, "first": "prep"}','689ace3c836bed4fe7c43fb96e7dff3128a200be58632d6bae88858724a5dc99');
INSERT INTO "journal" VALUES(131,1.79544631408811783792e+09,'e77a6a095f32f','shadowed','{"attempt": 4, "purpose": "r3", "challenge": "cinc2017", "references": "", "base": 1, "first": "prep"}','41dd6668674fa28536239162eac2b7c655128c82b0d6bea933bbbc6420a34a44');
INSERT INTO "journal" VALUES(132,1.79544631413473248487e+09,'e035c3bccb8e1','shadowed','{"attempt": 5, "purpose": "r4", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}','0d562b62865e1fa81e161b82528751ff3ffa3d918bc64b35dab105db68da3efa');
INSERT INTO "journal" VALUES(133,1.79544631413473248487e+09,'ec9c0bcecb2a2','shadowed','{"attempt": 5, "purpose": "r4", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}','7ae98c5fd7cfa7c3971f8b6f7d332aca170a0fd5034445672b306357821f1f7d');
INSERT INTO "journal" VALUES(134,1.79544631413473248487e+09,'ed4526559d9db','shadowed','{"attempt": 5, "purpose": "r4", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}','6be44a82f393d8d5c152cc0dcf5d1ab3cedbda23793c48601db9f25e75cb2178');
INSERT INTO "journal" VALUES(135,1.79544631413473248487e+09,'e77a6a095f32f','shadowed','{"attempt": 5, "purpose": "r4", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}','c06ff175a3deadee4f100dc5379fa65dba4bbaf7855d82a4c6fcb9c861cc2821');
INSERT INTO "journal" VALUES(136,1.79544631420229387286e+09,'e035c3bccb8e1','shadow-moved','{"attempt": 2, "to": "score", "reason": {}}','d6d575db493a72c50dc916506f7b99cc73ff147e93886bf6052a20cedc04a093');
INSERT INTO "journal" VALUES(137,1.79544631422276949883e+09,'e035c3bccb8e1','result','{"stage": "score", "attempt": 2, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}','3029da033e13436bc58f6feb1309c6691f1a7b0a5ed0575b4339879828f18113');
INSERT INTO "journal" VALUES(138,1.79544631423661398884e+09,'e035c3bccb8e1','score','{"attempt": 2, "key": "F1", "value": 0.7, "low": 0.35, "high": 1.0499999999999998, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.7}, \"official\": {\"F1\": 0.7}, \"notes\": [], \"intervals\": {\"F1\": [0.35, 1.0499999999999998]}}"}','c50c1cfd500f3bfb9b104e3ad306b7da54a0afced88c9b38e0183c6347fc8d11');
INSERT INTO "journal" VALUES(139,1.79544631425528407094e+09,'e035c3bccb8e1','shadow-moved','{"attempt": 2, "to": "done", "reason": {"cause": "verdict", "verdict": "OK"}}','3fb4f0b0394d3538b64b619237454b360b86068783585f2e42baad2a84f95547');
INSERT INTO "journal" VALUES(140,1.79544631427278876308e+09,'e77a6a095f32f','shadow-moved','{"attempt": 2, "to": "score", "reason": {}}','5c6c21b8aff1e8e182cb1728639e171b1ab986e64cddcb8dab90d2d4c936da4e');
INSERT INTO "journal" VALUES(141,1.79544631427907514569e+09,'e77a6a095f32f','result','{"stage": "score", "attempt": 2, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}','b32d25b518d01b8b4752c2ef3e7bf134b1cd6e9b16a0ffc69952a44eb8428797');
INSERT INTO "journal" VALUES(142,1.79544631429930043224e+09,'e77a6a095f32f','score','{"attempt": 2, "key": "F1", "value": 0.7, "low": 0.35, "high": 1.0499999999999998, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.7}, \"official\": {\"F1\": 0.7}, \"notes\": [], \"intervals\": {\"F1\": [0.35, 1.0499999999999998]}}"}','8f77cad7e23187e26814da9554c4d5b02cb96207e652b042e104d020ac9d3939');
INSERT INTO "journal" VALUES(143,1.79544631432121467584e+09,'e77a6a095f32f','shadow-moved','{"attempt": 2, "to": "done", "reason": {"cause": "verdict", "verdict": "OK"}}','921672bcf0a3020ef1d7f42cc4541e501c09745e817507fcdb4454633d34f25f');
INSERT INTO "journal" VALUES(144,1.79544631433415675164e+09,'ec9c0bcecb2a2','shadow-moved','{"attempt": 2, "to": "score", "reason": {}}','c4d5ae16fc0f567a534f36708d50352e06aa629f2357c046e127455c2944f337');
INSERT INTO "journal" VALUES(145,1.79544631436996865274e+09,'ec9c0bcecb2a2','result','{"stage": "score", "attempt": 2, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}','00e92bfcd12b51a505f479668a2109175fb44d59e676b4cf2a016427fe372d0a');
INSERT INTO "journal" VALUES(146,1.79544631439659881587e+09,'ec9c0bcecb2a2','score','{"attempt": 2, "key": "F1", "value": 0.7, "low": 0.35, "high": 1.0499999999999998, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.7}, \"official\": {\"F1\": 0.7}, \"notes\": [], \"intervals\": {\"F1\": [0.35, 1.0499999999999998]}}"}','3219f93758b754e29748e164e72f29095e472c93af0518473526d8b21f5249c9');
INSERT INTO "journal" VALUES(147,1.79544631442053794854e+09,'ec9c0bcecb2a2','shadow-moved','{"attempt": 2, "to": "done", "reason": {"cause": "verdict", "verdict": "OK"}}','aa26d1a9ee2dac2f2ea5678e76bbb6c21b5a5c0fe42f55a7e604f471505264c0');
INSERT INTO "journal" VALUES(148,1.79544631443294548994e+09,'ed4526559d9db','shadow-moved','{"attempt": 2, "to": "score", "reason": {}}','8f5462f2c25ddccac419db3a5f407f356d53784229e1499447a655c5e18172ed');
INSERT INTO "journal" VALUES(149,1.7954463144524385929e+09,'ed4526559d9db','result','{"stage": "score", "attempt": 2, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}','1bace9316f1fb0ca4b4e61ea13c465f6d2a9da72059f91472c13ae2372ea3ef5');
INSERT INTO "journal" VALUES(150,1.79544631447687721252e+09,'ed4526559d9db','score','{"attempt": 2, "key": "F1", "value": 0.7, "low": 0.35, "high": 1.0499999999999998, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.7}, \"official\": {\"F1\": 0.7}, \"notes\": [], \"intervals\": {\"F1\": [0.35, 1.0499999999999998]}}"}','aab05c1669a66dbb161202fd33fb7552fc53d24eb3ab59478ea1fb5924b66322');
INSERT INTO "journal" VALUES(151,1.79544631448033094409e+09,'ed4526559d9db','shadow-moved','{"attempt": 2, "to": "done", "reason": {"cause": "verdict", "verdict": "OK"}}','6efed47dc97daceff9fdc748ac4c2baf4634d1a707de4494b8fd218bd3ce02b2');
INSERT INTO "journal" VALUES(152,1.79544631450514507293e+09,'e035c3bccb8e1','adopted','{"attempt": 2}','f73621e96b03731e61fd27873c66b97e798235f8826a1edd54ec14e8f60af6b6');
INSERT INTO "journal" VALUES(153,1.79544631450514507293e+09,'ec9c0bcecb2a2','adopted','{"attempt": 2}','39c73c09e33a8015fa83098a71004abe15592f25143e258bc3b55ce9f5e9b35e');
INSERT INTO "journal" VALUES(154,1.79544631450514507293e+09,'ed4526559d9db','adopted','{"attempt": 2}','3104a3fdbcc47da620368908a635ee9b102a8c8d5cc31238070bfe4ed755a1bd');
INSERT INTO "journal" VALUES(155,1.79544631450514507293e+09,'e77a6a095f32f','adopted','{"attempt": 2}','76b542573733c3730b53f0b9747be8c734c02cd4aad2cc954865adb1fffb8078');
INSERT INTO "journal" VALUES(156,1.79544631453763747211e+09,'e035c3bccb8e1','shadow-moved','{"attempt": 3, "to": "cancelled", "reason": {"cause": "discarded"}}','3d1047bedf15703166879a738c161b9387443b75fa5e89771cbb59232abd2034');
INSERT INTO "journal" VALUES(157,1.79544631453763747211e+09,'ec9c0bcecb2a2','shadow-moved','{"attempt": 3, "to": "cancelled", "reason": {"cause": "discarded"}}','5a3a45e12274e56728854e073333ce4781c6f6291b93ab805fd59d7ad40960ca');
INSERT INTO "journal" VALUES(158,1.79544631453763747211e+09,'ed4526559d9db','shadow-moved','{"attempt": 3, "to": "cancelled", "reason": {"cause": "discarded"}}','e1cea6fe3bc657413c99a5b76e99c06a65548dec0a528396d4f604e791a144aa');
INSERT INTO "journal" VALUES(159,1.79544631453763747211e+09,'e77a6a095f32f','shadow-moved','{"attempt": 3, "to": "cancelled", "reason": {"cause": "discarded"}}','cbc11b7cef343918be3f457296aaae672a1c1fc1c1b3babdb3415b87edcbeb76');
INSERT INTO "journal" VALUES(160,1.79544631456135368348e+09,'e035c3bccb8e1','shadow-moved','{"attempt": 4, "to": "prep", "reason": {}}','0ca728cb29ea99c763bf9b24306ccf6b431a0cc090b453ee0d2d1f75df567398');
INSERT INTO "journal" VALUES(161,1.7954463145731117726e+09,'e77a6a095f32f','shadow-moved','{"attempt": 4, "to": "parked", "reason": {"cause": "challenge", "stage": "exam", "message": "no score"}}','c9c76766f5430a0e85809d41b92adec950a0edc8f2d29422b69a6c4cf1e03a37');
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
	mail BOOLEAN NOT NULL, 
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
INSERT INTO "results" VALUES('e035c3bccb8e1',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79544631213265490528e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',1,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79544631218686127666e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',1,'exam','OK',5,0.5,'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4',1.79544631226095509528e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',1,'score','OK',5,0.5,'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020',1.79544631231509208674e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79544631237299466127e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',1,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79544631241277456278e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',1,'exam','OK',5,0.5,'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4',1.79544631245744943618e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',1,'score','OK',5,0.5,'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020',1.79544631248369717596e+09);
INSERT INTO "results" VALUES('ed4526559d9db',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79544631256305480004e+09);
INSERT INTO "results" VALUES('ed4526559d9db',1,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.7954463125976691246e+09);
INSERT INTO "results" VALUES('ed4526559d9db',1,'exam','OK',5,0.5,'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4',1.79544631266553974145e+09);
INSERT INTO "results" VALUES('ed4526559d9db',1,'score','OK',5,0.5,'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020',1.79544631270933103565e+09);
INSERT INTO "results" VALUES('eee3a0e44c60b',1,'prep','PREP_ERROR',5,0.5,'sha256:1507d3acde2ad05b52c105667aa22926b12e2664ceb959e1def1ef40760af46e',1.79544631277311229704e+09);
INSERT INTO "results" VALUES('e227944ae22bd',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79544631281973457339e+09);
INSERT INTO "results" VALUES('e227944ae22bd',1,'quiz','WRONG_ANSWER',5,0.5,'sha256:4fe242bb787729374237cf7e5b948646ff64d1d1322ce53b54366dade8351acd',1.79544631286429500578e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79544631292216873164e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',1,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.7954463129644227028e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',1,'exam','TIME_LIMIT',5,0.5,'sha256:665f52e08e7257c76de2b5472e0fc32f6f3ca726106bc46624d1723a15e712ab',1.79544631302922248839e+09);
INSERT INTO "results" VALUES('e0bd1e43fabe9',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79544631306543898581e+09);
INSERT INTO "results" VALUES('e85c1da521b94',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79544631314147067066e+09);
INSERT INTO "results" VALUES('e85c1da521b94',1,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79544631318124794962e+09);
INSERT INTO "results" VALUES('e22ff431ca677',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.7954463132277255058e+09);
INSERT INTO "results" VALUES('e22ff431ca677',1,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79544631325905227657e+09);
INSERT INTO "results" VALUES('e22ff431ca677',1,'exam','OK',5,0.5,'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4',1.79544631331274080277e+09);
INSERT INTO "results" VALUES('e7add14e2aec9',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79544631334774613378e+09);
INSERT INTO "results" VALUES('e7add14e2aec9',1,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79544631339170122148e+09);
INSERT INTO "results" VALUES('ec0d639a96d4d',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79544631344852638251e+09);
INSERT INTO "results" VALUES('ec0d639a96d4d',1,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79544631349687194821e+09);
INSERT INTO "results" VALUES('e61cdec782e70',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79544631357337117196e+09);
INSERT INTO "results" VALUES('e61cdec782e70',1,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79544631360934162141e+09);
INSERT INTO "results" VALUES('e7a6bd6a6224d',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79544631370031929021e+09);
INSERT INTO "results" VALUES('e7a6bd6a6224d',1,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79544631375195693967e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',2,'exam','OK',5,0.5,'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4',1.79544631226095509528e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',2,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79544631213265490528e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',2,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79544631218686127666e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',2,'exam','OK',5,0.5,'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4',1.79544631245744943618e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',2,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79544631237299466127e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',2,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79544631241277456278e+09);
INSERT INTO "results" VALUES('ed4526559d9db',2,'exam','OK',5,0.5,'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4',1.79544631266553974145e+09);
INSERT INTO "results" VALUES('ed4526559d9db',2,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79544631256305480004e+09);
INSERT INTO "results" VALUES('ed4526559d9db',2,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.7954463125976691246e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',2,'exam','TIME_LIMIT',5,0.5,'sha256:665f52e08e7257c76de2b5472e0fc32f6f3ca726106bc46624d1723a15e712ab',1.79544631302922248839e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',2,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79544631292216873164e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',2,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.7954463129644227028e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',3,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79544631213265490528e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',3,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79544631218686127666e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',3,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79544631237299466127e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',3,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79544631241277456278e+09);
INSERT INTO "results" VALUES('ed4526559d9db',3,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79544631256305480004e+09);
INSERT INTO "results" VALUES('ed4526559d9db',3,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.7954463125976691246e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',3,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79544631292216873164e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',3,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.7954463129644227028e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',5,'exam','OK',5,0.5,'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4',1.79544631226095509528e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',5,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79544631213265490528e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',5,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79544631218686127666e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',5,'exam','OK',5,0.5,'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4',1.79544631245744943618e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',5,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79544631237299466127e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',5,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79544631241277456278e+09);
INSERT INTO "results" VALUES('ed4526559d9db',5,'exam','OK',5,0.5,'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4',1.79544631266553974145e+09);
INSERT INTO "results" VALUES('ed4526559d9db',5,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79544631256305480004e+09);
INSERT INTO "results" VALUES('ed4526559d9db',5,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.7954463125976691246e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',5,'exam','TIME_LIMIT',5,0.5,'sha256:665f52e08e7257c76de2b5472e0fc32f6f3ca726106bc46624d1723a15e712ab',1.79544631302922248839e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',5,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79544631292216873164e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',5,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.7954463129644227028e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',2,'score','OK',5,0.5,'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020',1.79544631422276949883e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',2,'score','OK',5,0.5,'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020',1.79544631427907514569e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',2,'score','OK',5,0.5,'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020',1.79544631436996865274e+09);
INSERT INTO "results" VALUES('ed4526559d9db',2,'score','OK',5,0.5,'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020',1.7954463144524385929e+09);
CREATE TABLE scores (
	entry VARCHAR(24) NOT NULL, 
	attempt INTEGER NOT NULL, 
	"key" VARCHAR(100) NOT NULL, 
	value FLOAT, 
	score TEXT NOT NULL, 
	at FLOAT NOT NULL, low FLOAT, high FLOAT, 
	PRIMARY KEY (entry, attempt), 
	FOREIGN KEY(entry) REFERENCES entries (id)
);
INSERT INTO "scores" VALUES('e035c3bccb8e1',1,'F1',0.5,'{"primary": "F1", "values": {"F1": 0.5}, "official": {"F1": 0.5}, "notes": [], "intervals": {"F1": [0.25, 0.75]}}',1.79544631232453560836e+09,0.25,0.75);
INSERT INTO "scores" VALUES('ec9c0bcecb2a2',1,'F1',0.5,'{"primary": "F1", "values": {"F1": 0.5}, "official": {"F1": 0.5}, "notes": [], "intervals": {"F1": [0.25, 0.75]}}',1.79544631251623868937e+09,0.25,0.75);
INSERT INTO "scores" VALUES('ed4526559d9db',1,'F1',0.5,'{"primary": "F1", "values": {"F1": 0.5}, "official": {"F1": 0.5}, "notes": [], "intervals": {"F1": [0.25, 0.75]}}',1.79544631273174691197e+09,0.25,0.75);
INSERT INTO "scores" VALUES('e035c3bccb8e1',2,'F1',0.7,'{"primary": "F1", "values": {"F1": 0.7}, "official": {"F1": 0.7}, "notes": [], "intervals": {"F1": [0.35, 1.0499999999999998]}}',1.79544631423661398884e+09,0.35,1.04999999999999982236e+00);
INSERT INTO "scores" VALUES('e77a6a095f32f',2,'F1',0.7,'{"primary": "F1", "values": {"F1": 0.7}, "official": {"F1": 0.7}, "notes": [], "intervals": {"F1": [0.35, 1.0499999999999998]}}',1.79544631429930043224e+09,0.35,1.04999999999999982236e+00);
INSERT INTO "scores" VALUES('ec9c0bcecb2a2',2,'F1',0.7,'{"primary": "F1", "values": {"F1": 0.7}, "official": {"F1": 0.7}, "notes": [], "intervals": {"F1": [0.35, 1.0499999999999998]}}',1.79544631439659881587e+09,0.35,1.04999999999999982236e+00);
INSERT INTO "scores" VALUES('ed4526559d9db',2,'F1',0.7,'{"primary": "F1", "values": {"F1": 0.7}, "official": {"F1": 0.7}, "notes": [], "intervals": {"F1": [0.35, 1.0499999999999998]}}',1.79544631447687721252e+09,0.35,1.04999999999999982236e+00);
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
INSERT INTO "settings" VALUES('identity','46f6bfa1057e4b1286b9bb9c996ee87e');
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
INSERT INTO "shadows" VALUES('e035c3bccb8e1',2,'r1','cinc2017','',1,'score','done',1.79544631425528407094e+09,1,'',0,'{"cause": "verdict", "verdict": "OK"}','');
INSERT INTO "shadows" VALUES('ec9c0bcecb2a2',2,'r1','cinc2017','',1,'score','done',1.79544631442053794854e+09,1,'',0,'{"cause": "verdict", "verdict": "OK"}','');
INSERT INTO "shadows" VALUES('ed4526559d9db',2,'r1','cinc2017','',1,'score','done',1.79544631448033094409e+09,1,'',0,'{"cause": "verdict", "verdict": "OK"}','');
INSERT INTO "shadows" VALUES('e77a6a095f32f',2,'r1','cinc2017','',1,'score','done',1.79544631432121467584e+09,1,'',0,'{"cause": "verdict", "verdict": "OK"}','');
INSERT INTO "shadows" VALUES('e035c3bccb8e1',3,'r2','cinc2017','',1,'exam','cancelled',1.79544631453763747211e+09,0,'',0,'{"cause": "discarded"}','');
INSERT INTO "shadows" VALUES('ec9c0bcecb2a2',3,'r2','cinc2017','',1,'exam','cancelled',1.79544631453763747211e+09,0,'',0,'{"cause": "discarded"}','');
INSERT INTO "shadows" VALUES('ed4526559d9db',3,'r2','cinc2017','',1,'exam','cancelled',1.79544631453763747211e+09,0,'',0,'{"cause": "discarded"}','');
INSERT INTO "shadows" VALUES('e77a6a095f32f',3,'r2','cinc2017','',1,'exam','cancelled',1.79544631453763747211e+09,0,'',0,'{"cause": "discarded"}','');
INSERT INTO "shadows" VALUES('e035c3bccb8e1',4,'r3','cinc2017','',1,'prep','prep',1.79544631456135368348e+09,0,'',0,'','');
INSERT INTO "shadows" VALUES('ec9c0bcecb2a2',4,'r3','cinc2017','',1,'prep','queued',1.79544631408811783792e+09,0,'',0,'','');
INSERT INTO "shadows" VALUES('ed4526559d9db',4,'r3','cinc2017','',1,'prep','queued',1.79544631408811783792e+09,0,'',0,'','');
INSERT INTO "shadows" VALUES('e77a6a095f32f',4,'r3','cinc2017','',1,'prep','parked',1.7954463145731117726e+09,0,'',0,'{"cause": "challenge", "message": "no score", "stage": "exam"}','');
INSERT INTO "shadows" VALUES('e035c3bccb8e1',5,'r4','cinc2017','',1,'score','queued',1.79544631413473248487e+09,0,'',0,'','');
INSERT INTO "shadows" VALUES('ec9c0bcecb2a2',5,'r4','cinc2017','',1,'score','queued',1.79544631413473248487e+09,0,'',0,'','');
INSERT INTO "shadows" VALUES('ed4526559d9db',5,'r4','cinc2017','',1,'score','queued',1.79544631413473248487e+09,0,'',0,'','');
INSERT INTO "shadows" VALUES('e77a6a095f32f',5,'r4','cinc2017','',1,'score','queued',1.79544631413473248487e+09,0,'',0,'','');
CREATE TABLE shares (
	queue VARCHAR(10) NOT NULL, 
	team VARCHAR(100) NOT NULL, 
	tag FLOAT NOT NULL, 
	PRIMARY KEY (queue, team)
);
INSERT INTO "shares" VALUES('entries','red',4.0);
INSERT INTO "shares" VALUES('entries','',3.0);
INSERT INTO "shares" VALUES('entries','Blue',4.0);
INSERT INTO "shares" VALUES('entries','großes Team',3.0);
INSERT INTO "shares" VALUES('entries','green',3.0);
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
CREATE TABLE team_names (
	folded VARCHAR(2000) NOT NULL, 
	name VARCHAR(100) NOT NULL, 
	team VARCHAR(100) NOT NULL, 
	PRIMARY KEY (folded), 
	FOREIGN KEY(team) REFERENCES teams (name)
);
INSERT INTO "team_names" VALUES('red','red','red');
INSERT INTO "team_names" VALUES('blue','Blue','Blue');
INSERT INTO "team_names" VALUES('grosses team','großes Team','großes Team');
INSERT INTO "team_names" VALUES('green','green','green');
CREATE TABLE teams (
	name VARCHAR(100) NOT NULL, 
	since FLOAT NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "teams" VALUES('red',1.79544631141567897795e+09);
INSERT INTO "teams" VALUES('Blue',1.79544631152184796336e+09);
INSERT INTO "teams" VALUES('großes Team',1.79544631154505729677e+09);
INSERT INTO "teams" VALUES('green',1.79544631157970857615e+09);
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
	busy FLOAT DEFAULT '0' NOT NULL, 
	entry VARCHAR(24) DEFAULT '' NOT NULL, 
	error TEXT DEFAULT '' NOT NULL, 
	created FLOAT NOT NULL, 
	PRIMARY KEY (id)
);
CREATE TABLE usual (
	challenge VARCHAR(500) NOT NULL, 
	stage VARCHAR(10) NOT NULL, 
	seconds TEXT NOT NULL, 
	PRIMARY KEY (challenge, stage)
);
INSERT INTO "usual" VALUES('cinc2017','prep','[0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5]');
INSERT INTO "usual" VALUES('cinc2017','quiz','[0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5]');
INSERT INTO "usual" VALUES('cinc2017','exam','[0.5, 0.5, 0.5, 0.5, 0.5]');
INSERT INTO "usual" VALUES('cinc2017','score','[0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5]');
INSERT INTO "usual" VALUES('','all','[2.0, 2.0, 2.0, 0.5, 1.0, 1.5]');
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
COMMIT;
