BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0010');
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
INSERT INTO "entries" VALUES('e035c3bccb8e1',1,'cinc2017','red','0.zip','5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9',2,'','done',2,1,1.79551617814157748217e+09,1.79551617925922513008e+09,'old:1',0,'{"cause": "verdict", "verdict": "OK"}','');
INSERT INTO "entries" VALUES('ec9c0bcecb2a2',2,'cinc2017','Blue','1.zip','6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b',2,'','done',2,1,1.79551617814985489847e+09,1.79551617925922513008e+09,'old:1',0,'{"cause": "verdict", "verdict": "OK"}','');
INSERT INTO "entries" VALUES('ed4526559d9db',3,'cinc2017','großes Team','2.zip','d4735e3a265e16eee03f59718b9b5d03019c07d8b6c51f90da3a666eec13ab35',2,'','done',2,1,1.79551617815202403062e+09,1.79551617925922513008e+09,'old:1',0,'{"cause": "verdict", "verdict": "OK"}','');
INSERT INTO "entries" VALUES('eee3a0e44c60b',4,'cinc2017','green','3.zip','4e07408562bedb8b60ce05c1decfe3ad16b72230967de01f640b7e4729b49fce',2,'','done',1,0,1.7955161781578941345e+09,1.79551617849241375917e+09,'old:1',0,'{"cause": "verdict", "verdict": "PREP_ERROR"}','');
INSERT INTO "entries" VALUES('e227944ae22bd',5,'cinc2017','red','4.zip','4b227777d4dd1fc61c6f884f48641d02b4d121d3fd328cb08b5531fcacdabf8a',2,'','done',1,0,1.79551617816168379787e+09,1.79551617852019619941e+09,'old:1',0,'{"cause": "verdict", "verdict": "WRONG_ANSWER"}','');
INSERT INTO "entries" VALUES('e77a6a095f32f',6,'cinc2017','Blue','5.zip','ef2d127de37b942baad06145e54b0c619a1f22327b2ebbcfbec78f5564afe39d',2,'','done',2,1,1.79551617816735291487e+09,1.79551617925922513008e+09,'old:1',0,'{"cause": "verdict", "verdict": "OK"}','');
INSERT INTO "entries" VALUES('ead9741ba7ef7',7,'cinc2017','großes Team','6.zip','e7f6c011776e8db7cd330b54174fd76f7d0216b612387a5ffcfb81e6f0919683',2,'','prep',1,0,1.79551617816886377333e+09,1.79551617825422096252e+09,'old:1',0,'','');
INSERT INTO "entries" VALUES('e0bd1e43fabe9',8,'cinc2017','green','7.zip','7902699be42c8a8e46fbbb4501726517e86b22c56a189f7625a6da49081b2451',2,'','quiz',1,0,1.79551617817208147053e+09,1.79551617857399630545e+09,'old:1',0,'','');
INSERT INTO "entries" VALUES('e85c1da521b94',9,'cinc2017','red','8.zip','2c624232cdd221771294dfbb310aca000a0df6ac8b66b696d90ef06fdefb64a3',2,'','exam',1,1,1.79551617817607474325e+09,1.79551617887005758285e+09,'old:1',0,'{"cause": "retry", "message": "try 2 in 30 s: SandboxFault: the guest is gone", "stage": "exam"}','');
INSERT INTO "entries" VALUES('e22ff431ca677',10,'cinc2017','Blue','9.zip','19581e27de7ced00ff1ce50b2047e7a567c76b1cbaebabe5ef03f7c3017bb5b7',2,'','score',1,1,1.79551617818007969856e+09,1.79551617863800311086e+09,'old:1',0,'','');
INSERT INTO "entries" VALUES('e7add14e2aec9',11,'cinc2017','großes Team','10.zip','4a44dc15364204a80fe80e9039455cc1608281820fe2b24f1e5233ade6af1dd5',2,'','parked',1,1,1795516178.18416,1.79551617866986203196e+09,'old:1',0,'{"cause": "infrastructure", "message": "exam: SandboxFault: the guest is gone", "stage": "exam"}','');
INSERT INTO "entries" VALUES('ec0d639a96d4d',12,'cinc2017','green','11.zip','4fc82b26aecb47d2868c4efbe3581732a3e7cbcc6c2efb32062c08170a05eeb8',2,'','parked',1,1,1.79551617818811297421e+09,1.79551617871062493326e+09,'old:1',0,'{"cause": "infrastructure", "message": "exam: SandboxFault: the guest is gone", "stage": "exam"}','');
INSERT INTO "entries" VALUES('e61cdec782e70',13,'cinc2017','red','12.zip','6b51d431df5d7f141cbececcf79edf3dd861c3b4069f0b11661a3eefacbba918',2,'','queued',2,1,1.79551617819210767744e+09,1.79551617885128116615e+09,'',0,'','');
INSERT INTO "entries" VALUES('e7a6bd6a6224d',14,'cinc2017','Blue','13.zip','3fdba35f04dc8c462986c992bcf875546257113072a909c162f7e470e581e278',2,'','cancelled',1,1,1.79551617819628190992e+09,1.79551617886671233178e+09,'old:1',0,'{"cause": "organiser"}','');
INSERT INTO "entries" VALUES('e064d0cbd2a30',15,'cinc2017','großes Team','14.zip','8527a891e224136950ff32ca212b45bc93f69fbb801c3b1ebedac52775f99e61',2,'','queued',1,0,1.79551617820012426375e+09,1.79551617820012426375e+09,'',0,'','');
INSERT INTO "entries" VALUES('eb5291caf82f0',16,'cinc2017','green','15.zip','e629fa6598d732768f7c726b4b621285f9c3b85303900aa912017db7617d8bdb',2,'','queued',1,0,1.79551617820415353775e+09,1.79551617820415353775e+09,'',0,'','');
INSERT INTO "entries" VALUES('ef20ae2707c46',17,'cinc2017','red','16.zip','b17ef6d19c7a5b1ee83b907c595526dcb1eb06db8227d650d5dda0a9f4ce8cd9',2,'','queued',1,0,1.7955161782083835602e+09,1.7955161782083835602e+09,'',0,'','');
INSERT INTO "entries" VALUES('e835ab6e28104',18,'cinc2017','Blue','17.zip','4523540f1504cd17100c4835e85b7eefd49911580f8efff0599a8f283be6b9e3',2,'','queued',1,0,1.79551617821214199062e+09,1.79551617821214199062e+09,'',0,'','');
INSERT INTO "entries" VALUES('e815f3f78e740',19,'cinc2017','großes Team','18.zip','4ec9599fc203d176a301536c2e091a19bc852759b255bd6818810a42c5fed14a',2,'','queued',1,0,1.79551617821617794036e+09,1.79551617821617794036e+09,'',0,'','');
INSERT INTO "entries" VALUES('e40da5beb8578',20,'cinc2017','green','19.zip','9400f1b21cb527d7fa3d3eabba93557a18ebe7a2ca4e471cfe5e4c5b4ca7f767',2,'','queued',1,0,1.79551617822014117245e+09,1.79551617822014117245e+09,'',0,'','');
INSERT INTO "entries" VALUES('eb19e260aa4a6',21,'cinc2017','red','20.zip','f5ca38f748a1d6eaf726b8a42fb575c3c71f1864a8143301782de13da2d9202b',2,'','cancelled',1,0,1.79551617822413372991e+09,1.79551617888074231147e+09,'',0,'{"cause": "organiser"}','');
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
INSERT INTO "journal" VALUES(1,1.79551617814157748217e+09,'e035c3bccb8e1','submitted','{"challenge": "cinc2017", "team": "red", "name": "0.zip", "sha256": "5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9", "bytes": 2, "commit": "", "number": 1}','e450266e7066aa817dafd703b0a82cbe55eac729c6b6ab2d3d3589706890f8fd');
INSERT INTO "journal" VALUES(2,1.79551617814985489847e+09,'ec9c0bcecb2a2','submitted','{"challenge": "cinc2017", "team": "Blue", "name": "1.zip", "sha256": "6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b", "bytes": 2, "commit": "", "number": 2}','7a04922139cb005455940c507af1614b94a9614d2a651f3cfad06955b6e44d0b');
INSERT INTO "journal" VALUES(3,1.79551617815202403062e+09,'ed4526559d9db','submitted','{"challenge": "cinc2017", "team": "gro\u00dfes Team", "name": "2.zip", "sha256": "d4735e3a265e16eee03f59718b9b5d03019c07d8b6c51f90da3a666eec13ab35", "bytes": 2, "commit": "", "number": 3}','f82c733d1a78bfbf0c0077f7dd7b0c207c00c75c42315e7a39ee84283b0a2e29');
INSERT INTO "journal" VALUES(4,1.7955161781578941345e+09,'eee3a0e44c60b','submitted','{"challenge": "cinc2017", "team": "green", "name": "3.zip", "sha256": "4e07408562bedb8b60ce05c1decfe3ad16b72230967de01f640b7e4729b49fce", "bytes": 2, "commit": "", "number": 4}','7f27abab7448ea553e1319800fae501d7c584f68b8ad36c76d633dae8998bfdd');
INSERT INTO "journal" VALUES(5,1.79551617816168379787e+09,'e227944ae22bd','submitted','{"challenge": "cinc2017", "team": "red", "name": "4.zip", "sha256": "4b227777d4dd1fc61c6f884f48641d02b4d121d3fd328cb08b5531fcacdabf8a", "bytes": 2, "commit": "", "number": 5}','a6a58febe7293483811211be3d13a434332c6c24fc749c61540835addbc08bbc');
INSERT INTO "journal" VALUES(6,1.79551617816735291487e+09,'e77a6a095f32f','submitted','{"challenge": "cinc2017", "team": "Blue", "name": "5.zip", "sha256": "ef2d127de37b942baad06145e54b0c619a1f22327b2ebbcfbec78f5564afe39d", "bytes": 2, "commit": "", "number": 6}','47f67447e216be6483b28b6139a935c4e8d1ec13500018e97d370f7adfc81286');
INSERT INTO "journal" VALUES(7,1.79551617816886377333e+09,'ead9741ba7ef7','submitted','{"challenge": "cinc2017", "team": "gro\u00dfes Team", "name": "6.zip", "sha256": "e7f6c011776e8db7cd330b54174fd76f7d0216b612387a5ffcfb81e6f0919683", "bytes": 2, "commit": "", "number": 7}','14260cb4c8e26e9ef4dd35f368cb81bc2bebe7545323490f2886c98885814b3e');
INSERT INTO "journal" VALUES(8,1.79551617817208147053e+09,'e0bd1e43fabe9','submitted','{"challenge": "cinc2017", "team": "green", "name": "7.zip", "sha256": "7902699be42c8a8e46fbbb4501726517e86b22c56a189f7625a6da49081b2451", "bytes": 2, "commit": "", "number": 8}','23711a5c7f41bdd807b3ca7d2f8f3480ad18f550c52a375b5453216345915555');
INSERT INTO "journal" VALUES(9,1.79551617817607474325e+09,'e85c1da521b94','submitted','{"challenge": "cinc2017", "team": "red", "name": "8.zip", "sha256": "2c624232cdd221771294dfbb310aca000a0df6ac8b66b696d90ef06fdefb64a3", "bytes": 2, "commit": "", "number": 9}','1388b3182ee9560bebafce3d85cf52af00e3d2c2238bb79c73c3f005bb30467e');
INSERT INTO "journal" VALUES(10,1.79551617818007969856e+09,'e22ff431ca677','submitted','{"challenge": "cinc2017", "team": "Blue", "name": "9.zip", "sha256": "19581e27de7ced00ff1ce50b2047e7a567c76b1cbaebabe5ef03f7c3017bb5b7", "bytes": 2, "commit": "", "number": 10}','3aab4854405c7d21180ca3bfd31d14cd1988a2b4e88858917a6af52966b62ef3');
INSERT INTO "journal" VALUES(11,1795516178.18416,'e7add14e2aec9','submitted','{"challenge": "cinc2017", "team": "gro\u00dfes Team", "name": "10.zip", "sha256": "4a44dc15364204a80fe80e9039455cc1608281820fe2b24f1e5233ade6af1dd5", "bytes": 2, "commit": "", "number": 11}','8988fb3240dd1f0f13c711b4837162608eae7d54e035fc990862b01e00f22dcd');
INSERT INTO "journal" VALUES(12,1.79551617818811297421e+09,'ec0d639a96d4d','submitted','{"challenge": "cinc2017", "team": "green", "name": "11.zip", "sha256": "4fc82b26aecb47d2868c4efbe3581732a3e7cbcc6c2efb32062c08170a05eeb8", "bytes": 2, "commit": "", "number": 12}','7fbe96335eeb05b5315e995e19ddfee4f4c21be5d3d5e25cd606ec81fbaa0efb');
INSERT INTO "journal" VALUES(13,1.79551617819210767744e+09,'e61cdec782e70','submitted','{"challenge": "cinc2017", "team": "red", "name": "12.zip", "sha256": "6b51d431df5d7f141cbececcf79edf3dd861c3b4069f0b11661a3eefacbba918", "bytes": 2, "commit": "", "number": 13}','bfec74b12245b6c58492b10a131ff8b30d7d2dc91142f6bfcf4a560ed8a27540');
INSERT INTO "journal" VALUES(14,1.79551617819628190992e+09,'e7a6bd6a6224d','submitted','{"challenge": "cinc2017", "team": "Blue", "name": "13.zip", "sha256": "3fdba35f04dc8c462986c992bcf875546257113072a909c162f7e470e581e278", "bytes": 2, "commit": "", "number": 14}','d438e0da7cc7787d91f2119ee16494da36e2e832c729a256f7c75d838a76a213');
INSERT INTO "journal" VALUES(15,1.79551617820012426375e+09,'e064d0cbd2a30','submitted','{"challenge": "cinc2017", "team": "gro\u00dfes Team", "name": "14.zip", "sha256": "8527a891e224136950ff32ca212b45bc93f69fbb801c3b1ebedac52775f99e61", "bytes": 2, "commit": "", "number": 15}','e58e9068110e7010633252601bcf697b9428314ed61fba7b2499f8657e9ad64f');
INSERT INTO "journal" VALUES(16,1.79551617820415353775e+09,'eb5291caf82f0','submitted','{"challenge": "cinc2017", "team": "green", "name": "15.zip", "sha256": "e629fa6598d732768f7c726b4b621285f9c3b85303900aa912017db7617d8bdb", "bytes": 2, "commit": "", "number": 16}','6c9e633ca782acb3e8333ffe43811469ea41ac7d9946767acd78b5df1187e419');
INSERT INTO "journal" VALUES(17,1.7955161782083835602e+09,'ef20ae2707c46','submitted','{"challenge": "cinc2017", "team": "red", "name": "16.zip", "sha256": "b17ef6d19c7a5b1ee83b907c595526dcb1eb06db8227d650d5dda0a9f4ce8cd9", "bytes": 2, "commit": "", "number": 17}','401f0e0c9e227a4ecb2e5007a8dbe85ba407e0d6e4053eba50190d483989373b');
INSERT INTO "journal" VALUES(18,1.79551617821214199062e+09,'e835ab6e28104','submitted','{"challenge": "cinc2017", "team": "Blue", "name": "17.zip", "sha256": "4523540f1504cd17100c4835e85b7eefd49911580f8efff0599a8f283be6b9e3", "bytes": 2, "commit": "", "number": 18}','0e3bda2143834c4184fe00c0ed6d56d1b6c3b150604bb8939ceec6b115de378f');
INSERT INTO "journal" VALUES(19,1.79551617821617794036e+09,'e815f3f78e740','submitted','{"challenge": "cinc2017", "team": "gro\u00dfes Team", "name": "18.zip", "sha256": "4ec9599fc203d176a301536c2e091a19bc852759b255bd6818810a42c5fed14a", "bytes": 2, "commit": "", "number": 19}','c7749b3ce295ac641f184ab67a5be0d0b57e7f9a6853a67f1c1d86bec21a2072');
INSERT INTO "journal" VALUES(20,1.79551617822014117245e+09,'e40da5beb8578','submitted','{"challenge": "cinc2017", "team": "green", "name": "19.zip", "sha256": "9400f1b21cb527d7fa3d3eabba93557a18ebe7a2ca4e471cfe5e4c5b4ca7f767", "bytes": 2, "commit": "", "number": 20}','95cc2295e9e091a65f35c01abbb0fdfa33e9d8ebb34bb198cc9a6c8a87a828ed');
INSERT INTO "journal" VALUES(21,1.79551617822413372991e+09,'eb19e260aa4a6','submitted','{"challenge": "cinc2017", "team": "red", "name": "20.zip", "sha256": "f5ca38f748a1d6eaf726b8a42fb575c3c71f1864a8143301782de13da2d9202b", "bytes": 2, "commit": "", "number": 21}','852784ac6d53df6c8d1642b5c47af54e4c6ac545f848ca7a1aa899524f98aa85');
INSERT INTO "journal" VALUES(22,1.79551617823372340197e+09,'e035c3bccb8e1','moved','{"to": "prep", "reason": {}, "charged": null}','4fff84fb62b56c82f99f8baf744ba186d308f7d0abc1e4e34fd93f5493adcddf');
INSERT INTO "journal" VALUES(23,1.79551617824244499205e+09,'ec9c0bcecb2a2','moved','{"to": "prep", "reason": {}, "charged": null}','1f17195029149396915044b7952f0a7b5e032b1764dbd093659cfd10b3a73799');
INSERT INTO "journal" VALUES(24,1.79551617824371171003e+09,'ed4526559d9db','moved','{"to": "prep", "reason": {}, "charged": null}','380fe8734dfda36899f72060df93558a6401bd0ee178459caac012a7f86820fa');
INSERT INTO "journal" VALUES(25,1.7955161782446992397e+09,'eee3a0e44c60b','moved','{"to": "prep", "reason": {}, "charged": null}','14241713bbe91a5d5b60417cb33123d0db9f1c94044b2d34e67132f8836f0524');
INSERT INTO "journal" VALUES(26,1.7955161782519352436e+09,'e227944ae22bd','moved','{"to": "prep", "reason": {}, "charged": null}','c285c24e4880a045470e1a214cb8234463abfd686c2758e749ff815e78adf104');
INSERT INTO "journal" VALUES(27,1.79551617825314307214e+09,'e77a6a095f32f','moved','{"to": "prep", "reason": {}, "charged": null}','eff74402ec5618603add521719d5ccd36554be2873e84d07e865d328c8891d62');
INSERT INTO "journal" VALUES(28,1.79551617825422096252e+09,'ead9741ba7ef7','moved','{"to": "prep", "reason": {}, "charged": null}','b8f85fd886cbf948a23cd18699082cc9c35a62123aefd76651730bbe4e0ad5a1');
INSERT INTO "journal" VALUES(29,1.79551617825512838362e+09,'e0bd1e43fabe9','moved','{"to": "prep", "reason": {}, "charged": null}','0a0147f8d2cccda30abdae45e32b14d034e59a969059e9746c4b4cbb5bf28785');
INSERT INTO "journal" VALUES(30,1.79551617825606369968e+09,'e85c1da521b94','moved','{"to": "prep", "reason": {}, "charged": null}','f3661d87dc128cbd2ad5414188e088fd01b0fe76acb225e2c79a44ef36e028ee');
INSERT INTO "journal" VALUES(31,1.79551617825686621668e+09,'e22ff431ca677','moved','{"to": "prep", "reason": {}, "charged": null}','e8cb004237a8838e7c94f56df88148fbea3463243c9a745e8869dc121544c92e');
INSERT INTO "journal" VALUES(32,1.79551617826203393935e+09,'e7add14e2aec9','moved','{"to": "prep", "reason": {}, "charged": null}','3f8a7d6eea6f97e97a5de68b3ab97972a3ad2aa713d684e6f820ed0cd3a589ef');
INSERT INTO "journal" VALUES(33,1795516178.26304,'ec0d639a96d4d','moved','{"to": "prep", "reason": {}, "charged": null}','64c1462867e2ae8d6a6396de624fb6d08d32308c635cad079bf1c54ce21d0271');
INSERT INTO "journal" VALUES(34,1.79551617826851892464e+09,'e61cdec782e70','moved','{"to": "prep", "reason": {}, "charged": null}','0054c9d20eb9d036729f7de35b318f6d7d82e5d18d2d0a061f35dddef6e8ca2c');
INSERT INTO "journal" VALUES(35,1.79551617826960086821e+09,'e7a6bd6a6224d','moved','{"to": "prep", "reason": {}, "charged": null}','2e460dc0e4d675a15341a326bc37cbff80e727500ef6408cadd5802d80600b7a');
INSERT INTO "journal" VALUES(36,1.79551617827661633489e+09,'e035c3bccb8e1','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','20bc2ee60e6d6dd0f62a499d5e7cf3a8605a8a005a7cae22e78de923a3938890');
INSERT INTO "journal" VALUES(37,1.79551617828469276426e+09,'e035c3bccb8e1','moved','{"to": "quiz", "reason": {}, "charged": null}','b2ce41abccc8120b0a8c039be2d846e3303651612c250192dd9c0b36ef7604f9');
INSERT INTO "journal" VALUES(38,1.79551617829356789592e+09,'e035c3bccb8e1','result','{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}','32f4dc5425e1d673bfc94da99f3df4a678d9b0c1d832ec70c680c453872bb6ed');
INSERT INTO "journal" VALUES(39,1.7955161783000941276e+09,'e035c3bccb8e1','moved','{"to": "exam", "reason": {}, "charged": null}','7daf2cae7c1339d2259f9b8e489b3e72ee53bbb65d1c6faee3ffae6fdcf45681');
INSERT INTO "journal" VALUES(40,1.79551617830297541612e+09,'e035c3bccb8e1','charged','{"charged": true}','f77652429a764878b4e1782211ae39d233510f8fed93734baf4e1bb31ae913d5');
INSERT INTO "journal" VALUES(41,1.79551617830692768098e+09,'e035c3bccb8e1','result','{"stage": "exam", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4"}','6013f9127712518898fbfe75aace31f3a5bd5024fc4db489039632b6a0f95987');
INSERT INTO "journal" VALUES(42,1.79551617831245684622e+09,'e035c3bccb8e1','moved','{"to": "score", "reason": {}, "charged": null}','eec2715748ebbcd2aedaeeab14c90e19ebdc203dc9eb25e2db7a5930759ff2bb');
INSERT INTO "journal" VALUES(43,1.79551617831983160965e+09,'e035c3bccb8e1','result','{"stage": "score", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}','f702debb91b31368b3c5422c98e2886e0677ce39e65416c1e1bfa5f23a1a8e4f');
INSERT INTO "journal" VALUES(44,1.79551617832151770592e+09,'e035c3bccb8e1','score','{"attempt": 1, "key": "F1", "value": 0.5, "low": 0.25, "high": 0.75, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.5}, \"official\": {\"F1\": 0.5}, \"notes\": [], \"intervals\": {\"F1\": [0.25, 0.75]}}"}','64d8b931b2a75c925d128c0f390dc820322797cfb41a3ba4e1cb541c35c6fe1f');
INSERT INTO "journal" VALUES(45,1.79551617832839465142e+09,'e035c3bccb8e1','moved','{"to": "done", "reason": {"cause": "verdict", "verdict": "OK"}, "charged": null}','adc1ac80458fdf2cc2fa8e02f3a1c9d987f62baab37a5f3ef62ab6d5a71ed023');
INSERT INTO "journal" VALUES(46,1.79551617833427119255e+09,'ec9c0bcecb2a2','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','7efe822536373c5280a5a93a2bc5ea98ea2d87b7220d048198c318ed77e669d4');
INSERT INTO "journal" VALUES(47,1.79551617834036779408e+09,'ec9c0bcecb2a2','moved','{"to": "quiz", "reason": {}, "charged": null}','91eb53d85cf8f2c1ea730e72fb8c92db6646433a28bf70594bd2b0afd2368cbd');
INSERT INTO "journal" VALUES(48,1.79551617834153676035e+09,'ec9c0bcecb2a2','result','{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}','b58afca1037908047648b570e5666fa7c32f601f4e920d1b7edd274490b77944');
INSERT INTO "journal" VALUES(49,1.79551617834472966193e+09,'ec9c0bcecb2a2','moved','{"to": "exam", "reason": {}, "charged": null}','6abef88e2421428e60b53def172f9e9cc4ce4e900d0cc229bd96038aa1ba640b');
INSERT INTO "journal" VALUES(50,1.79551617834844851493e+09,'ec9c0bcecb2a2','charged','{"charged": true}','8bf93b23dbc6526f9f8d887591a4f9911c83501d40011473fcef16c7202870cd');
INSERT INTO "journal" VALUES(51,1.79551617835232925411e+09,'ec9c0bcecb2a2','result','{"stage": "exam", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4"}','76aea411505b8a2ec46d35b31b2df3a5afecb51abb80c957b34fc1a1a4ca4dda');
INSERT INTO "journal" VALUES(52,1.79551617835641694068e+09,'ec9c0bcecb2a2','moved','{"to": "score", "reason": {}, "charged": null}','a0932e59110ee47d61dc8a2fbaae09d7a0dec5b2fdef172cab1fc9420984dfee');
INSERT INTO "journal" VALUES(53,1.79551617835883903498e+09,'ec9c0bcecb2a2','result','{"stage": "score", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}','5fa7b8d74a4e3ed3efdaaf1204e07b6f9065b97fe6d14d4da587c5cf75b2e0db');
INSERT INTO "journal" VALUES(54,1.79551617836669254301e+09,'ec9c0bcecb2a2','score','{"attempt": 1, "key": "F1", "value": 0.5, "low": 0.25, "high": 0.75, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.5}, \"official\": {\"F1\": 0.5}, \"notes\": [], \"intervals\": {\"F1\": [0.25, 0.75]}}"}','b837ff2be4a79b5b19173cd57bb3b510cb1ec925f6b20ebf8c562820651f1a88');
INSERT INTO "journal" VALUES(55,1.79551617836858248711e+09,'ec9c0bcecb2a2','moved','{"to": "done", "reason": {"cause": "verdict", "verdict": "OK"}, "charged": null}','63be56ecc89946a77f75ad5648e4284d609e61a1062a7a38cf8ffd3126ec54d4');
INSERT INTO "journal" VALUES(56,1.79551617837263417245e+09,'ed4526559d9db','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','08f258d44ae142e9637220068293713cea6d7dd0a74a0f1f576144616b7ca270');
INSERT INTO "journal" VALUES(57,1.79551617844233870509e+09,'ed4526559d9db','moved','{"to": "quiz", "reason": {}, "charged": null}','a11d6d0e0054e1f2cc21453184dfe1c5ec50802d7459f6d1c0d97358a96aa00c');
INSERT INTO "journal" VALUES(58,1.79551617844870209698e+09,'ed4526559d9db','result','{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}','728621c8aeef8c875d490f8d7feacdd205507ea77ec140f4a7dea2927c781ff4');
INSERT INTO "journal" VALUES(59,1.79551617845383810999e+09,'ed4526559d9db','moved','{"to": "exam", "reason": {}, "charged": null}','c966201e1bf24fb0ef45db900eee61c18d81a0215f4ebcf9e7c40787b0bea023');
INSERT INTO "journal" VALUES(60,1.7955161784552476406e+09,'ed4526559d9db','charged','{"charged": true}','5ed964eced13b303fcefc921379b375018d1cd64fbc13ee9907be856937f4bd1');
INSERT INTO "journal" VALUES(61,1.79551617845605278019e+09,'ed4526559d9db','result','{"stage": "exam", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4"}','6decfa6893c141e921de1479a511687a71c21af86a8cb08eb2782370f4665287');
INSERT INTO "journal" VALUES(62,1.79551617847557139391e+09,'ed4526559d9db','moved','{"to": "score", "reason": {}, "charged": null}','356aa054cd1a56e8fe641f91154b97937f08469617f8c83f50086e2ce23dc70a');
INSERT INTO "journal" VALUES(63,1.79551617847762870787e+09,'ed4526559d9db','result','{"stage": "score", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}','bbca9238927acd34edd49b73c1bacb84dbb10f6270b5a52ebcd1927b2e63b53b');
INSERT INTO "journal" VALUES(64,1.79551617847921323777e+09,'ed4526559d9db','score','{"attempt": 1, "key": "F1", "value": 0.5, "low": 0.25, "high": 0.75, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.5}, \"official\": {\"F1\": 0.5}, \"notes\": [], \"intervals\": {\"F1\": [0.25, 0.75]}}"}','b155e7fbf60921a30dde47a93e961b1c7a5f7e2c5ad8121a3fa72a6857ea7d4f');
INSERT INTO "journal" VALUES(65,1.79551617848103785518e+09,'ed4526559d9db','moved','{"to": "done", "reason": {"cause": "verdict", "verdict": "OK"}, "charged": null}','aa043e256bd23b5c687f031e3828e9d3f2d1af2721cc5d05c42472efad64b040');
INSERT INTO "journal" VALUES(66,1.79551617848829460138e+09,'eee3a0e44c60b','result','{"stage": "prep", "attempt": 1, "verdict": "PREP_ERROR", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:1507d3acde2ad05b52c105667aa22926b12e2664ceb959e1def1ef40760af46e"}','2b7eaf5fcdd0e4b728f928439fa03a96696effe0ad53b15a885be1102adead38');
INSERT INTO "journal" VALUES(67,1.79551617849241375917e+09,'eee3a0e44c60b','moved','{"to": "done", "reason": {"cause": "verdict", "verdict": "PREP_ERROR"}, "charged": null}','f775887119b327879e475e372bcda417966943e0ad5f7d329da20c26b8d41d0a');
INSERT INTO "journal" VALUES(68,1795516178.51031,'e227944ae22bd','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','ed409f77d9e73f6e5a51b82761a02fa55723140c752909a4697100b4b5f60fa0');
INSERT INTO "journal" VALUES(69,1.7955161785123651027e+09,'e227944ae22bd','moved','{"to": "quiz", "reason": {}, "charged": null}','73dac31f9f3c316dcb2ba950bd93f9e21b03dff6fa6bf78acd4d608ab4958c34');
INSERT INTO "journal" VALUES(70,1.79551617851735091212e+09,'e227944ae22bd','result','{"stage": "quiz", "attempt": 1, "verdict": "WRONG_ANSWER", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:4fe242bb787729374237cf7e5b948646ff64d1d1322ce53b54366dade8351acd"}','33fad489fe9444942556c0b8accb05a3822235c451bbdb480b8394be6238fd10');
INSERT INTO "journal" VALUES(71,1.79551617852019619941e+09,'e227944ae22bd','moved','{"to": "done", "reason": {"cause": "verdict", "verdict": "WRONG_ANSWER"}, "charged": null}','c2eb0a0aaf139c14847e5c0fdb885e70de1a0c2d61274b5e8f170c211325bc66');
INSERT INTO "journal" VALUES(72,1.79551617852640199666e+09,'e77a6a095f32f','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','a3c23fadd8ec7722e364661b0d64f6b7402bd53130c5c8c1b076465454f714f8');
INSERT INTO "journal" VALUES(73,1.79551617853816866871e+09,'e77a6a095f32f','moved','{"to": "quiz", "reason": {}, "charged": null}','98ab23b1a19c6fb333928bb68404ca592545bc29ee02a2db79e5ad94028576e1');
INSERT INTO "journal" VALUES(74,1.79551617854186129565e+09,'e77a6a095f32f','result','{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}','c0fd7ad738f1cae928b1b8f73dc1ab9e5e781b440f884fc27bbf6dfbeaa8fed2');
INSERT INTO "journal" VALUES(75,1.79551617854408121109e+09,'e77a6a095f32f','moved','{"to": "exam", "reason": {}, "charged": null}','3a3db38343b99ab71c0bedda83a55faec37d2eac4700294f9efdbe884115374f');
INSERT INTO "journal" VALUES(76,1.79551617855433750148e+09,'e77a6a095f32f','charged','{"charged": true}','cb7fa1ed81fa91e4c74609ad4134c76718e4ae76b0daf572df141f0741d2a4c6');
INSERT INTO "journal" VALUES(77,1.79551617855828022957e+09,'e77a6a095f32f','result','{"stage": "exam", "attempt": 1, "verdict": "TIME_LIMIT", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:665f52e08e7257c76de2b5472e0fc32f6f3ca726106bc46624d1723a15e712ab"}','145da6cefa874dc44e5c0398c6d6b8744d91204bb4933930d7884a90b809b5ae');
INSERT INTO "journal" VALUES(78,1.7955161785661811829e+09,'e77a6a095f32f','moved','{"to": "done", "reason": {"cause": "verdict", "verdict": "TIME_LIMIT"}, "charged": null}','1dcdd736c61512b9be8441c520defcbdd4b715dec9537cc6932cf58f9e7cef99');
INSERT INTO "journal" VALUES(79,1.79551617857057094576e+09,'e0bd1e43fabe9','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','280311d0333dd325d6b61cd18fa66d90b2c30a24dbd08e15369106813564cd1b');
INSERT INTO "journal" VALUES(80,1.79551617857399630545e+09,'e0bd1e43fabe9','moved','{"to": "quiz", "reason": {}, "charged": null}','8dd0cca18eb2856a8c2e51a029d85553c7c00e4ef4430857f4564aca5cd1c576');
INSERT INTO "journal" VALUES(81,1.79551617858025956155e+09,'e85c1da521b94','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','9b2a2dce7bfc233aab967985a8961b3c2b125f4ffbc8c0eb51818ab0c88da6bc');
INSERT INTO "journal" VALUES(82,1.79551617858982920641e+09,'e85c1da521b94','moved','{"to": "quiz", "reason": {}, "charged": null}','bf7486d1da0399b2dc09d38bc858bd2a3e0c44a0c27d8a9729dd08a5e15c7a53');
INSERT INTO "journal" VALUES(83,1.79551617859392619131e+09,'e85c1da521b94','result','{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}','0c326599f505a2077bc991f39d2e8d77237896d5f2ef34e3bab80c5f5d993e05');
INSERT INTO "journal" VALUES(84,1.79551617860207080837e+09,'e85c1da521b94','moved','{"to": "exam", "reason": {}, "charged": null}','5b841815d22513e7704cb87805aa9b116fd3313b490123a4963ca2351573058b');
INSERT INTO "journal" VALUES(85,1.79551617860452294352e+09,'e85c1da521b94','charged','{"charged": true}','facb6357175fb4a4e74ccf11c008e7bd940116bfeca020813b592db56d9824c9');
INSERT INTO "journal" VALUES(86,1.79551617860682106021e+09,'e22ff431ca677','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','aa4d4aaa7ddacca6e61390b05755085aeb314655709c7a44e2dcae31ac3feacd');
INSERT INTO "journal" VALUES(87,1.79551617861263322836e+09,'e22ff431ca677','moved','{"to": "quiz", "reason": {}, "charged": null}','745ca9af0d13bcf411d491b951d903abc5f7991a1b7845f34e5dc4123299cf09');
INSERT INTO "journal" VALUES(88,1.7955161786180896759e+09,'e22ff431ca677','result','{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}','ff3d77d81fb361eb993c717c12d4110f32e0e00f5912069a73cfec09b450629c');
INSERT INTO "journal" VALUES(89,1.79551617862608742714e+09,'e22ff431ca677','moved','{"to": "exam", "reason": {}, "charged": null}','ea7967a2b24321a4d866da4a75905cef9f07eea6bfafbf2c65744c2caec2ea69');
INSERT INTO "journal" VALUES(90,1.79551617863002014163e+09,'e22ff431ca677','charged','{"charged": true}','94edb7485ce1625a5de6f1ea656b8390bcdf8f9a12185178c40f28285d32ae43');
INSERT INTO "journal" VALUES(91,1.79551617863387489321e+09,'e22ff431ca677','result','{"stage": "exam", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4"}','67b947c5a9af6ef673411174cc34d866a71aff2f861250d72a3c239fe10046db');
INSERT INTO "journal" VALUES(92,1.79551617863800311086e+09,'e22ff431ca677','moved','{"to": "score", "reason": {}, "charged": null}','2336f6c1e915e9eeac9b1500f0e0b5145d8ff5c920557f152377b0ecc581fc69');
INSERT INTO "journal" VALUES(93,1.79551617864660191534e+09,'e7add14e2aec9','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','fc295b1df150600156e50dd0dcae172b211ced006f5cbcb6c6aeb6d62aa998d3');
INSERT INTO "journal" VALUES(94,1.79551617865413808824e+09,'e7add14e2aec9','moved','{"to": "quiz", "reason": {}, "charged": null}','067a5fa18094fddc0f5f4b2930d08df76d28a231618c964a75e229548897371d');
INSERT INTO "journal" VALUES(95,1.79551617865786647797e+09,'e7add14e2aec9','result','{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}','75522d815cdd40696102c2ca29912359530af0864ec9f72082ec527f5bf6b023');
INSERT INTO "journal" VALUES(96,1.7955161786618990898e+09,'e7add14e2aec9','moved','{"to": "exam", "reason": {}, "charged": null}','e83349e52fa39c7b9255c319f613a3c159d8368933022d9a8cc9cd97f4775a95');
INSERT INTO "journal" VALUES(97,1.79551617866598629954e+09,'e7add14e2aec9','charged','{"charged": true}','250d992cebe4e27b4f772dc0c5e3b61819d2373b01e3a56f8f966212c1da2048');
INSERT INTO "journal" VALUES(98,1.79551617866986203196e+09,'e7add14e2aec9','moved','{"to": "parked", "reason": {"cause": "infrastructure", "stage": "exam", "message": "exam: SandboxFault: the guest is gone"}, "charged": null}','43f04c533553cf314e6cc027ec433f6771c0106ebf00b196465e7201cfe5200c');
INSERT INTO "journal" VALUES(99,1.79551617867660951617e+09,'ec0d639a96d4d','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','b29f481c5ce80c67b2cca1622f5b8e486791a21ecf1d27b87f1ce451fcf16a4b');
INSERT INTO "journal" VALUES(100,1795516178.68929,'ec0d639a96d4d','moved','{"to": "quiz", "reason": {}, "charged": null}','c181dcf7b9749ddeb69b642df1724486f870b7d4cdcb2587ef0cb95976b6fb3f');
INSERT INTO "journal" VALUES(101,1.79551617869793796533e+09,'ec0d639a96d4d','result','{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}','2d0575ce06ba3c84cf754099743622a682c1312668be5651b6eb3a12739995e3');
INSERT INTO "journal" VALUES(102,1.79551617870061779027e+09,'ec0d639a96d4d','moved','{"to": "exam", "reason": {}, "charged": null}','20777ad16c71db0f86496af2f8c3b8e3cf69940045a0c67b2c9e2586ec74cc59');
INSERT INTO "journal" VALUES(103,1.79551617870641493793e+09,'ec0d639a96d4d','charged','{"charged": true}','2595c066fa5b4f78ef3164a01d9a8a556e1733d987fa4c0547ab4fe75de43454');
INSERT INTO "journal" VALUES(104,1.79551617871062493326e+09,'ec0d639a96d4d','moved','{"to": "parked", "reason": {"cause": "infrastructure", "stage": "exam", "message": "exam: SandboxFault: the guest is gone"}, "charged": null}','67e516832b771804bfd7a5e3d9ec578a8b91fe5f6ebd66777d8755a23bab593d');
INSERT INTO "journal" VALUES(105,1.79551617871933293342e+09,'e61cdec782e70','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','7c3d4b2ad8f9886119126dacc6d8b0812d3591c9c547d2d709de244b931ad4a5');
INSERT INTO "journal" VALUES(106,1.79551617873102927207e+09,'e61cdec782e70','moved','{"to": "quiz", "reason": {}, "charged": null}','fe424e102cb83dc17368883e31acbbb9d7e692564514148f660bee626935d483');
INSERT INTO "journal" VALUES(107,1.79551617873795557028e+09,'e61cdec782e70','result','{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}','f9091170b900c3e7bd15befe54b8adf5ef8d0a1d8cc1638bb1e58369d044f793');
INSERT INTO "journal" VALUES(108,1.79551617875115752213e+09,'e61cdec782e70','moved','{"to": "exam", "reason": {}, "charged": null}','a385d78f2593a299f451cd254fe7955db80fe1a0a972ef04c574e5eabe919245');
INSERT INTO "journal" VALUES(109,1.79551617877041959758e+09,'e61cdec782e70','charged','{"charged": true}','92e345c2a71b7b156fe503df8632a210a918c7209bb320dec6fd959498acf995');
INSERT INTO "journal" VALUES(110,1.79551617877672648427e+09,'e61cdec782e70','moved','{"to": "parked", "reason": {"cause": "infrastructure", "stage": "exam", "message": "exam: SandboxFault: the guest is gone"}, "charged": null}','f2de46fb673214c021851614ee26d5273d5f8ea55e5a51a965ee63ea6156a5a5');
INSERT INTO "journal" VALUES(111,1.79551617885128116615e+09,'e61cdec782e70','retried','{"attempt": 2}','f9c699b4c4cefd7d66d4d1bc07731e4ce6fd457fad453b8daa2745c94a869825');
INSERT INTO "journal" VALUES(112,1.79551617885436844831e+09,'e7a6bd6a6224d','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','7d9f9d58869d6995ed5bf920522791ace5079a7f70e276c6def27030e610a238');
INSERT INTO "journal" VALUES(113,1.79551617885621881483e+09,'e7a6bd6a6224d','moved','{"to": "quiz", "reason": {}, "charged": null}','724b6ed2650f47707cf6ec785e6b39ca9569546d34eafdc59d26cc7c6d3224dc');
INSERT INTO "journal" VALUES(114,1.79551617885727143289e+09,'e7a6bd6a6224d','result','{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}','7c07e927f03cf1b6968768ea723207f948f87dca0a3aaf11bed9a9308c61dadc');
INSERT INTO "journal" VALUES(115,1.79551617885885691637e+09,'e7a6bd6a6224d','moved','{"to": "exam", "reason": {}, "charged": null}','12f3c2ca8a0e921e5485f3227fc6e55321972f1f768eee57f2afaff4d941e6d5');
INSERT INTO "journal" VALUES(116,1.79551617886027359968e+09,'e7a6bd6a6224d','charged','{"charged": true}','e3265827b816034f450567c868da70cc863bd1d6287e98d844a583d8a6ed4859');
INSERT INTO "journal" VALUES(117,1.79551617886671233178e+09,'e7a6bd6a6224d','moved','{"to": "cancelled", "reason": {"cause": "organiser"}, "charged": null}','2bde3d0d6f706c6f9117cb5e87d1ab45aa062f64a9eb3ed150ba90ac57b549de');
INSERT INTO "journal" VALUES(118,1.79551617887005758285e+09,'e85c1da521b94','moved','{"to": "exam", "reason": {"cause": "retry", "stage": "exam", "message": "try 2 in 30 s: SandboxFault: the guest is gone"}, "charged": null}','3c54b3f471d91b7b9a4f056e590547150f92b5495c6487b262927c7ec563583f');
INSERT INTO "journal" VALUES(119,1.79551617888074231147e+09,'eb19e260aa4a6','moved','{"to": "cancelled", "reason": {"cause": "organiser"}, "charged": null}','4846c446e7b7f3f160b77cc5733680b5bcd4bf9ac4640df2f8dfa3ca3b1d4e32');
INSERT INTO "journal" VALUES(120,1.79551617900284957891e+09,'e035c3bccb8e1','shadowed','{"attempt": 2, "purpose": "r1", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}','19c4fa3f46145bc41e8daa0bf0c9fac1758ccf0482e3c1a6133a05b09505e74d');
INSERT INTO "journal" VALUES(121,1.79551617900284957891e+09,'ec9c0bcecb2a2','shadowed','{"attempt": 2, "purpose": "r1", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}','f4cf47049870da761a0584fc3fb5c19a69b5fb9002c55f3c325768393ab39244');
INSERT INTO "journal" VALUES(122,1.79551617900284957891e+09,'ed4526559d9db','shadowed','{"attempt": 2, "purpose": "r1", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}','029009bb5cc567709ff09a550d47309272b3ec42c8e993f8a2fec149144e5a06');
INSERT INTO "journal" VALUES(123,1.79551617900284957891e+09,'e77a6a095f32f','shadowed','{"attempt": 2, "purpose": "r1", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}','b2224df74dd0ca827885fcfb3feb9a8310b16fc4028016f154ec6411badc6e97');
INSERT INTO "journal" VALUES(124,1.79551617917315959934e+09,'e035c3bccb8e1','shadowed','{"attempt": 3, "purpose": "r2", "challenge": "cinc2017", "references": "", "base": 1, "first": "exam"}','0e8640dac217f4d29a6d9acd24b2ff9ed2593be0a13f83f04f5123abd5de8ab8');
INSERT INTO "journal" VALUES(125,1.79551617917315959934e+09,'ec9c0bcecb2a2','shadowed','{"attempt": 3, "purpose": "r2", "challenge": "cinc2017", "references": "", "base": 1, "first": "exam"}','cc5c0409b6747401f2a3271618333648919cb150d9d68e64e4541fb09aea4663');
INSERT INTO "journal" VALUES(126,1.79551617917315959934e+09,'ed4526559d9db','shadowed','{"attempt": 3, "purpose": "r2", "challenge": "cinc2017", "references": "", "base": 1, "first": "exam"}','0a61ef96cf2648f594ad448bdbaa0c91e04f0013afa293d1692fc29a010b6449');
INSERT INTO "journal" VALUES(127,1.79551617917315959934e+09,'e77a6a095f32f','shadowed','{"attempt": 3, "purpose": "r2", "challenge": "cinc2017", "references": "", "base": 1, "first": "exam"}','167ce03289bcedc98657902cc7f9d513754e6d8256ae34e3ea6647decf86cf14');
INSERT INTO "journal" VALUES(128,1.79551617917777323724e+09,'e035c3bccb8e1','shadowed','{"attempt": 4, "purpose": "r3", "challenge": "cinc2017", "references": "", "base": 1, "first": "prep"}','dee8c3d0ca426a593a11d6f0958b988640caa27e8e8879864cc997d794147c65');
INSERT INTO "journal" VALUES(129,1.79551617917777323724e+09,'ec9c0bcecb2a2','shadowed','{"attempt": 4, "purpose": "r3", "challenge": "cinc2017", "references": "", "base": 1, "first": "prep"}','ddd84cb1c9a282c660d3f7ba09f1a7cb69f238bb46f91b440f3e7c1e38886872');
INSERT INTO "journal" VALUES(130,1.79551617917777323724e+09,'ed4526559d9db','shadowed','{"attempt": 4, "purpose": "r3", "challenge": "cinc2017", "references": "", "base": 1, "first": "prep"}','dceac221b62c52afc0abfe14f28b267407e59a6090d6c91cde931c9c54d53452');
INSERT INTO "journal" VALUES(131,1.79551617917777323724e+09,'e77a6a095f32f','shadowed','{"attempt": 4, "purpose": "r3", "challenge": "cinc2017", "references": "", "base": 1, "first": "prep"}','41bae394683ea3b4986bd018872004dd1cb78fc100c6fe65373e6ef9c25cb55e');
INSERT INTO "journal" VALUES(132,1.79551617918636322026e+09,'e035c3bccb8e1','shadowed','{"attempt": 5, "purpose": "r4", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}','80b3272e88da2d3de4dec4a23ec187fbf607e91de2686bf7d6755ccf962dcfd2');
INSERT INTO "journal" VALUES(133,1.79551617918636322026e+09,'ec9c0bcecb2a2','shadowed','{"attempt": 5, "purpose": "r4", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}','898811847fb4cb32859b5b6be7c3f6e2d801945af138acbb0bccb7d71d791d16');
INSERT INTO "journal" VALUES(134,1.79551617918636322026e+09,'ed4526559d9db','shadowed','{"attempt": 5, "purpose": "r4", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}','01e0e0dc850496ba67082c6c7b810da89dfe1d6949d3a1c2372af07c61af52bc');
INSERT INTO "journal" VALUES(135,1.79551617918636322026e+09,'e77a6a095f32f','shadowed','{"attempt": 5, "purpose": "r4", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}','bd6e031795aa8d2a9e678df3fd12fe87dc5fa5c74b2aec5df6c52688deb5c33e');
INSERT INTO "journal" VALUES(136,1.79551617919081377985e+09,'e035c3bccb8e1','shadow-moved','{"attempt": 2, "to": "score", "reason": {}}','617dabaac603e1ba7570a0c265f6ae95b6db5c4c77aabdd30928c33a5b244b94');
INSERT INTO "journal" VALUES(137,1.79551617919768071178e+09,'e035c3bccb8e1','result','{"stage": "score", "attempt": 2, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}','a5f0ebd616c86aa2dc2edeb80f0baf33b5f11fd714e7394b6d8ec6bee56771a2');
INSERT INTO "journal" VALUES(138,1.79551617920138335228e+09,'e035c3bccb8e1','score','{"attempt": 2, "key": "F1", "value": 0.7, "low": 0.35, "high": 1.0499999999999998, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.7}, \"official\": {\"F1\": 0.7}, \"notes\": [], \"intervals\": {\"F1\": [0.35, 1.0499999999999998]}}"}','94194ec166a76e6406ad6edf97cf05c9b0d0c692d11b546ab23afffeb8bc220d');
INSERT INTO "journal" VALUES(139,1.79551617920587754245e+09,'e035c3bccb8e1','shadow-moved','{"attempt": 2, "to": "done", "reason": {"cause": "verdict", "verdict": "OK"}}','4531e3d34cd4acb546728390f2cfae613460cefb8fdd8581239574280ea9fd6d');
INSERT INTO "journal" VALUES(140,1.79551617920909976954e+09,'e77a6a095f32f','shadow-moved','{"attempt": 2, "to": "score", "reason": {}}','d91c3750d9fc6720387ee55cd6841e5c89e6955f7b3c28e09ed6efbfec0a4862');
INSERT INTO "journal" VALUES(141,1.79551617921027517315e+09,'e77a6a095f32f','result','{"stage": "score", "attempt": 2, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}','ad61674fbc33a54217042397b718030bdce1dcd1b35669f0793e2fecaadf4be3');
INSERT INTO "journal" VALUES(142,1.79551617921179389953e+09,'e77a6a095f32f','score','{"attempt": 2, "key": "F1", "value": 0.7, "low": 0.35, "high": 1.0499999999999998, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.7}, \"official\": {\"F1\": 0.7}, \"notes\": [], \"intervals\": {\"F1\": [0.35, 1.0499999999999998]}}"}','033016173149c41076ebf660a8b887f51725b3ea92aa00b4e33c56886d73b643');
INSERT INTO "journal" VALUES(143,1.79551617921712589262e+09,'e77a6a095f32f','shadow-moved','{"attempt": 2, "to": "done", "reason": {"cause": "verdict", "verdict": "OK"}}','c8b986fbe575d649e7f406bee919d8c6c8e8e16f2bc46dfc53afc7dbc5a71680');
INSERT INTO "journal" VALUES(144,1.79551617921822571758e+09,'ec9c0bcecb2a2','shadow-moved','{"attempt": 2, "to": "score", "reason": {}}','9edb6d25e7947eeb4d83b6cf42f252b85e8fda62b36a9c31401204d0602a5838');
INSERT INTO "journal" VALUES(145,1.79551617922569084172e+09,'ec9c0bcecb2a2','result','{"stage": "score", "attempt": 2, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}','344576cc0e8560d7d9b07b8eae75631fbe59bf3fa35db3885203ae06ced7829f');
INSERT INTO "journal" VALUES(146,1.79551617922937345505e+09,'ec9c0bcecb2a2','score','{"attempt": 2, "key": "F1", "value": 0.7, "low": 0.35, "high": 1.0499999999999998, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.7}, \"official\": {\"F1\": 0.7}, \"notes\": [], \"intervals\": {\"F1\": [0.35, 1.0499999999999998]}}"}','c60547feb2e8d0860b634370abd53540417c2e49413555e0c50d4f59f79a5b42');
INSERT INTO "journal" VALUES(147,1.79551617923386645312e+09,'ec9c0bcecb2a2','shadow-moved','{"attempt": 2, "to": "done", "reason": {"cause": "verdict", "verdict": "OK"}}','0ec0ecc54051669492b74dd26c51a7068bdae7911d74f2bcde3ed79f6b299aa5');
INSERT INTO "journal" VALUES(148,1.79551617923794770235e+09,'ed4526559d9db','shadow-moved','{"attempt": 2, "to": "score", "reason": {}}','66f1caef11ad9c1e9e15436b8fe76657c8761d491db461e4876d54fbdca725e4');
INSERT INTO "journal" VALUES(149,1.79551617923895454409e+09,'ed4526559d9db','result','{"stage": "score", "attempt": 2, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}','43fc405cd5df04302700186c55985b3d42b2f8f4c3470a02b3d25cddd915e31d');
INSERT INTO "journal" VALUES(150,1.79551617924538755416e+09,'ed4526559d9db','score','{"attempt": 2, "key": "F1", "value": 0.7, "low": 0.35, "high": 1.0499999999999998, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.7}, \"official\": {\"F1\": 0.7}, \"notes\": [], \"intervals\": {\"F1\": [0.35, 1.0499999999999998]}}"}','26a4108a2fb4a2af1371e13d5c992de4f5ed44026053063d8976351c624f7399');
INSERT INTO "journal" VALUES(151,1795516179.25224,'ed4526559d9db','shadow-moved','{"attempt": 2, "to": "done", "reason": {"cause": "verdict", "verdict": "OK"}}','0b441077bc66db1b10911c89c81ea4ce957bc26284d3a508c43c7f735754e867');
INSERT INTO "journal" VALUES(152,1.79551617925922513008e+09,'e035c3bccb8e1','adopted','{"attempt": 2}','4f1a4aa8ce992231f4c735f6dbd71f357117a1a5fabc822f53af9728448f3b44');
INSERT INTO "journal" VALUES(153,1.79551617925922513008e+09,'ec9c0bcecb2a2','adopted','{"attempt": 2}','5da0a96894bd70f5bf86a554f28887666e9e9d02e32630437dfe34c1ec6525b7');
INSERT INTO "journal" VALUES(154,1.79551617925922513008e+09,'ed4526559d9db','adopted','{"attempt": 2}','0e7e25ca113897d09573ed0063ebf16d1862ef5529ee4a4d6c56afc1adbb51d3');
INSERT INTO "journal" VALUES(155,1.79551617925922513008e+09,'e77a6a095f32f','adopted','{"attempt": 2}','9c72b7d8e4fe9cdb46bcd987995151ef6ca3ac7cb0ad491faa576046912bff42');
INSERT INTO "journal" VALUES(156,1.79551617926143217088e+09,'','set','{"key": "judged:df8f8b76e13c7ad5b828e970c28f9e275d27057fcaac2c0c21858d10aea45dc7", "value": "{\"challenge\": \"cinc2017\", \"data\": [\"\"]}"}','0776366cc3e63f482bfae1b0e1e5af0c76419e7d635c6669f2c3743633cacff0');
INSERT INTO "journal" VALUES(157,1.79551617926623415942e+09,'e035c3bccb8e1','shadow-moved','{"attempt": 3, "to": "cancelled", "reason": {"cause": "discarded"}}','9ec5ba759806a43117a1704cf64d35955f12176b97c20f322129cdd51b691752');
INSERT INTO "journal" VALUES(158,1.79551617926623415942e+09,'ec9c0bcecb2a2','shadow-moved','{"attempt": 3, "to": "cancelled", "reason": {"cause": "discarded"}}','2b247586b37ce7784b814d2b785992afafdf08524a4ba91e66b32f459ab1e1d1');
INSERT INTO "journal" VALUES(159,1.79551617926623415942e+09,'ed4526559d9db','shadow-moved','{"attempt": 3, "to": "cancelled", "reason": {"cause": "discarded"}}','80eaddeb9868b3a1001a655c1091b1824fbd15dd4aaeb897f4df82b9fa0a6c9f');
INSERT INTO "journal" VALUES(160,1.79551617926623415942e+09,'e77a6a095f32f','shadow-moved','{"attempt": 3, "to": "cancelled", "reason": {"cause": "discarded"}}','131f3779730d0b66c70c291492f9e68beb2a6be21fe46539332e585fd583fd10');
INSERT INTO "journal" VALUES(161,1.79551617926976227763e+09,'e035c3bccb8e1','shadow-moved','{"attempt": 4, "to": "prep", "reason": {}}','87125646671c170227837e494f1160ac666958e9befeefce1748aee2a705bfdc');
INSERT INTO "journal" VALUES(162,1.79551617927133131029e+09,'e77a6a095f32f','shadow-moved','{"attempt": 4, "to": "parked", "reason": {"cause": "challenge", "stage": "exam", "message": "no score"}}','0d6b6a949498afa69dbbbc2537abc7e7ad4f4ba449d803cbf7bb90480b2d0e3c');
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
INSERT INTO "results" VALUES('e035c3bccb8e1',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551617827661633489e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',1,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551617829356789592e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',1,'exam','OK',5,0.5,'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4',1.79551617830692768098e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',1,'score','OK',5,0.5,'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020',1.79551617831983160965e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551617833427119255e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',1,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551617834153676035e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',1,'exam','OK',5,0.5,'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4',1.79551617835232925411e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',1,'score','OK',5,0.5,'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020',1.79551617835883903498e+09);
INSERT INTO "results" VALUES('ed4526559d9db',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551617837263417245e+09);
INSERT INTO "results" VALUES('ed4526559d9db',1,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551617844870209698e+09);
INSERT INTO "results" VALUES('ed4526559d9db',1,'exam','OK',5,0.5,'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4',1.79551617845605278019e+09);
INSERT INTO "results" VALUES('ed4526559d9db',1,'score','OK',5,0.5,'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020',1.79551617847762870787e+09);
INSERT INTO "results" VALUES('eee3a0e44c60b',1,'prep','PREP_ERROR',5,0.5,'sha256:1507d3acde2ad05b52c105667aa22926b12e2664ceb959e1def1ef40760af46e',1.79551617848829460138e+09);
INSERT INTO "results" VALUES('e227944ae22bd',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1795516178.51031);
INSERT INTO "results" VALUES('e227944ae22bd',1,'quiz','WRONG_ANSWER',5,0.5,'sha256:4fe242bb787729374237cf7e5b948646ff64d1d1322ce53b54366dade8351acd',1.79551617851735091212e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551617852640199666e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',1,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551617854186129565e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',1,'exam','TIME_LIMIT',5,0.5,'sha256:665f52e08e7257c76de2b5472e0fc32f6f3ca726106bc46624d1723a15e712ab',1.79551617855828022957e+09);
INSERT INTO "results" VALUES('e0bd1e43fabe9',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551617857057094576e+09);
INSERT INTO "results" VALUES('e85c1da521b94',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551617858025956155e+09);
INSERT INTO "results" VALUES('e85c1da521b94',1,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551617859392619131e+09);
INSERT INTO "results" VALUES('e22ff431ca677',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551617860682106021e+09);
INSERT INTO "results" VALUES('e22ff431ca677',1,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.7955161786180896759e+09);
INSERT INTO "results" VALUES('e22ff431ca677',1,'exam','OK',5,0.5,'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4',1.79551617863387489321e+09);
INSERT INTO "results" VALUES('e7add14e2aec9',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551617864660191534e+09);
INSERT INTO "results" VALUES('e7add14e2aec9',1,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551617865786647797e+09);
INSERT INTO "results" VALUES('ec0d639a96d4d',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551617867660951617e+09);
INSERT INTO "results" VALUES('ec0d639a96d4d',1,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551617869793796533e+09);
INSERT INTO "results" VALUES('e61cdec782e70',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551617871933293342e+09);
INSERT INTO "results" VALUES('e61cdec782e70',1,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551617873795557028e+09);
INSERT INTO "results" VALUES('e7a6bd6a6224d',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551617885436844831e+09);
INSERT INTO "results" VALUES('e7a6bd6a6224d',1,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551617885727143289e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',2,'exam','OK',5,0.5,'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4',1.79551617830692768098e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',2,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551617827661633489e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',2,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551617829356789592e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',2,'exam','OK',5,0.5,'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4',1.79551617835232925411e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',2,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551617833427119255e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',2,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551617834153676035e+09);
INSERT INTO "results" VALUES('ed4526559d9db',2,'exam','OK',5,0.5,'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4',1.79551617845605278019e+09);
INSERT INTO "results" VALUES('ed4526559d9db',2,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551617837263417245e+09);
INSERT INTO "results" VALUES('ed4526559d9db',2,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551617844870209698e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',2,'exam','TIME_LIMIT',5,0.5,'sha256:665f52e08e7257c76de2b5472e0fc32f6f3ca726106bc46624d1723a15e712ab',1.79551617855828022957e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',2,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551617852640199666e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',2,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551617854186129565e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',3,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551617827661633489e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',3,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551617829356789592e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',3,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551617833427119255e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',3,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551617834153676035e+09);
INSERT INTO "results" VALUES('ed4526559d9db',3,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551617837263417245e+09);
INSERT INTO "results" VALUES('ed4526559d9db',3,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551617844870209698e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',3,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551617852640199666e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',3,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551617854186129565e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',5,'exam','OK',5,0.5,'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4',1.79551617830692768098e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',5,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551617827661633489e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',5,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551617829356789592e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',5,'exam','OK',5,0.5,'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4',1.79551617835232925411e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',5,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551617833427119255e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',5,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551617834153676035e+09);
INSERT INTO "results" VALUES('ed4526559d9db',5,'exam','OK',5,0.5,'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4',1.79551617845605278019e+09);
INSERT INTO "results" VALUES('ed4526559d9db',5,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551617837263417245e+09);
INSERT INTO "results" VALUES('ed4526559d9db',5,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551617844870209698e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',5,'exam','TIME_LIMIT',5,0.5,'sha256:665f52e08e7257c76de2b5472e0fc32f6f3ca726106bc46624d1723a15e712ab',1.79551617855828022957e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',5,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551617852640199666e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',5,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551617854186129565e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',2,'score','OK',5,0.5,'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020',1.79551617919768071178e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',2,'score','OK',5,0.5,'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020',1.79551617921027517315e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',2,'score','OK',5,0.5,'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020',1.79551617922569084172e+09);
INSERT INTO "results" VALUES('ed4526559d9db',2,'score','OK',5,0.5,'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020',1.79551617923895454409e+09);
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
INSERT INTO "scores" VALUES('e035c3bccb8e1',1,'F1',0.5,'{"primary": "F1", "values": {"F1": 0.5}, "official": {"F1": 0.5}, "notes": [], "intervals": {"F1": [0.25, 0.75]}}',1.79551617832151770592e+09,0.25,0.75,'');
INSERT INTO "scores" VALUES('ec9c0bcecb2a2',1,'F1',0.5,'{"primary": "F1", "values": {"F1": 0.5}, "official": {"F1": 0.5}, "notes": [], "intervals": {"F1": [0.25, 0.75]}}',1.79551617836669254301e+09,0.25,0.75,'');
INSERT INTO "scores" VALUES('ed4526559d9db',1,'F1',0.5,'{"primary": "F1", "values": {"F1": 0.5}, "official": {"F1": 0.5}, "notes": [], "intervals": {"F1": [0.25, 0.75]}}',1.79551617847921323777e+09,0.25,0.75,'');
INSERT INTO "scores" VALUES('e035c3bccb8e1',2,'F1',0.7,'{"primary": "F1", "values": {"F1": 0.7}, "official": {"F1": 0.7}, "notes": [], "intervals": {"F1": [0.35, 1.0499999999999998]}}',1.79551617920138335228e+09,0.35,1.04999999999999982236e+00,'');
INSERT INTO "scores" VALUES('e77a6a095f32f',2,'F1',0.7,'{"primary": "F1", "values": {"F1": 0.7}, "official": {"F1": 0.7}, "notes": [], "intervals": {"F1": [0.35, 1.0499999999999998]}}',1.79551617921179389953e+09,0.35,1.04999999999999982236e+00,'');
INSERT INTO "scores" VALUES('ec9c0bcecb2a2',2,'F1',0.7,'{"primary": "F1", "values": {"F1": 0.7}, "official": {"F1": 0.7}, "notes": [], "intervals": {"F1": [0.35, 1.0499999999999998]}}',1.79551617922937345505e+09,0.35,1.04999999999999982236e+00,'');
INSERT INTO "scores" VALUES('ed4526559d9db',2,'F1',0.7,'{"primary": "F1", "values": {"F1": 0.7}, "official": {"F1": 0.7}, "notes": [], "intervals": {"F1": [0.35, 1.0499999999999998]}}',1.79551617924538755416e+09,0.35,1.04999999999999982236e+00,'');
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
INSERT INTO "settings" VALUES('identity','2cd26f8494ab4ecfa624dfa758e6ef37');
INSERT INTO "settings" VALUES('judged:df8f8b76e13c7ad5b828e970c28f9e275d27057fcaac2c0c21858d10aea45dc7','{"challenge": "cinc2017", "data": [""]}');
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
INSERT INTO "shadows" VALUES('e035c3bccb8e1',2,'r1','cinc2017','',1,'score','done',1.79551617920587754245e+09,1,'',0,'{"cause": "verdict", "verdict": "OK"}','');
INSERT INTO "shadows" VALUES('ec9c0bcecb2a2',2,'r1','cinc2017','',1,'score','done',1.79551617923386645312e+09,1,'',0,'{"cause": "verdict", "verdict": "OK"}','');
INSERT INTO "shadows" VALUES('ed4526559d9db',2,'r1','cinc2017','',1,'score','done',1795516179.25224,1,'',0,'{"cause": "verdict", "verdict": "OK"}','');
INSERT INTO "shadows" VALUES('e77a6a095f32f',2,'r1','cinc2017','',1,'score','done',1.79551617921712589262e+09,1,'',0,'{"cause": "verdict", "verdict": "OK"}','');
INSERT INTO "shadows" VALUES('e035c3bccb8e1',3,'r2','cinc2017','',1,'exam','cancelled',1.79551617926623415942e+09,0,'',0,'{"cause": "discarded"}','');
INSERT INTO "shadows" VALUES('ec9c0bcecb2a2',3,'r2','cinc2017','',1,'exam','cancelled',1.79551617926623415942e+09,0,'',0,'{"cause": "discarded"}','');
INSERT INTO "shadows" VALUES('ed4526559d9db',3,'r2','cinc2017','',1,'exam','cancelled',1.79551617926623415942e+09,0,'',0,'{"cause": "discarded"}','');
INSERT INTO "shadows" VALUES('e77a6a095f32f',3,'r2','cinc2017','',1,'exam','cancelled',1.79551617926623415942e+09,0,'',0,'{"cause": "discarded"}','');
INSERT INTO "shadows" VALUES('e035c3bccb8e1',4,'r3','cinc2017','',1,'prep','prep',1.79551617926976227763e+09,0,'',0,'','');
INSERT INTO "shadows" VALUES('ec9c0bcecb2a2',4,'r3','cinc2017','',1,'prep','queued',1.79551617917777323724e+09,0,'',0,'','');
INSERT INTO "shadows" VALUES('ed4526559d9db',4,'r3','cinc2017','',1,'prep','queued',1.79551617917777323724e+09,0,'',0,'','');
INSERT INTO "shadows" VALUES('e77a6a095f32f',4,'r3','cinc2017','',1,'prep','parked',1.79551617927133131029e+09,0,'',0,'{"cause": "challenge", "message": "no score", "stage": "exam"}','');
INSERT INTO "shadows" VALUES('e035c3bccb8e1',5,'r4','cinc2017','',1,'score','queued',1.79551617918636322026e+09,0,'',0,'','');
INSERT INTO "shadows" VALUES('ec9c0bcecb2a2',5,'r4','cinc2017','',1,'score','queued',1.79551617918636322026e+09,0,'',0,'','');
INSERT INTO "shadows" VALUES('ed4526559d9db',5,'r4','cinc2017','',1,'score','queued',1.79551617918636322026e+09,0,'',0,'','');
INSERT INTO "shadows" VALUES('e77a6a095f32f',5,'r4','cinc2017','',1,'score','queued',1.79551617918636322026e+09,0,'',0,'','');
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
INSERT INTO "teams" VALUES('red',1.79551617814157748217e+09);
INSERT INTO "teams" VALUES('Blue',1.79551617814985489847e+09);
INSERT INTO "teams" VALUES('großes Team',1.79551617815202403062e+09);
INSERT INTO "teams" VALUES('green',1.7955161781578941345e+09);
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
