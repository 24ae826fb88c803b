BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0009');
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
INSERT INTO "entries" VALUES('e035c3bccb8e1',1,'cinc2017','red','0.zip','5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9',2,'','done',2,1,1.79551616736640834806e+09,1.7955161681704483032e+09,'old:1',0,'{"cause": "verdict", "verdict": "OK"}','');
INSERT INTO "entries" VALUES('ec9c0bcecb2a2',2,'cinc2017','Blue','1.zip','6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b',2,'','done',2,1,1.79551616738171052932e+09,1.7955161681704483032e+09,'old:1',0,'{"cause": "verdict", "verdict": "OK"}','');
INSERT INTO "entries" VALUES('ed4526559d9db',3,'cinc2017','großes Team','2.zip','d4735e3a265e16eee03f59718b9b5d03019c07d8b6c51f90da3a666eec13ab35',2,'','done',2,1,1.79551616738417196272e+09,1.7955161681704483032e+09,'old:1',0,'{"cause": "verdict", "verdict": "OK"}','');
INSERT INTO "entries" VALUES('eee3a0e44c60b',4,'cinc2017','green','3.zip','4e07408562bedb8b60ce05c1decfe3ad16b72230967de01f640b7e4729b49fce',2,'','done',1,0,1.79551616739450120921e+09,1.7955161676664381027e+09,'old:1',0,'{"cause": "verdict", "verdict": "PREP_ERROR"}','');
INSERT INTO "entries" VALUES('e227944ae22bd',5,'cinc2017','red','4.zip','4b227777d4dd1fc61c6f884f48641d02b4d121d3fd328cb08b5531fcacdabf8a',2,'','done',1,0,1.79551616740247321126e+09,1.79551616768240046495e+09,'old:1',0,'{"cause": "verdict", "verdict": "WRONG_ANSWER"}','');
INSERT INTO "entries" VALUES('e77a6a095f32f',6,'cinc2017','Blue','5.zip','ef2d127de37b942baad06145e54b0c619a1f22327b2ebbcfbec78f5564afe39d',2,'','done',2,1,1.7955161674064619541e+09,1.7955161681704483032e+09,'old:1',0,'{"cause": "verdict", "verdict": "OK"}','');
INSERT INTO "entries" VALUES('ead9741ba7ef7',7,'cinc2017','großes Team','6.zip','e7f6c011776e8db7cd330b54174fd76f7d0216b612387a5ffcfb81e6f0919683',2,'','prep',1,0,1.79551616741370463374e+09,1795516167.49658,'old:1',0,'','');
INSERT INTO "entries" VALUES('e0bd1e43fabe9',8,'cinc2017','green','7.zip','7902699be42c8a8e46fbbb4501726517e86b22c56a189f7625a6da49081b2451',2,'','quiz',1,0,1.79551616741827273367e+09,1.79551616772669792171e+09,'old:1',0,'','');
INSERT INTO "entries" VALUES('e85c1da521b94',9,'cinc2017','red','8.zip','2c624232cdd221771294dfbb310aca000a0df6ac8b66b696d90ef06fdefb64a3',2,'','exam',1,1,1.79551616742223429682e+09,1.79551616799958062165e+09,'old:1',0,'{"cause": "retry", "message": "try 2 in 30 s: SandboxFault: the guest is gone", "stage": "exam"}','');
INSERT INTO "entries" VALUES('e22ff431ca677',10,'cinc2017','Blue','9.zip','19581e27de7ced00ff1ce50b2047e7a567c76b1cbaebabe5ef03f7c3017bb5b7',2,'','score',1,1,1.79551616742621040342e+09,1.7955161678302705288e+09,'old:1',0,'','');
INSERT INTO "entries" VALUES('e7add14e2aec9',11,'cinc2017','großes Team','10.zip','4a44dc15364204a80fe80e9039455cc1608281820fe2b24f1e5233ade6af1dd5',2,'','parked',1,1,1.79551616742962241168e+09,1.79551616788543462748e+09,'old:1',0,'{"cause": "infrastructure", "message": "exam: SandboxFault: the guest is gone", "stage": "exam"}','');
INSERT INTO "entries" VALUES('ec0d639a96d4d',12,'cinc2017','green','11.zip','4fc82b26aecb47d2868c4efbe3581732a3e7cbcc6c2efb32062c08170a05eeb8',2,'','parked',1,1,1.79551616743835902208e+09,1.79551616791811466215e+09,'old:1',0,'{"cause": "infrastructure", "message": "exam: SandboxFault: the guest is gone", "stage": "exam"}','');
INSERT INTO "entries" VALUES('e61cdec782e70',13,'cinc2017','red','12.zip','6b51d431df5d7f141cbececcf79edf3dd861c3b4069f0b11661a3eefacbba918',2,'','queued',2,1,1.79551616744165086743e+09,1.79551616795118618012e+09,'',0,'','');
INSERT INTO "entries" VALUES('e7a6bd6a6224d',14,'cinc2017','Blue','13.zip','3fdba35f04dc8c462986c992bcf875546257113072a909c162f7e470e581e278',2,'','cancelled',1,1,1.79551616744682598111e+09,1.79551616799439430231e+09,'old:1',0,'{"cause": "organiser"}','');
INSERT INTO "entries" VALUES('e064d0cbd2a30',15,'cinc2017','großes Team','14.zip','8527a891e224136950ff32ca212b45bc93f69fbb801c3b1ebedac52775f99e61',2,'','queued',1,0,1.79551616745361924173e+09,1.79551616745361924173e+09,'',0,'','');
INSERT INTO "entries" VALUES('eb5291caf82f0',16,'cinc2017','green','15.zip','e629fa6598d732768f7c726b4b621285f9c3b85303900aa912017db7617d8bdb',2,'','queued',1,0,1.79551616745547866819e+09,1.79551616745547866819e+09,'',0,'','');
INSERT INTO "entries" VALUES('ef20ae2707c46',17,'cinc2017','red','16.zip','b17ef6d19c7a5b1ee83b907c595526dcb1eb06db8227d650d5dda0a9f4ce8cd9',2,'','queued',1,0,1.7955161674583923816e+09,1.7955161674583923816e+09,'',0,'','');
INSERT INTO "entries" VALUES('e835ab6e28104',18,'cinc2017','Blue','17.zip','4523540f1504cd17100c4835e85b7eefd49911580f8efff0599a8f283be6b9e3',2,'','queued',1,0,1.79551616746217441557e+09,1.79551616746217441557e+09,'',0,'','');
INSERT INTO "entries" VALUES('e815f3f78e740',19,'cinc2017','großes Team','18.zip','4ec9599fc203d176a301536c2e091a19bc852759b255bd6818810a42c5fed14a',2,'','queued',1,0,1.79551616746559786793e+09,1.79551616746559786793e+09,'',0,'','');
INSERT INTO "entries" VALUES('e40da5beb8578',20,'cinc2017','green','19.zip','9400f1b21cb527d7fa3d3eabba93557a18ebe7a2ca4e471cfe5e4c5b4ca7f767',2,'','queued',1,0,1.79551616746947145459e+09,1.79551616746947145459e+09,'',0,'','');
INSERT INTO "entries" VALUES('eb19e260aa4a6',21,'cinc2017','red','20.zip','f5ca38f748a1d6eaf726b8a42fb575c3c71f1864a8143301782de13da2d9202b',2,'','cancelled',1,0,1.7955161674734480381e+09,1.7955161680059306622e+09,'',0,'{"cause": "organiser"}','');
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
INSERT INTO "journal" VALUES(1,1.79551616736640834806e+09,'e035c3bccb8e1','submitted','{"challenge": "cinc2017", "team": "red", "name": "0.zip", "sha256": "5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9", "bytes": 2, "commit": "", "number": 1}','572f3906e995e5b91afe152a58f9bdccc7cb80ca1d2f282b9db661cdb14fc671');
INSERT INTO "journal" VALUES(2,1.79551616738171052932e+09,'ec9c0bcecb2a2','submitted','{"challenge": "cinc2017", "team": "Blue", "name": "1.zip", "sha256": "6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b", "bytes": 2, "commit": "", "number": 2}','09a5479b4a17676e53a51f14b7e6d780e33466e0f6f364eeda532585c37de2b9');
INSERT INTO "journal" VALUES(3,1.79551616738417196272e+09,'ed4526559d9db','submitted','{"challenge": "cinc2017", "team": "gro\u00dfes Team", "name": "2.zip", "sha256": "d4735e3a265e16eee03f59718b9b5d03019c07d8b6c51f90da3a666eec13ab35", "bytes": 2, "commit": "", "number": 3}','b9bdfa69f826c000d22ae01f8b4d62fae5ea82496f0b8c2b4a61eb8d6db62946');
INSERT INTO "journal" VALUES(4,1.79551616739450120921e+09,'eee3a0e44c60b','submitted','{"challenge": "cinc2017", "team": "green", "name": "3.zip", "sha256": "4e07408562bedb8b60ce05c1decfe3ad16b72230967de01f640b7e4729b49fce", "bytes": 2, "commit": "", "number": 4}','edde8e199abfdbabab6f95d23f6ded09b1ca73c2cc211146108eb7c9969b3cdf');
INSERT INTO "journal" VALUES(5,1.79551616740247321126e+09,'e227944ae22bd','submitted','{"challenge": "cinc2017", "team": "red", "name": "4.zip", "sha256": "4b227777d4dd1fc61c6f884f48641d02b4d121d3fd328cb08b5531fcacdabf8a", "bytes": 2, "commit": "", "number": 5}','10d81620e61c02a7e7174113050fb448987f839357894a399eff371109ec9f30');
INSERT INTO "journal" VALUES(6,1.7955161674064619541e+09,'e77a6a095f32f','submitted','{"challenge": "cinc2017", "team": "Blue", "name": "5.zip", "sha256": "ef2d127de37b942baad06145e54b0c619a1f22327b2ebbcfbec78f5564afe39d", "bytes": 2, "commit": "", "number": 6}','f5e0b6e795756def400a3e2c6745ff49b7d4849f99919eaef094fd6a0ffe73c3');
INSERT INTO "journal" VALUES(7,1.79551616741370463374e+09,'ead9741ba7ef7','submitted','{"challenge": "cinc2017", "team": "gro\u00dfes Team", "name": "6.zip", "sha256": "e7f6c011776e8db7cd330b54174fd76f7d0216b612387a5ffcfb81e6f0919683", "bytes": 2, "commit": "", "number": 7}','e115f7216299a077c85563c673faa3f29924ab10c8da4ae4e0c8a835c558d4d8');
INSERT INTO "journal" VALUES(8,1.79551616741827273367e+09,'e0bd1e43fabe9','submitted','{"challenge": "cinc2017", "team": "green", "name": "7.zip", "sha256": "7902699be42c8a8e46fbbb4501726517e86b22c56a189f7625a6da49081b2451", "bytes": 2, "commit": "", "number": 8}','c41d22e951ed900ed7a86584b1dddb066b22f74ed5ba276f65e5abb16b237128');
INSERT INTO "journal" VALUES(9,1.79551616742223429682e+09,'e85c1da521b94','submitted','{"challenge": "cinc2017", "team": "red", "name": "8.zip", "sha256": "2c624232cdd221771294dfbb310aca000a0df6ac8b66b696d90ef06fdefb64a3", "bytes": 2, "commit": "", "number": 9}','93f97895bfbe9f762722d730f250f82a9a44aa78858eafefa2c01bedbb665160');
INSERT INTO "journal" VALUES(10,1.79551616742621040342e+09,'e22ff431ca677','submitted','{"challenge": "cinc2017", "team": "Blue", "name": "9.zip", "sha256": "19581e27de7ced00ff1ce50b2047e7a567c76b1cbaebabe5ef03f7c3017bb5b7", "bytes": 2, "commit": "", "number": 10}','aac6a98099f1f7a7f705f3d6e16a341762854a994257bdc9d8f3e4513ae41491');
INSERT INTO "journal" VALUES(11,1.79551616742962241168e+09,'e7add14e2aec9','submitted','{"challenge": "cinc2017", "team": "gro\u00dfes Team", "name": "10.zip", "sha256": "4a44dc15364204a80fe80e9039455cc1608281820fe2b24f1e5233ade6af1dd5", "bytes": 2, "commit": "", "number": 11}','b66b1687fb7945fa49eac32dd446360e39df06a75b1d702177b96017e8505cf9');
INSERT INTO "journal" VALUES(12,1.79551616743835902208e+09,'ec0d639a96d4d','submitted','{"challenge": "cinc2017", "team": "green", "name": "11.zip", "sha256": "4fc82b26aecb47d2868c4efbe3581732a3e7cbcc6c2efb32062c08170a05eeb8", "bytes": 2, "commit": "", "number": 12}','28e5c37e6e14a947f56a3b78c0d33d4e1ba6a64280d710305fcebbca337618c6');
INSERT INTO "journal" VALUES(13,1.79551616744165086743e+09,'e61cdec782e70','submitted','{"challenge": "cinc2017", "team": "red", "name": "12.zip", "sha256": "6b51d431df5d7f141cbececcf79edf3dd861c3b4069f0b11661a3eefacbba918", "bytes": 2, "commit": "", "number": 13}','4287e9aa14b75f138b5be46fcb8a4f0ead16240c7f5faf5740078d8a8d4be1cf');
INSERT INTO "journal" VALUES(14,1.79551616744682598111e+09,'e7a6bd6a6224d','submitted','{"challenge": "cinc2017", "team": "Blue", "name": "13.zip", "sha256": "3fdba35f04dc8c462986c992bcf875546257113072a909c162f7e470e581e278", "bytes": 2, "commit": "", "number": 14}','c497378de3beb5adc7e1ff9ea2e24191a5e7d126203de4eab69be3ac1c5c8a54');
INSERT INTO "journal" VALUES(15,1.79551616745361924173e+09,'e064d0cbd2a30','submitted','{"challenge": "cinc2017", "team": "gro\u00dfes Team", "name": "14.zip", "sha256": "8527a891e224136950ff32ca212b45bc93f69fbb801c3b1ebedac52775f99e61", "bytes": 2, "commit": "", "number": 15}','2253eb344e5b79b138a9bac727b80dd07ee60b0bf13703768ed8f44f6d63daf8');
INSERT INTO "journal" VALUES(16,1.79551616745547866819e+09,'eb5291caf82f0','submitted','{"challenge": "cinc2017", "team": "green", "name": "15.zip", "sha256": "e629fa6598d732768f7c726b4b621285f9c3b85303900aa912017db7617d8bdb", "bytes": 2, "commit": "", "number": 16}','53f3b43c4bc2538d7fb0c4add28eac53b2967051e26d022de7525eb8224e9465');
INSERT INTO "journal" VALUES(17,1.7955161674583923816e+09,'ef20ae2707c46','submitted','{"challenge": "cinc2017", "team": "red", "name": "16.zip", "sha256": "b17ef6d19c7a5b1ee83b907c595526dcb1eb06db8227d650d5dda0a9f4ce8cd9", "bytes": 2, "commit": "", "number": 17}','837a49ea60ad9d9c4af44a19392712a1041cb973c10e7ed2dd6e5a104b795758');
INSERT INTO "journal" VALUES(18,1.79551616746217441557e+09,'e835ab6e28104','submitted','{"challenge": "cinc2017", "team": "Blue", "name": "17.zip", "sha256": "4523540f1504cd17100c4835e85b7eefd49911580f8efff0599a8f283be6b9e3", "bytes": 2, "commit": "", "number": 18}','160a5ee9b76254af7816e1021d24ed15c06f8678c5fcf8f8568ad4a38204c268');
INSERT INTO "journal" VALUES(19,1.79551616746559786793e+09,'e815f3f78e740','submitted','{"challenge": "cinc2017", "team": "gro\u00dfes Team", "name": "18.zip", "sha256": "4ec9599fc203d176a301536c2e091a19bc852759b255bd6818810a42c5fed14a", "bytes": 2, "commit": "", "number": 19}','56ed8573f08049beacebf4533c0cde1d84ab79e3ae3f00437ad5f20bada84388');
INSERT INTO "journal" VALUES(20,1.79551616746947145459e+09,'e40da5beb8578','submitted','{"challenge": "cinc2017", "team": "green", "name": "19.zip", "sha256": "9400f1b21cb527d7fa3d3eabba93557a18ebe7a2ca4e471cfe5e4c5b4ca7f767", "bytes": 2, "commit": "", "number": 20}','a78717231a19cb82d2565548169a3d72e47d169a1b5f246fe35ada9bcaeb56cf');
INSERT INTO "journal" VALUES(21,1.7955161674734480381e+09,'eb19e260aa4a6','submitted','{"challenge": "cinc2017", "team": "red", "name": "20.zip", "sha256": "f5ca38f748a1d6eaf726b8a42fb575c3c71f1864a8143301782de13da2d9202b", "bytes": 2, "commit": "", "number": 21}','0522cfdb341e8279e46ed6e7641d9f01ce71df8942191637a7b165e167c1236b');
INSERT INTO "journal" VALUES(22,1.79551616748050594327e+09,'e035c3bccb8e1','moved','{"to": "prep", "reason": {}, "charged": null}','ee797b0e3c6753efe4c4fd47cb9e37cd65443c82b1f2b3fb0198e3d2b9e0f7a8');
INSERT INTO "journal" VALUES(23,1.79551616748738789562e+09,'ec9c0bcecb2a2','moved','{"to": "prep", "reason": {}, "charged": null}','523531c6176cee5592feb3fb639705043148832b00943ad8773a0f2962482b38');
INSERT INTO "journal" VALUES(24,1.79551616748844337467e+09,'ed4526559d9db','moved','{"to": "prep", "reason": {}, "charged": null}','b57c440c8fcf83153c42ef327a93f26b6bd01557a175def836de8f33b88eba43');
INSERT INTO "journal" VALUES(25,1.79551616749352216722e+09,'eee3a0e44c60b','moved','{"to": "prep", "reason": {}, "charged": null}','08c43b3d484d220aa54d1ce31f7a1289f71e88773e0b165acbf722c7865c5627');
INSERT INTO "journal" VALUES(26,1.79551616749476337432e+09,'e227944ae22bd','moved','{"to": "prep", "reason": {}, "charged": null}','f398f775f7ca6c39f9c4671adcfeaaa9193f8371a92f58b41e15f78d09dc309a');
INSERT INTO "journal" VALUES(27,1.79551616749567651745e+09,'e77a6a095f32f','moved','{"to": "prep", "reason": {}, "charged": null}','e6af24e80749b9f516f85073455130bca677347d9281b4ad5d3082ee04b7b631');
INSERT INTO "journal" VALUES(28,1795516167.49658,'ead9741ba7ef7','moved','{"to": "prep", "reason": {}, "charged": null}','c09496b4d59bc8040d6fa9449d89b420738bbbd61c5f00ba3e29643034fbba0b');
INSERT INTO "journal" VALUES(29,1.79551616750177931783e+09,'e0bd1e43fabe9','moved','{"to": "prep", "reason": {}, "charged": null}','6d53c9a2c1e7d1e667a845d09ea8eeb6ed9717ef8958d5d7d476ed442cf347d6');
INSERT INTO "journal" VALUES(30,1.79551616750310587882e+09,'e85c1da521b94','moved','{"to": "prep", "reason": {}, "charged": null}','986f54a8c9a43be96e4f89d833abdaafb69eafe0fd14b7d9e756bfa7f589dc41');
INSERT INTO "journal" VALUES(31,1.79551616750417256359e+09,'e22ff431ca677','moved','{"to": "prep", "reason": {}, "charged": null}','16be928c9c86138db9896d0aa1b45ed1bda1b598c95bb2d62eda9d1478ffdcc1');
INSERT INTO "journal" VALUES(32,1.79551616750502872465e+09,'e7add14e2aec9','moved','{"to": "prep", "reason": {}, "charged": null}','efa0128a50fd1a2cb20e857fbd4daa95fc4488bdc5de51cda5cc072504fbad84');
INSERT INTO "journal" VALUES(33,1.795516167510171175e+09,'ec0d639a96d4d','moved','{"to": "prep", "reason": {}, "charged": null}','6b0a757f416be93163a3166e70376ca22c9049bbce2b954fa943ef0ac1e4965c');
INSERT INTO "journal" VALUES(34,1.79551616751111817356e+09,'e61cdec782e70','moved','{"to": "prep", "reason": {}, "charged": null}','c906fcfccaa8b5988660e10417c979da5f1e034b5a72c0a10a41dd6997b0d09a');
INSERT INTO "journal" VALUES(35,1.79551616751215076446e+09,'e7a6bd6a6224d','moved','{"to": "prep", "reason": {}, "charged": null}','2ebe531fea1e1fa17ff8b3b335b6a14833e56a7b0ba419b8095194af628026bb');
INSERT INTO "journal" VALUES(36,1.79551616752330422399e+09,'e035c3bccb8e1','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','ff239d540bf6fe3900ce240b0c18b4412438bbb170729f19c8562d2b66dfc7dc');
INSERT INTO "journal" VALUES(37,1.79551616753042960167e+09,'e035c3bccb8e1','moved','{"to": "quiz", "reason": {}, "charged": null}','fc72f34574301c81a9f3a402451505d5c756a28837721ba720fe95469ca09622');
INSERT INTO "journal" VALUES(38,1.79551616753803920745e+09,'e035c3bccb8e1','result','{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}','4a93dbc56e37ed87d4ad1e9d1ba4593a1e7aaada80f3ff588bbddc09aade201e');
INSERT INTO "journal" VALUES(39,1.79551616754245042806e+09,'e035c3bccb8e1','moved','{"to": "exam", "reason": {}, "charged": null}','bcb9f111683bcf5ec0b315d483a261bbb732d6b9b083d721d2595c3e260ffd0c');
INSERT INTO "journal" VALUES(40,1.7955161675496268272e+09,'e035c3bccb8e1','charged','{"charged": true}','a8b77c8cf24f9ec9e3b426f0aa98e4db33d4850fba2b2717816c591a8593f4a6');
INSERT INTO "journal" VALUES(41,1.79551616755330920222e+09,'e035c3bccb8e1','result','{"stage": "exam", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4"}','121268b1111202cba52d89e298f511d95cd745db334bcb7b83b34b4e686d98f2');
INSERT INTO "journal" VALUES(42,1.79551616755770301813e+09,'e035c3bccb8e1','moved','{"to": "score", "reason": {}, "charged": null}','246a5707ebdce8eaf83188dc7802afcfe98880b3e26f1f70db4ee8ed9aa278f5');
INSERT INTO "journal" VALUES(43,1.79551616756221747404e+09,'e035c3bccb8e1','result','{"stage": "score", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}','b5b52cf51cd8f9c47a859e7e33d3a79a4ce63a1b0f97142e0e2e315329cd784f');
INSERT INTO "journal" VALUES(44,1.79551616756610083573e+09,'e035c3bccb8e1','score','{"attempt": 1, "key": "F1", "value": 0.5, "low": 0.25, "high": 0.75, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.5}, \"official\": {\"F1\": 0.5}, \"notes\": [], \"intervals\": {\"F1\": [0.25, 0.75]}}"}','f705b60c4e4b27827d5c7946a4ebb08a0c38ee6d04e70d99408413e002105e73');
INSERT INTO "journal" VALUES(45,1.79551616757062339787e+09,'e035c3bccb8e1','moved','{"to": "done", "reason": {"cause": "verdict", "verdict": "OK"}, "charged": null}','99125ce206b64353db7b0a5b0c106b1fa3e2b30c95cca4be6c6890f7b2a8fd13');
INSERT INTO "journal" VALUES(46,1.79551616757852053642e+09,'ec9c0bcecb2a2','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','8c3df1033c6d1bd823fc78b826069e5a5fe61df930b629e39dc54efc1136e689');
INSERT INTO "journal" VALUES(47,1.79551616758172917368e+09,'ec9c0bcecb2a2','moved','{"to": "quiz", "reason": {}, "charged": null}','c7e8d6c2bd29e81b3c549ab68b22fe6fb388d155609cc0f72d9c21e9e0f23a15');
INSERT INTO "journal" VALUES(48,1.79551616758584094051e+09,'ec9c0bcecb2a2','result','{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}','4b5a656b41ef440c98e903a69e648cafb81807bb4c7d7059b7f9ca84b93dba4c');
INSERT INTO "journal" VALUES(49,1.79551616758978962898e+09,'ec9c0bcecb2a2','moved','{"to": "exam", "reason": {}, "charged": null}','4e6b6407d071fecf99ff1986167215a6d49f62bd2dba52fedd58def850401962');
INSERT INTO "journal" VALUES(50,1.79551616759115195273e+09,'ec9c0bcecb2a2','charged','{"charged": true}','63aff042ad9faa3a5091d792c2e54355d7affd77bfcb701d8f1a46dbbaea8932');
INSERT INTO "journal" VALUES(51,1.79551616759444022182e+09,'ec9c0bcecb2a2','result','{"stage": "exam", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4"}','eabbf23b84457406315cbb3bf7b05fde627087378b85801ce27226acf4e7191c');
INSERT INTO "journal" VALUES(52,1.79551616760257387161e+09,'ec9c0bcecb2a2','moved','{"to": "score", "reason": {}, "charged": null}','8e82c55ef6a0af0482894533ae0b4760b535883dc98f52ff865a8008f6572296');
INSERT INTO "journal" VALUES(53,1.79551616760591864581e+09,'ec9c0bcecb2a2','result','{"stage": "score", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}','d6b3739ec81ee225162d8d4964a0aaf20b2baf6fb5830f93e993513fc52ef3d5');
INSERT INTO "journal" VALUES(54,1.79551616761013483995e+09,'ec9c0bcecb2a2','score','{"attempt": 1, "key": "F1", "value": 0.5, "low": 0.25, "high": 0.75, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.5}, \"official\": {\"F1\": 0.5}, \"notes\": [], \"intervals\": {\"F1\": [0.25, 0.75]}}"}','c80e012a663c7a3d8952931a06ee38070bf5e1b9f05ef32b1cda57b847d4cede');
INSERT INTO "journal" VALUES(55,1.79551616761453700066e+09,'ec9c0bcecb2a2','moved','{"to": "done", "reason": {"cause": "verdict", "verdict": "OK"}, "charged": null}','4e67ae5b66736807d2c633700efa8531292f173a056c704cf19dc51847beb98f');
INSERT INTO "journal" VALUES(56,1.79551616762049722668e+09,'ed4526559d9db','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','27b703dcf19d47fa1b48bafa6d3604b2f7ca1472025ad25377c02bb7b4d183f3');
INSERT INTO "journal" VALUES(57,1.79551616762661743163e+09,'ed4526559d9db','moved','{"to": "quiz", "reason": {}, "charged": null}','add9c6503611069170a79842a8fa381fec783d3e85c2fa5c0846d9e614a2b262');
INSERT INTO "journal" VALUES(58,1.7955161676299884319e+09,'ed4526559d9db','result','{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}','36454dd9a1e92ce01b42dd278920b6a15ed6ed6aa20ed62c86c05ee5ea35637d');
INSERT INTO "journal" VALUES(59,1.79551616763463354111e+09,'ed4526559d9db','moved','{"to": "exam", "reason": {}, "charged": null}','1fdc3264b38b8888e5d22a7802860e5b2d3b05cd41e4cfa273a7a0cc3ae2eb31');
INSERT INTO "journal" VALUES(60,1.79551616763871216774e+09,'ed4526559d9db','charged','{"charged": true}','6705a21561e4769b6ecf041252e34a40eb8ec6f28029cff24f0b25d5d394577c');
INSERT INTO "journal" VALUES(61,1.79551616764244771e+09,'ed4526559d9db','result','{"stage": "exam", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4"}','45007c074741da433eba2dc5af3e032e8ee321499c7a4c9343e0a8b17ac006b7');
INSERT INTO "journal" VALUES(62,1.7955161676458725929e+09,'ed4526559d9db','moved','{"to": "score", "reason": {}, "charged": null}','b7ee7a1d5fd5633780f6f042a694c741a0e5b9150591498ef45117f28736182c');
INSERT INTO "journal" VALUES(63,1.79551616765040707593e+09,'ed4526559d9db','result','{"stage": "score", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}','95b75ec6751fdd9ad1bcf4202d7c16ca20579e282ae7eb68efcd735035515c4b');
INSERT INTO "journal" VALUES(64,1.7955161676541104317e+09,'ed4526559d9db','score','{"attempt": 1, "key": "F1", "value": 0.5, "low": 0.25, "high": 0.75, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.5}, \"official\": {\"F1\": 0.5}, \"notes\": [], \"intervals\": {\"F1\": [0.25, 0.75]}}"}','37221cdf39cb13530815ee90e2d5c7e11c20057bf041a4306112d4e03c9d6b1c');
INSERT INTO "journal" VALUES(65,1.795516167657939434e+09,'ed4526559d9db','moved','{"to": "done", "reason": {"cause": "verdict", "verdict": "OK"}, "charged": null}','dd8d8cc3eb6788b8fc1f60a2c680ddacf421f89153ad16f4bc2c43c478d193d8');
INSERT INTO "journal" VALUES(66,1.79551616766203021996e+09,'eee3a0e44c60b','result','{"stage": "prep", "attempt": 1, "verdict": "PREP_ERROR", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:1507d3acde2ad05b52c105667aa22926b12e2664ceb959e1def1ef40760af46e"}','629249f695ac4c5c4a83fe9545bfb41232edb855791c9153c0144810705d0b4d');
INSERT INTO "journal" VALUES(67,1.7955161676664381027e+09,'eee3a0e44c60b','moved','{"to": "done", "reason": {"cause": "verdict", "verdict": "PREP_ERROR"}, "charged": null}','4917bc1d2eb8f396f805e1e21b0681d4a232be9c8571fa1724b09311a41b23e3');
INSERT INTO "journal" VALUES(68,1.7955161676707015037e+09,'e227944ae22bd','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','fbbfd90f89bec28def7b9d5c8d81d552eb1b16e3e4480cdf99d1d3634391ea34');
INSERT INTO "journal" VALUES(69,1.79551616767439103125e+09,'e227944ae22bd','moved','{"to": "quiz", "reason": {}, "charged": null}','05eee3792cc367feeb1bdaf626494863ba9e2535db148e7fe022af6cc5bcaf62');
INSERT INTO "journal" VALUES(70,1.79551616767869448663e+09,'e227944ae22bd','result','{"stage": "quiz", "attempt": 1, "verdict": "WRONG_ANSWER", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:4fe242bb787729374237cf7e5b948646ff64d1d1322ce53b54366dade8351acd"}','02fce9f31b80c2dbed6abfe062c3ae584c534f9addfa08e1131d720c3cca1660');
INSERT INTO "journal" VALUES(71,1.79551616768240046495e+09,'e227944ae22bd','moved','{"to": "done", "reason": {"cause": "verdict", "verdict": "WRONG_ANSWER"}, "charged": null}','4eb5e7c4f5d76abea1ae22bbb08877f8b691ac62143d6ce285b73822ef7edaa4');
INSERT INTO "journal" VALUES(72,1.79551616768676662442e+09,'e77a6a095f32f','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','444d6c4f591aee50f743155675061c7e4c487c4f29569d956955d4cad13a3cd5');
INSERT INTO "journal" VALUES(73,1.79551616769433140755e+09,'e77a6a095f32f','moved','{"to": "quiz", "reason": {}, "charged": null}','62cf719c8d286adf4440b35c9985f578096b7ffe1f1004391265eb02bb6b9e75');
INSERT INTO "journal" VALUES(74,1.79551616769798421855e+09,'e77a6a095f32f','result','{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}','76ea431f432ce27ebe193a58ca1f20b77e83cbf9640c50035928cb109380b9e0');
INSERT INTO "journal" VALUES(75,1.79551616770066285134e+09,'e77a6a095f32f','moved','{"to": "exam", "reason": {}, "charged": null}','6fbc4555df30036282d5848f766122dac94631cff97fad4b2c633203cbda03d9');
INSERT INTO "journal" VALUES(76,1.7955161677027893066e+09,'e77a6a095f32f','charged','{"charged": true}','ea9a797d6dc9e0ed8c01a0f747f09e08d9647295b48817f61a8e8140a2f804ed');
INSERT INTO "journal" VALUES(77,1.7955161677062871456e+09,'e77a6a095f32f','result','{"stage": "exam", "attempt": 1, "verdict": "TIME_LIMIT", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:665f52e08e7257c76de2b5472e0fc32f6f3ca726106bc46624d1723a15e712ab"}','bd9c1e5da32e5a3b5588013378c607200727282615bc3e6a07aef6c3dee06034');
INSERT INTO "journal" VALUES(78,1.79551616771062326431e+09,'e77a6a095f32f','moved','{"to": "done", "reason": {"cause": "verdict", "verdict": "TIME_LIMIT"}, "charged": null}','409724e644ad85dcafdd733276e71148486eb6e617be77835d27527a5b47dfc2');
INSERT INTO "journal" VALUES(79,1795516167.71966,'e0bd1e43fabe9','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','25c7922b9708d3c45e66ab93d3f1489901b9380728a6c6a18921ba6d33752885');
INSERT INTO "journal" VALUES(80,1.79551616772669792171e+09,'e0bd1e43fabe9','moved','{"to": "quiz", "reason": {}, "charged": null}','d4ab069dedefc9e91d19eb3cbdee026756583432ae2f0a2e8d58bf6eba22e82e');
INSERT INTO "journal" VALUES(81,1.79551616773445916171e+09,'e85c1da521b94','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','876b7ca3ffe245933773464d3f88696b74ed2be754bf4bee5d98a524ebec48fe');
INSERT INTO "journal" VALUES(82,1.79551616774241304397e+09,'e85c1da521b94','moved','{"to": "quiz", "reason": {}, "charged": null}','cd9eafd7a92c2e5b5ba25cc0013f13244949ef688aa948924e032f76df0bdc16');
INSERT INTO "journal" VALUES(83,1.79551616774958300586e+09,'e85c1da521b94','result','{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}','989f18355abea570e68079e396519f90d1c125b06a976a98e7a2642afeaf6aca');
INSERT INTO "journal" VALUES(84,1.79551616775461482999e+09,'e85c1da521b94','moved','{"to": "exam", "reason": {}, "charged": null}','0c57b59e71e5e5343a6e3e2019336e2d7fc665b1082c4b33e3e20d86f06dec21');
INSERT INTO "journal" VALUES(85,1.79551616775887155526e+09,'e85c1da521b94','charged','{"charged": true}','8718fcde714ce66c1c080bf74cb6aced77067a329fd4ed932c14decea0b8d8c3');
INSERT INTO "journal" VALUES(86,1.79551616776331400874e+09,'e22ff431ca677','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','0bcb4a7ecf3bd0f8df2487538a9c0385b14bd4b3759d83ea368860e4765d7ea4');
INSERT INTO "journal" VALUES(87,1.79551616776965427399e+09,'e22ff431ca677','moved','{"to": "quiz", "reason": {}, "charged": null}','f4f621a11b4833b114826950c4ee16f333e3e9a69c0e6b175c66bd18eedb5452');
INSERT INTO "journal" VALUES(88,1.79551616777415323257e+09,'e22ff431ca677','result','{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}','05d2c3a65df760b81d25a4db0e6c90142e40abbf56bdd0d4de2d8139635b7516');
INSERT INTO "journal" VALUES(89,1.79551616777938175201e+09,'e22ff431ca677','moved','{"to": "exam", "reason": {}, "charged": null}','2ef6a23bcef2d1868e73c98ce73954104ef014b568a6fd9fd4a58da1e43e6413');
INSERT INTO "journal" VALUES(90,1.79551616778656649591e+09,'e22ff431ca677','charged','{"charged": true}','0bbe21cac1d1daa0875d77c51e4d815e06431491d3c089bf8ac3777ed23de8b3');
INSERT INTO "journal" VALUES(91,1.79551616779661679266e+09,'e22ff431ca677','result','{"stage": "exam", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4"}','27b5a54bdfd316bcd0fbc6e949f14cdebaf7dd72b42156ce72ee37d0949b0154');
INSERT INTO "journal" VALUES(92,1.7955161678302705288e+09,'e22ff431ca677','moved','{"to": "score", "reason": {}, "charged": null}','0c4eec97f4906da46dd89d930e5fa99ffc596eb494fa2815e5fa309b48e1d175');
INSERT INTO "journal" VALUES(93,1.79551616784267950056e+09,'e7add14e2aec9','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','7498cc6e68d0a325e80a34f5c4bd1c890eac6e331eb4cfcbc14f51afffeb71a9');
INSERT INTO "journal" VALUES(94,1.79551616785819792747e+09,'e7add14e2aec9','moved','{"to": "quiz", "reason": {}, "charged": null}','f656f5b4ff695aa8f1690e2794d32d5ebab50fc942581c6ee11a2e8098cecaa3');
INSERT INTO "journal" VALUES(95,1.79551616786608862872e+09,'e7add14e2aec9','result','{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}','d80f5a345dc10a146b63a09e9d918bb2694d40602b5f04412aec253599b2a614');
INSERT INTO "journal" VALUES(96,1.79551616787805628778e+09,'e7add14e2aec9','moved','{"to": "exam", "reason": {}, "charged": null}','d7c15687d85b6e0bb89df049b3e3af2e803b64c30f511e5d9b98464832b5cce4');
INSERT INTO "journal" VALUES(97,1.79551616788212203973e+09,'e7add14e2aec9','charged','{"charged": true}','c8527dbee3c9140f2997ec69522801a595d97411120cab9a432ecee4b681df98');
INSERT INTO "journal" VALUES(98,1.79551616788543462748e+09,'e7add14e2aec9','moved','{"to": "parked", "reason": {"cause": "infrastructure", "stage": "exam", "message": "exam: SandboxFault: the guest is gone"}, "charged": null}','5ebadbc18894bbcf965eba66e5ffbbc4a30f1166ca8246c1d69afe62d00f15d9');
INSERT INTO "journal" VALUES(99,1795516167.88819,'ec0d639a96d4d','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','9a9f76b41beed79cf6412e6598c8ee250c37b7373ae5ee826556a38c3ded67cb');
INSERT INTO "journal" VALUES(100,1.79551616789445590968e+09,'ec0d639a96d4d','moved','{"to": "quiz", "reason": {}, "charged": null}','30b3fb56db9b8fcef7f68963b20de4b2fbda0764b9219d2920b9a9a67d84ab73');
INSERT INTO "journal" VALUES(101,1.79551616790081739428e+09,'ec0d639a96d4d','result','{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}','f40f1e6718141fc055f570c6c5037a268e7d566325b9ccd5fe8851998f7ed72e');
INSERT INTO "journal" VALUES(102,1.79551616790625667569e+09,'ec0d639a96d4d','moved','{"to": "exam", "reason": {}, "charged": null}','2b65c0d5ff3fded6cb8dc377ee86b21f7bb5f186c435805eb2f6557af7458066');
INSERT INTO "journal" VALUES(103,1.79551616791440653798e+09,'ec0d639a96d4d','charged','{"charged": true}','d781bf98ce47608eec142d456afcb66edb4e6713a2d64ae8024733029a6d8975');
INSERT INTO "journal" VALUES(104,1.79551616791811466215e+09,'ec0d639a96d4d','moved','{"to": "parked", "reason": {"cause": "infrastructure", "stage": "exam", "message": "exam: SandboxFault: the guest is gone"}, "charged": null}','530a745749d511613979946295a55399603c48f4ccc99515687de4ed94615b7f');
INSERT INTO "journal" VALUES(105,1.79551616792227959626e+09,'e61cdec782e70','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','28458c4178987d72d1252e1e38dc65a22642fb605f48bda50afa85ed7bebb5ea');
INSERT INTO "journal" VALUES(106,1.79551616792455697065e+09,'e61cdec782e70','moved','{"to": "quiz", "reason": {}, "charged": null}','384f0652b77490393192bc1f1001cdd7db5da9aae3d0d744dea4297a20ba2eb7');
INSERT INTO "journal" VALUES(107,1.7955161679275693893e+09,'e61cdec782e70','result','{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}','69cdb21d1e1a54a86e01aebb18a2dd7ec850dbdf48b86c91de719f14daa5fe82');
INSERT INTO "journal" VALUES(108,1.79551616793788957598e+09,'e61cdec782e70','moved','{"to": "exam", "reason": {}, "charged": null}','f6cccec2f75f951c6be237c045a00f6b7e61adee9cf13314d95cc2c69510e8b8');
INSERT INTO "journal" VALUES(109,1795516167.94201,'e61cdec782e70','charged','{"charged": true}','ff7fc0951675168465730ce8c86e68b25a45e564634310c7f5bbad06f366be07');
INSERT INTO "journal" VALUES(110,1795516167.9461,'e61cdec782e70','moved','{"to": "parked", "reason": {"cause": "infrastructure", "stage": "exam", "message": "exam: SandboxFault: the guest is gone"}, "charged": null}','e37e8f4bb9d9dd14754d4ea51113521644e84b29374c27789d973ca490fc4290');
INSERT INTO "journal" VALUES(111,1.79551616795118618012e+09,'e61cdec782e70','retried','{"attempt": 2}','5c82f458b8d8e18eeed3c7fde9beed0d710f465d2acc15a9f5a33afde7d6c84e');
INSERT INTO "journal" VALUES(112,1.79551616795916795725e+09,'e7a6bd6a6224d','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','2278bac0e0ca01490ceb7b6d82bd098bc8a580f10f83e35d30f01e1671b41252');
INSERT INTO "journal" VALUES(113,1.79551616797021412847e+09,'e7a6bd6a6224d','moved','{"to": "quiz", "reason": {}, "charged": null}','c7e6235933a104015661b389d5291c8774f9c1bad892df46a8639b6b0f6278f3');
INSERT INTO "journal" VALUES(114,1.795516167974001646e+09,'e7a6bd6a6224d','result','{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}','568521b9e1dc8f26561891954b3cd7f59bc67aa3e725f4db282d1d9c58548d37');
INSERT INTO "journal" VALUES(115,1.79551616798097014426e+09,'e7a6bd6a6224d','moved','{"to": "exam", "reason": {}, "charged": null}','32d19212d2c78fe68654f9e9bab182a50ec6f7b214b34888da77785e896e68ac');
INSERT INTO "journal" VALUES(116,1.79551616798611688614e+09,'e7a6bd6a6224d','charged','{"charged": true}','cf94ce886e4dbd2b754f1422747df70544c0e3077b6e6162378c656a615950f2');
INSERT INTO "journal" VALUES(117,1.79551616799439430231e+09,'e7a6bd6a6224d','moved','{"to": "cancelled", "reason": {"cause": "organiser"}, "charged": null}','37e8b0d3d431fcaca4be3a39aba2693ce9e871b2f3384fda5c146d227d2d07dd');
INSERT INTO "journal" VALUES(118,1.79551616799958062165e+09,'e85c1da521b94','moved','{"to": "exam", "reason": {"cause": "retry", "stage": "exam", "message": "try 2 in 30 s: SandboxFault: the guest is gone"}, "charged": null}','afc553031616672815ea3db746e7c975948ef28598e6159391b58753e60456ca');
INSERT INTO "journal" VALUES(119,1.7955161680059306622e+09,'eb19e260aa4a6','moved','{"to": "cancelled", "reason": {"cause": "organiser"}, "charged": null}','84e23e268104c9ab234f602e8ffd02ca30b7ee8f9dad81cf0a278094e8087195');
INSERT INTO "journal" VALUES(120,1.79551616802670550342e+09,'e035c3bccb8e1','shadowed','{"attempt": 2, "purpose": "r1", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}','ab8e2ba504bda3971b2089ab77167dab8e8b24e7b56628de9f1d53aa4efa4e19');
INSERT INTO "journal" VALUES(121,1.79551616802670550342e+09,'ec9c0bcecb2a2','shadowed','{"attempt": 2, "purpose": "r1", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}','284ee94d50b5b6aac60b4111c7abeaf4ec15ae9532f43435edaef4643b2258dc');
INSERT INTO "journal" VALUES(122,1.79551616802670550342e+09,'ed4526559d9db','shadowed','{"attempt": 2, "purpose": "r1", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}','97c53953bf11cb9b7f1e821b9bf849fcaabcac180bd12b4c9675d3ec335465d1');
INSERT INTO "journal" VALUES(123,1.79551616802670550342e+09,'e77a6a095f32f','shadowed','{"attempt": 2, "purpose": "r1", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}','bfb952ed24f701ec82a2e80568b8ab387707e8fa702687ffc899de33798df01e');
INSERT INTO "journal" VALUES(124,1.79551616804676365856e+09,'e035c3bccb8e1','shadowed','{"attempt": 3, "purpose": "r2", "challenge": "cinc2017", "references": "", "base": 1, "first": "exam"}','13dd91c6c64a46d0b4faabb17f719126b3e0b9ceb9642da774ca9db89a3e85d3');
INSERT INTO "journal" VALUES(125,1.79551616804676365856e+09,'ec9c0bcecb2a2','shadowed','{"attempt": 3, "purpose": "r2", "challenge": "cinc2017", "references": "", "base": 1, "first": "exam"}','5c90f0082af5058414485e8d0b9780d08fe465a9ad8f3f246ca1aa23306e05ab');
INSERT INTO "journal" VALUES(126,1.79551616804676365856e+09,'ed4526559d9db','shadowed','{"attempt": 3, "purpose": "r2", "challenge": "cinc2017", "references": "", "base": 1, "first": "exam"}','ba64841412dc08b49c3b2a8a775a6e71362e1eba92505af634587e81049d5530');
INSERT INTO "journal" VALUES(127,1.79551616804676365856e+09,'e77a6a095f32f','shadowed','{"attempt": 3, "purpose": "r2", "challenge": "cinc2017", "references": "", "base": 1, "first": "exam"}','a8bf0ad7eb8d75c5b0b7a96de3b4456ff34429a0f1bec6569ac6941b6a686f09');
INSERT INTO "journal" VALUES(128,1.79551616805917882923e+09,'e035c3bccb8e1','shadowed','{"attempt": 4, "purpose": "r3", "challenge": "cinc2017", "references": "", "base": 1, "first": "prep"}','ec66e079633de62742afdef10d648aff934778ea3614a03407ccc2e72c4a3ff3');
INSERT INTO "journal" VALUES(129,1.79551616805917882923e+09,'ec9c0bcecb2a2','shadowed','{"attempt": 4, "purpose": "r3", "challenge": "cinc2017", "references": "", "base": 1, "first": "prep"}','1ec0d2e1953ea017772383817927169e39bc444c2261f5b58e0e4ab43f21ba47');
INSERT INTO "journal" VALUES(130,1.79551616805917882923e+09,'ed4526559d9db','shadowed','{"attempt": 4, "purpose": "r3", "challenge": "cinc2017", "references": "", "base": 1, "first": "prep"}','44a86ae55a82228df5812dbf85ecdef6a9390785d508c17da18335bb705796ee');
INSERT INTO "journal" VALUES(131,1.79551616805917882923e+09,'e77a6a095f32f','shadowed','{"attempt": 4, "purpose": "r3", "challenge": "cinc2017", "references": "", "base": 1, "first": "prep"}','611c80aa59c3d0a8dd60e91dda3342c5abedc02b900038278bb34936d6527309');
INSERT INTO "journal" VALUES(132,1.79551616807021236421e+09,'e035c3bccb8e1','shadowed','{"attempt": 5, "purpose": "r4", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}','1414cabc8849aada78cecd0c9e02742053d99baf091a90a5d47453aa77004bce');
INSERT INTO "journal" VALUES(133,1.79551616807021236421e+09,'ec9c0bcecb2a2','shadowed','{"attempt": 5, "purpose": "r4", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}','f35d57a7a12d7a28317977662467a53aa7414900dfef1ae3dd9b4ab22599d26a');
INSERT INTO "journal" VALUES(134,1.79551616807021236421e+09,'ed4526559d9db','shadowed','{"attempt": 5, "purpose": "r4", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}','6fe7c13f8d81f4ac4b1cb2d4777b605e70e6bcfef2fa96c153a50790df203258');
INSERT INTO "journal" VALUES(135,1.79551616807021236421e+09,'e77a6a095f32f','shadowed','{"attempt": 5, "purpose": "r4", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}','cb897a080f3dd8874584568d21240c2c27bf5a1524c08d6e23c32f9527cf112d');
INSERT INTO "journal" VALUES(136,1.7955161680755252838e+09,'e035c3bccb8e1','shadow-moved','{"attempt": 2, "to": "score", "reason": {}}','25ed2f0182298dab33cfb30fcdd92970dc80c49803708b468e4b9c592a87e0f0');
INSERT INTO "journal" VALUES(137,1.79551616807711482046e+09,'e035c3bccb8e1','result','{"stage": "score", "attempt": 2, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}','5842f453f7ab8065d395507cc9362ba1215422366137ffebd930d1ba5a31f7b9');
INSERT INTO "journal" VALUES(138,1.79551616807896637917e+09,'e035c3bccb8e1','score','{"attempt": 2, "key": "F1", "value": 0.7, "low": 0.35, "high": 1.0499999999999998, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.7}, \"official\": {\"F1\": 0.7}, \"notes\": [], \"intervals\": {\"F1\": [0.35, 1.0499999999999998]}}"}','0ff8c823a6d9c8ecc27860437a35c70c81d0b685f689f4d7ddaaf281c97b0d9b');
INSERT INTO "journal" VALUES(139,1.79551616808074307441e+09,'e035c3bccb8e1','shadow-moved','{"attempt": 2, "to": "done", "reason": {"cause": "verdict", "verdict": "OK"}}','bfbad610dc480380fd9457ba5aa041fce29c98fed5e9753b7c58f0316d6dda98');
INSERT INTO "journal" VALUES(140,1.79551616808361053471e+09,'e77a6a095f32f','shadow-moved','{"attempt": 2, "to": "score", "reason": {}}','1edb429115f3f4087651c757a18355655816d22b524ddcf2e698bbefb34ae66e');
INSERT INTO "journal" VALUES(141,1.79551616808496093745e+09,'e77a6a095f32f','result','{"stage": "score", "attempt": 2, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}','fb5defac32f47bda080b1750f0ad8aede8cac7be717a36e47b59dccbf5fa25e1');
INSERT INTO "journal" VALUES(142,1.79551616809354472161e+09,'e77a6a095f32f','score','{"attempt": 2, "key": "F1", "value": 0.7, "low": 0.35, "high": 1.0499999999999998, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.7}, \"official\": {\"F1\": 0.7}, \"notes\": [], \"intervals\": {\"F1\": [0.35, 1.0499999999999998]}}"}','c57c093fc37b2008f5ba79234952008d9f050e96d07d6c71fd7581863b5b4526');
INSERT INTO "journal" VALUES(143,1.79551616810160398485e+09,'e77a6a095f32f','shadow-moved','{"attempt": 2, "to": "done", "reason": {"cause": "verdict", "verdict": "OK"}}','7d19b526d8298d9ea529a3d888b9951f4d45bfb2565314fa9471a3afe00ffecc');
INSERT INTO "journal" VALUES(144,1.79551616811030578619e+09,'ec9c0bcecb2a2','shadow-moved','{"attempt": 2, "to": "score", "reason": {}}','14d2ce4385baaed9b7450674442123df517a4d7dc195419113eca47c24f6a697');
INSERT INTO "journal" VALUES(145,1.79551616811796665193e+09,'ec9c0bcecb2a2','result','{"stage": "score", "attempt": 2, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}','ece54f34a8d67352de403d28657065e466532b5b2db2e426520385932f7a2aeb');
INSERT INTO "journal" VALUES(146,1.79551616812483358386e+09,'ec9c0bcecb2a2','score','{"attempt": 2, "key": "F1", "value": 0.7, "low": 0.35, "high": 1.0499999999999998, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.7}, \"official\": {\"F1\": 0.7}, \"notes\": [], \"intervals\": {\"F1\": [0.35, 1.0499999999999998]}}"}','3795196a5d34d94820ddf829ade3cda62deb7bdebe444099f94c471538c0f3c4');
INSERT INTO "journal" VALUES(147,1.79551616813439917567e+09,'ec9c0bcecb2a2','shadow-moved','{"attempt": 2, "to": "done", "reason": {"cause": "verdict", "verdict": "OK"}}','0b769f35016e84a6800f23cab19cdb45d58ad672948aa86d89da346ac21fd561');
INSERT INTO "journal" VALUES(148,1.79551616814229369166e+09,'ed4526559d9db','shadow-moved','{"attempt": 2, "to": "score", "reason": {}}','db84e2649384646ea5b54a0ce9b945688f57f8b67ad9869f9d2cc09d9eaaebf2');
INSERT INTO "journal" VALUES(149,1.79551616815001487733e+09,'ed4526559d9db','result','{"stage": "score", "attempt": 2, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}','12621d21002a7800f84f71b9ff166209fbe4010adce7e957cd5ec225d5024495');
INSERT INTO "journal" VALUES(150,1.79551616815754413601e+09,'ed4526559d9db','score','{"attempt": 2, "key": "F1", "value": 0.7, "low": 0.35, "high": 1.0499999999999998, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.7}, \"official\": {\"F1\": 0.7}, \"notes\": [], \"intervals\": {\"F1\": [0.35, 1.0499999999999998]}}"}','ba1a6022f7831f3f1f38a5cef676f8dd16345abcf9818f9aa5275d4865b14c34');
INSERT INTO "journal" VALUES(151,1.79551616816625976558e+09,'ed4526559d9db','shadow-moved','{"attempt": 2, "to": "done", "reason": {"cause": "verdict", "verdict": "OK"}}','f75423c75c31fb9304acd3eab696ca845c3389b9932ccc96060f4bd38f7d48fa');
INSERT INTO "journal" VALUES(152,1.7955161681704483032e+09,'e035c3bccb8e1','adopted','{"attempt": 2}','ddc9cb9cc89cfed3bb7af913a29244595bd233f916b684255cdc2681ad2f2e76');
INSERT INTO "journal" VALUES(153,1.7955161681704483032e+09,'ec9c0bcecb2a2','adopted','{"attempt": 2}','7afaf295765f6ce84d0749a44a84b54bb318482958ab06c59fd0f4400d263ec2');
INSERT INTO "journal" VALUES(154,1.7955161681704483032e+09,'ed4526559d9db','adopted','{"attempt": 2}','1333632a4891c02ecc77479eed593acc3d1a9e252cbb4f4374e9d6ff01f4a75d');
INSERT INTO "journal" VALUES(155,1.7955161681704483032e+09,'e77a6a095f32f','adopted','{"attempt": 2}','06e4e4ad90a7f643dd27431103aec79f35a073fc72279dda8defc88440bf7fff');
INSERT INTO "journal" VALUES(156,1.79551616817755961422e+09,'e035c3bccb8e1','shadow-moved','{"attempt": 3, "to": "cancelled", "reason": {"cause": "discarded"}}','49cdf72b8db9efaf349bad41a06ad511b5735c56cf3fb75058299af768062c89');
INSERT INTO "journal" VALUES(157,1.79551616817755961422e+09,'ec9c0bcecb2a2','shadow-moved','{"attempt": 3, "to": "cancelled", "reason": {"cause": "discarded"}}','a38793e9f1a0f11e298a572c55a373ddc5b7798b282e98dc6225a67b11f0f990');
INSERT INTO "journal" VALUES(158,1.79551616817755961422e+09,'ed4526559d9db','shadow-moved','{"attempt": 3, "to": "cancelled", "reason": {"cause": "discarded"}}','ff83252367443f030145694d5bf8b8112733d5c71247a47fdec67c3601baa57b');
INSERT INTO "journal" VALUES(159,1.79551616817755961422e+09,'e77a6a095f32f','shadow-moved','{"attempt": 3, "to": "cancelled", "reason": {"cause": "discarded"}}','fcf155d730d99c36de112f2b17123fa21f41efe10e1ba11760008a2b4b63df65');
INSERT INTO "journal" VALUES(160,1.79551616817996382712e+09,'e035c3bccb8e1','shadow-moved','{"attempt": 4, "to": "prep", "reason": {}}','bd9d9658e7249a0f0985933ffe9ff9d4babe9d5bfe70d613f8f757ab584f1701');
INSERT INTO "journal" VALUES(161,1.79551616818625617028e+09,'e77a6a095f32f','shadow-moved','{"attempt": 4, "to": "parked", "reason": {"cause": "challenge", "stage": "exam", "message": "no score"}}','307f37309153d241231c45d1a30c362e5c35ae2a20ccbce7ff2287e7fb1a4573');
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
INSERT INTO "results" VALUES('e035c3bccb8e1',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551616752330422399e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',1,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551616753803920745e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',1,'exam','OK',5,0.5,'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4',1.79551616755330920222e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',1,'score','OK',5,0.5,'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020',1.79551616756221747404e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551616757852053642e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',1,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551616758584094051e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',1,'exam','OK',5,0.5,'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4',1.79551616759444022182e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',1,'score','OK',5,0.5,'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020',1.79551616760591864581e+09);
INSERT INTO "results" VALUES('ed4526559d9db',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551616762049722668e+09);
INSERT INTO "results" VALUES('ed4526559d9db',1,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.7955161676299884319e+09);
INSERT INTO "results" VALUES('ed4526559d9db',1,'exam','OK',5,0.5,'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4',1.79551616764244771e+09);
INSERT INTO "results" VALUES('ed4526559d9db',1,'score','OK',5,0.5,'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020',1.79551616765040707593e+09);
INSERT INTO "results" VALUES('eee3a0e44c60b',1,'prep','PREP_ERROR',5,0.5,'sha256:1507d3acde2ad05b52c105667aa22926b12e2664ceb959e1def1ef40760af46e',1.79551616766203021996e+09);
INSERT INTO "results" VALUES('e227944ae22bd',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.7955161676707015037e+09);
INSERT INTO "results" VALUES('e227944ae22bd',1,'quiz','WRONG_ANSWER',5,0.5,'sha256:4fe242bb787729374237cf7e5b948646ff64d1d1322ce53b54366dade8351acd',1.79551616767869448663e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551616768676662442e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',1,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551616769798421855e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',1,'exam','TIME_LIMIT',5,0.5,'sha256:665f52e08e7257c76de2b5472e0fc32f6f3ca726106bc46624d1723a15e712ab',1.7955161677062871456e+09);
INSERT INTO "results" VALUES('e0bd1e43fabe9',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1795516167.71966);
INSERT INTO "results" VALUES('e85c1da521b94',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551616773445916171e+09);
INSERT INTO "results" VALUES('e85c1da521b94',1,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551616774958300586e+09);
INSERT INTO "results" VALUES('e22ff431ca677',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551616776331400874e+09);
INSERT INTO "results" VALUES('e22ff431ca677',1,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551616777415323257e+09);
INSERT INTO "results" VALUES('e22ff431ca677',1,'exam','OK',5,0.5,'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4',1.79551616779661679266e+09);
INSERT INTO "results" VALUES('e7add14e2aec9',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551616784267950056e+09);
INSERT INTO "results" VALUES('e7add14e2aec9',1,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551616786608862872e+09);
INSERT INTO "results" VALUES('ec0d639a96d4d',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1795516167.88819);
INSERT INTO "results" VALUES('ec0d639a96d4d',1,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551616790081739428e+09);
INSERT INTO "results" VALUES('e61cdec782e70',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551616792227959626e+09);
INSERT INTO "results" VALUES('e61cdec782e70',1,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.7955161679275693893e+09);
INSERT INTO "results" VALUES('e7a6bd6a6224d',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551616795916795725e+09);
INSERT INTO "results" VALUES('e7a6bd6a6224d',1,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.795516167974001646e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',2,'exam','OK',5,0.5,'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4',1.79551616755330920222e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',2,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551616752330422399e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',2,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551616753803920745e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',2,'exam','OK',5,0.5,'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4',1.79551616759444022182e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',2,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551616757852053642e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',2,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551616758584094051e+09);
INSERT INTO "results" VALUES('ed4526559d9db',2,'exam','OK',5,0.5,'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4',1.79551616764244771e+09);
INSERT INTO "results" VALUES('ed4526559d9db',2,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551616762049722668e+09);
INSERT INTO "results" VALUES('ed4526559d9db',2,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.7955161676299884319e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',2,'exam','TIME_LIMIT',5,0.5,'sha256:665f52e08e7257c76de2b5472e0fc32f6f3ca726106bc46624d1723a15e712ab',1.7955161677062871456e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',2,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551616768676662442e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',2,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551616769798421855e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',3,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551616752330422399e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',3,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551616753803920745e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',3,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551616757852053642e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',3,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551616758584094051e+09);
INSERT INTO "results" VALUES('ed4526559d9db',3,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551616762049722668e+09);
INSERT INTO "results" VALUES('ed4526559d9db',3,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.7955161676299884319e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',3,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551616768676662442e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',3,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551616769798421855e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',5,'exam','OK',5,0.5,'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4',1.79551616755330920222e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',5,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551616752330422399e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',5,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551616753803920745e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',5,'exam','OK',5,0.5,'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4',1.79551616759444022182e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',5,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551616757852053642e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',5,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551616758584094051e+09);
INSERT INTO "results" VALUES('ed4526559d9db',5,'exam','OK',5,0.5,'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4',1.79551616764244771e+09);
INSERT INTO "results" VALUES('ed4526559d9db',5,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551616762049722668e+09);
INSERT INTO "results" VALUES('ed4526559d9db',5,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.7955161676299884319e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',5,'exam','TIME_LIMIT',5,0.5,'sha256:665f52e08e7257c76de2b5472e0fc32f6f3ca726106bc46624d1723a15e712ab',1.7955161677062871456e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',5,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551616768676662442e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',5,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551616769798421855e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',2,'score','OK',5,0.5,'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020',1.79551616807711482046e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',2,'score','OK',5,0.5,'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020',1.79551616808496093745e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',2,'score','OK',5,0.5,'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020',1.79551616811796665193e+09);
INSERT INTO "results" VALUES('ed4526559d9db',2,'score','OK',5,0.5,'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020',1.79551616815001487733e+09);
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
INSERT INTO "scores" VALUES('e035c3bccb8e1',1,'F1',0.5,'{"primary": "F1", "values": {"F1": 0.5}, "official": {"F1": 0.5}, "notes": [], "intervals": {"F1": [0.25, 0.75]}}',1.79551616756610083573e+09,0.25,0.75);
INSERT INTO "scores" VALUES('ec9c0bcecb2a2',1,'F1',0.5,'{"primary": "F1", "values": {"F1": 0.5}, "official": {"F1": 0.5}, "notes": [], "intervals": {"F1": [0.25, 0.75]}}',1.79551616761013483995e+09,0.25,0.75);
INSERT INTO "scores" VALUES('ed4526559d9db',1,'F1',0.5,'{"primary": "F1", "values": {"F1": 0.5}, "official": {"F1": 0.5}, "notes": [], "intervals": {"F1": [0.25, 0.75]}}',1.7955161676541104317e+09,0.25,0.75);
INSERT INTO "scores" VALUES('e035c3bccb8e1',2,'F1',0.7,'{"primary": "F1", "values": {"F1": 0.7}, "official": {"F1": 0.7}, "notes": [], "intervals": {"F1": [0.35, 1.0499999999999998]}}',1.79551616807896637917e+09,0.35,1.04999999999999982236e+00);
INSERT INTO "scores" VALUES('e77a6a095f32f',2,'F1',0.7,'{"primary": "F1", "values": {"F1": 0.7}, "official": {"F1": 0.7}, "notes": [], "intervals": {"F1": [0.35, 1.0499999999999998]}}',1.79551616809354472161e+09,0.35,1.04999999999999982236e+00);
INSERT INTO "scores" VALUES('ec9c0bcecb2a2',2,'F1',0.7,'{"primary": "F1", "values": {"F1": 0.7}, "official": {"F1": 0.7}, "notes": [], "intervals": {"F1": [0.35, 1.0499999999999998]}}',1.79551616812483358386e+09,0.35,1.04999999999999982236e+00);
INSERT INTO "scores" VALUES('ed4526559d9db',2,'F1',0.7,'{"primary": "F1", "values": {"F1": 0.7}, "official": {"F1": 0.7}, "notes": [], "intervals": {"F1": [0.35, 1.0499999999999998]}}',1.79551616815754413601e+09,0.35,1.04999999999999982236e+00);
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
INSERT INTO "settings" VALUES('identity','2c1d80c29799476aabcfabf873d34daf');
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
INSERT INTO "shadows" VALUES('e035c3bccb8e1',2,'r1','cinc2017','',1,'score','done',1.79551616808074307441e+09,1,'',0,'{"cause": "verdict", "verdict": "OK"}','');
INSERT INTO "shadows" VALUES('ec9c0bcecb2a2',2,'r1','cinc2017','',1,'score','done',1.79551616813439917567e+09,1,'',0,'{"cause": "verdict", "verdict": "OK"}','');
INSERT INTO "shadows" VALUES('ed4526559d9db',2,'r1','cinc2017','',1,'score','done',1.79551616816625976558e+09,1,'',0,'{"cause": "verdict", "verdict": "OK"}','');
INSERT INTO "shadows" VALUES('e77a6a095f32f',2,'r1','cinc2017','',1,'score','done',1.79551616810160398485e+09,1,'',0,'{"cause": "verdict", "verdict": "OK"}','');
INSERT INTO "shadows" VALUES('e035c3bccb8e1',3,'r2','cinc2017','',1,'exam','cancelled',1.79551616817755961422e+09,0,'',0,'{"cause": "discarded"}','');
INSERT INTO "shadows" VALUES('ec9c0bcecb2a2',3,'r2','cinc2017','',1,'exam','cancelled',1.79551616817755961422e+09,0,'',0,'{"cause": "discarded"}','');
INSERT INTO "shadows" VALUES('ed4526559d9db',3,'r2','cinc2017','',1,'exam','cancelled',1.79551616817755961422e+09,0,'',0,'{"cause": "discarded"}','');
INSERT INTO "shadows" VALUES('e77a6a095f32f',3,'r2','cinc2017','',1,'exam','cancelled',1.79551616817755961422e+09,0,'',0,'{"cause": "discarded"}','');
INSERT INTO "shadows" VALUES('e035c3bccb8e1',4,'r3','cinc2017','',1,'prep','prep',1.79551616817996382712e+09,0,'',0,'','');
INSERT INTO "shadows" VALUES('ec9c0bcecb2a2',4,'r3','cinc2017','',1,'prep','queued',1.79551616805917882923e+09,0,'',0,'','');
INSERT INTO "shadows" VALUES('ed4526559d9db',4,'r3','cinc2017','',1,'prep','queued',1.79551616805917882923e+09,0,'',0,'','');
INSERT INTO "shadows" VALUES('e77a6a095f32f',4,'r3','cinc2017','',1,'prep','parked',1.79551616818625617028e+09,0,'',0,'{"cause": "challenge", "message": "no score", "stage": "exam"}','');
INSERT INTO "shadows" VALUES('e035c3bccb8e1',5,'r4','cinc2017','',1,'score','queued',1.79551616807021236421e+09,0,'',0,'','');
INSERT INTO "shadows" VALUES('ec9c0bcecb2a2',5,'r4','cinc2017','',1,'score','queued',1.79551616807021236421e+09,0,'',0,'','');
INSERT INTO "shadows" VALUES('ed4526559d9db',5,'r4','cinc2017','',1,'score','queued',1.79551616807021236421e+09,0,'',0,'','');
INSERT INTO "shadows" VALUES('e77a6a095f32f',5,'r4','cinc2017','',1,'score','queued',1.79551616807021236421e+09,0,'',0,'','');
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
INSERT INTO "teams" VALUES('red',1.79551616736640834806e+09);
INSERT INTO "teams" VALUES('Blue',1.79551616738171052932e+09);
INSERT INTO "teams" VALUES('großes Team',1.79551616738417196272e+09);
INSERT INTO "teams" VALUES('green',1.79551616739450120921e+09);
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
CREATE UNIQUE INDEX members_once ON members (person, team);
CREATE UNIQUE INDEX members_own ON members (person) WHERE own;
COMMIT;
