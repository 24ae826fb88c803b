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
INSERT INTO "alembic_version" VALUES('0013');
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
INSERT INTO "entries" VALUES('e035c3bccb8e1',1,'cinc2017','red','0.zip','5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9',2,'','done',2,1,1.79551007054284834864e+09,1.79551007198465967175e+09,'old:1',0,'{"cause": "verdict", "verdict": "OK"}','');
INSERT INTO "entries" VALUES('ec9c0bcecb2a2',2,'cinc2017','Blue','1.zip','6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b',2,'','done',2,1,1.79551007055385875707e+09,1.79551007198465967175e+09,'old:1',0,'{"cause": "verdict", "verdict": "OK"}','');
INSERT INTO "entries" VALUES('ed4526559d9db',3,'cinc2017','großes Team','2.zip','d4735e3a265e16eee03f59718b9b5d03019c07d8b6c51f90da3a666eec13ab35',2,'','done',2,1,1.79551007055775642398e+09,1.79551007198465967175e+09,'old:1',0,'{"cause": "verdict", "verdict": "OK"}','');
INSERT INTO "entries" VALUES('eee3a0e44c60b',4,'cinc2017','green','3.zip','4e07408562bedb8b60ce05c1decfe3ad16b72230967de01f640b7e4729b49fce',2,'','done',1,0,1.79551007058311319348e+09,1.79551007118468093875e+09,'old:1',0,'{"cause": "verdict", "verdict": "PREP_ERROR"}','');
INSERT INTO "entries" VALUES('e227944ae22bd',5,'cinc2017','red','4.zip','4b227777d4dd1fc61c6f884f48641d02b4d121d3fd328cb08b5531fcacdabf8a',2,'','done',1,0,1.79551007060174441344e+09,1.79551007124796748164e+09,'old:1',0,'{"cause": "verdict", "verdict": "WRONG_ANSWER"}','');
INSERT INTO "entries" VALUES('e77a6a095f32f',6,'cinc2017','Blue','5.zip','ef2d127de37b942baad06145e54b0c619a1f22327b2ebbcfbec78f5564afe39d',2,'','done',2,1,1.79551007062184095385e+09,1.79551007198465967175e+09,'old:1',0,'{"cause": "verdict", "verdict": "OK"}','');
INSERT INTO "entries" VALUES('ead9741ba7ef7',7,'cinc2017','großes Team','6.zip','e7f6c011776e8db7cd330b54174fd76f7d0216b612387a5ffcfb81e6f0919683',2,'','prep',1,0,1.79551007064196610453e+09,1.79551007090026068686e+09,'old:1',0,'','');
INSERT INTO "entries" VALUES('e0bd1e43fabe9',8,'cinc2017','green','7.zip','7902699be42c8a8e46fbbb4501726517e86b22c56a189f7625a6da49081b2451',2,'','quiz',1,0,1.79551007066187310223e+09,1.79551007132267284385e+09,'old:1',0,'','');
INSERT INTO "entries" VALUES('e85c1da521b94',9,'cinc2017','red','8.zip','2c624232cdd221771294dfbb310aca000a0df6ac8b66b696d90ef06fdefb64a3',2,'','exam',1,1,1.79551007066852045057e+09,1.79551007171946167949e+09,'old:1',0,'{"cause": "retry", "message": "try 2 in 30 s: SandboxFault: the guest is gone", "stage": "exam"}','');
INSERT INTO "entries" VALUES('e22ff431ca677',10,'cinc2017','Blue','9.zip','19581e27de7ced00ff1ce50b2047e7a567c76b1cbaebabe5ef03f7c3017bb5b7',2,'','score',1,1,1.7955100706898417473e+09,1.79551007147421741484e+09,'old:1',0,'','');
INSERT INTO "entries" VALUES('e7add14e2aec9',11,'cinc2017','großes Team','10.zip','4a44dc15364204a80fe80e9039455cc1608281820fe2b24f1e5233ade6af1dd5',2,'','parked',1,1,1.79551007070071029668e+09,1.79551007151176786422e+09,'old:1',0,'{"cause": "infrastructure", "message": "exam: SandboxFault: the guest is gone", "stage": "exam"}','');
INSERT INTO "entries" VALUES('ec0d639a96d4d',12,'cinc2017','green','11.zip','4fc82b26aecb47d2868c4efbe3581732a3e7cbcc6c2efb32062c08170a05eeb8',2,'','parked',1,1,1.79551007071027755737e+09,1.79551007156094956395e+09,'old:1',0,'{"cause": "infrastructure", "message": "exam: SandboxFault: the guest is gone", "stage": "exam"}','');
INSERT INTO "entries" VALUES('e61cdec782e70',13,'cinc2017','red','12.zip','6b51d431df5d7f141cbececcf79edf3dd861c3b4069f0b11661a3eefacbba918',2,'','queued',2,1,1.79551007072085452081e+09,1.79551007164252543445e+09,'',0,'','');
INSERT INTO "entries" VALUES('e7a6bd6a6224d',14,'cinc2017','Blue','13.zip','3fdba35f04dc8c462986c992bcf875546257113072a909c162f7e470e581e278',2,'','cancelled',1,1,1.79551007073801779751e+09,1.79551007171294260029e+09,'old:1',0,'{"cause": "organiser"}','');
INSERT INTO "entries" VALUES('e064d0cbd2a30',15,'cinc2017','großes Team','14.zip','8527a891e224136950ff32ca212b45bc93f69fbb801c3b1ebedac52775f99e61',2,'','queued',1,0,1.79551007074672818179e+09,1.79551007074672818179e+09,'',0,'','');
INSERT INTO "entries" VALUES('eb5291caf82f0',16,'cinc2017','green','15.zip','e629fa6598d732768f7c726b4b621285f9c3b85303900aa912017db7617d8bdb',2,'','queued',1,0,1.79551007075428557401e+09,1.79551007075428557401e+09,'',0,'','');
INSERT INTO "entries" VALUES('ef20ae2707c46',17,'cinc2017','red','16.zip','b17ef6d19c7a5b1ee83b907c595526dcb1eb06db8227d650d5dda0a9f4ce8cd9',2,'','queued',1,0,1.79551007076990723609e+09,1.79551007076990723609e+09,'',0,'','');
INSERT INTO "entries" VALUES('e835ab6e28104',18,'cinc2017','Blue','17.zip','4523540f1504cd17100c4835e85b7eefd49911580f8efff0599a8f283be6b9e3',2,'','queued',1,0,1.79551007078167796128e+09,1.79551007078167796128e+09,'',0,'','');
INSERT INTO "entries" VALUES('e815f3f78e740',19,'cinc2017','großes Team','18.zip','4ec9599fc203d176a301536c2e091a19bc852759b255bd6818810a42c5fed14a',2,'','queued',1,0,1.79551007079385042193e+09,1.79551007079385042193e+09,'',0,'','');
INSERT INTO "entries" VALUES('e40da5beb8578',20,'cinc2017','green','19.zip','9400f1b21cb527d7fa3d3eabba93557a18ebe7a2ca4e471cfe5e4c5b4ca7f767',2,'','queued',1,0,1.79551007080824351312e+09,1.79551007080824351312e+09,'',0,'','');
INSERT INTO "entries" VALUES('eb19e260aa4a6',21,'cinc2017','red','20.zip','f5ca38f748a1d6eaf726b8a42fb575c3c71f1864a8143301782de13da2d9202b',2,'','cancelled',1,0,1.79551007082554960254e+09,1.7955100717266373635e+09,'',0,'{"cause": "organiser"}','');
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
INSERT INTO "journal" VALUES(1,1.79551007054284834864e+09,'e035c3bccb8e1','submitted','{"challenge": "cinc2017", "team": "red", "name": "0.zip", "sha256": "5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9", "bytes": 2, "commit": "", "number": 1}','cc6d76853a014cad1ef410e6c81644b8e76e7b25a99f4a7ac995795bfa1740cc');
INSERT INTO "journal" VALUES(2,1.79551007055385875707e+09,'ec9c0bcecb2a2','submitted','{"challenge": "cinc2017", "team": "Blue", "name": "1.zip", "sha256": "6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b", "bytes": 2, "commit": "", "number": 2}','98dd7b98d47b53dde3850375c8bda84517243e1b39391c3cfe207ea4e5a1fca3');
INSERT INTO "journal" VALUES(3,1.79551007055775642398e+09,'ed4526559d9db','submitted','{"challenge": "cinc2017", "team": "gro\u00dfes Team", "name": "2.zip", "sha256": "d4735e3a265e16eee03f59718b9b5d03019c07d8b6c51f90da3a666eec13ab35", "bytes": 2, "commit": "", "number": 3}','c9ae30ff8b6d9f0fac82388b04614cbc2e57ef717edbe8b3f64129a0809b8936');
INSERT INTO "journal" VALUES(4,1.79551007058311319348e+09,'eee3a0e44c60b','submitted','{"challenge": "cinc2017", "team": "green", "name": "3.zip", "sha256": "4e07408562bedb8b60ce05c1decfe3ad16b72230967de01f640b7e4729b49fce", "bytes": 2, "commit": "", "number": 4}','eab83e55aebc2651811ed7f5bc3e497d2f11e0b819d3dc75f805eaccdfbba27e');
INSERT INTO "journal" VALUES(5,1.79551007060174441344e+09,'e227944ae22bd','submitted','{"challenge": "cinc2017", "team": "red", "name": "4.zip", "sha256": "4b227777d4dd1fc61c6f884f48641d02b4d121d3fd328cb08b5531fcacdabf8a", "bytes": 2, "commit": "", "number": 5}','bd7c330984ccc5606b61215a13f2f08d20d011b9e7661268749e3fee27ef9077');
INSERT INTO "journal" VALUES(6,1.79551007062184095385e+09,'e77a6a095f32f','submitted','{"challenge": "cinc2017", "team": "Blue", "name": "5.zip", "sha256": "ef2d127de37b942baad06145e54b0c619a1f22327b2ebbcfbec78f5564afe39d", "bytes": 2, "commit": "", "number": 6}','f2aac571a62cfc12956fb03210e6a1bcf42386a338883c5be55acca163bd24ce');
INSERT INTO "journal" VALUES(7,1.79551007064196610453e+09,'ead9741ba7ef7','submitted','{"challenge": "cinc2017", "team": "gro\u00dfes Team", "name": "6.zip", "sha256": "e7f6c011776e8db7cd330b54174fd76f7d0216b612387a5ffcfb81e6f0919683", "bytes": 2, "commit": "", "number": 7}','0fc7d53088003924a1c4f9920c3b015b5a504d61f4dc1332d56d93b46be3b1d2');
INSERT INTO "journal" VALUES(8,1.79551007066187310223e+09,'e0bd1e43fabe9','submitted','{"challenge": "cinc2017", "team": "green", "name": "7.zip", "sha256": "7902699be42c8a8e46fbbb4501726517e86b22c56a189f7625a6da49081b2451", "bytes": 2, "commit": "", "number": 8}','9d9067978190a3de439a2d71872cfbf21c410dd7d4e5102b4050f99fb61afaff');
INSERT INTO "journal" VALUES(9,1.79551007066852045057e+09,'e85c1da521b94','submitted','{"challenge": "cinc2017", "team": "red", "name": "8.zip", "sha256": "2c624232cdd221771294dfbb310aca000a0df6ac8b66b696d90ef06fdefb64a3", "bytes": 2, "commit": "", "number": 9}','ae5946fe99d9b10a8e26a6fd45d58e7f4d076425510a8b56d7574ac7b7a26999');
INSERT INTO "journal" VALUES(10,1.7955100706898417473e+09,'e22ff431ca677','submitted','{"challenge": "cinc2017", "team": "Blue", "name": "9.zip", "sha256": "19581e27de7ced00ff1ce50b2047e7a567c76b1cbaebabe5ef03f7c3017bb5b7", "bytes": 2, "commit": "", "number": 10}','5dec0cad4fb8aa164f5f9ee747cd5a90561fc3674ce8db852813ab954483c5ac');
INSERT INTO "journal" VALUES(11,1.79551007070071029668e+09,'e7add14e2aec9','submitted','{"challenge": "cinc2017", "team": "gro\u00dfes Team", "name": "10.zip", "sha256": "4a44dc15364204a80fe80e9039455cc1608281820fe2b24f1e5233ade6af1dd5", "bytes": 2, "commit": "", "number": 11}','80e644b1084504b5e8d0c26ec61f7640b9d8716f7da4f70b4c966b12cd1a3ab6');
INSERT INTO "journal" VALUES(12,1.79551007071027755737e+09,'ec0d639a96d4d','submitted','{"challenge": "cinc2017", "team": "green", "name": "11.zip", "sha256": "4fc82b26aecb47d2868c4efbe3581732a3e7cbcc6c2efb32062c08170a05eeb8", "bytes": 2, "commit": "", "number": 12}','77febfa291a8ce142d49f66d0ac4f756aa51d4e3849aebc4e26c915c8ea2f835');
INSERT INTO "journal" VALUES(13,1.79551007072085452081e+09,'e61cdec782e70','submitted','{"challenge": "cinc2017", "team": "red", "name": "12.zip", "sha256": "6b51d431df5d7f141cbececcf79edf3dd861c3b4069f0b11661a3eefacbba918", "bytes": 2, "commit": "", "number": 13}','d196ffe75012b565e7b5a10fbe547e7352b31397fbf58f54f316c7be34ffa5ae');
INSERT INTO "journal" VALUES(14,1.79551007073801779751e+09,'e7a6bd6a6224d','submitted','{"challenge": "cinc2017", "team": "Blue", "name": "13.zip", "sha256": "3fdba35f04dc8c462986c992bcf875546257113072a909c162f7e470e581e278", "bytes": 2, "commit": "", "number": 14}','613308ea0f89bcc2d9387b119554a7067847229f5c6f9a6e852cc771e5f0e79b');
INSERT INTO "journal" VALUES(15,1.79551007074672818179e+09,'e064d0cbd2a30','submitted','{"challenge": "cinc2017", "team": "gro\u00dfes Team", "name": "14.zip", "sha256": "8527a891e224136950ff32ca212b45bc93f69fbb801c3b1ebedac52775f99e61", "bytes": 2, "commit": "", "number": 15}','ea42b7a29ae5f14f1ad1a0647c615ad2239d71bd25302e49be265735a65ecfdc');
INSERT INTO "journal" VALUES(16,1.79551007075428557401e+09,'eb5291caf82f0','submitted','{"challenge": "cinc2017", "team": "green", "name": "15.zip", "sha256": "e629fa6598d732768f7c726b4b621285f9c3b85303900aa912017db7617d8bdb", "bytes": 2, "commit": "", "number": 16}','47af7f8c099c465ef2bd5c0558644596c34bda720a7bdf5d74b35c48872a0b8f');
INSERT INTO "journal" VALUES(17,1.79551007076990723609e+09,'ef20ae2707c46','submitted','{"challenge": "cinc2017", "team": "red", "name": "16.zip", "sha256": "b17ef6d19c7a5b1ee83b907c595526dcb1eb06db8227d650d5dda0a9f4ce8cd9", "bytes": 2, "commit": "", "number": 17}','71acba75aa0804ab927204d0b63e50d5239746759bc2ee60e4ba2a274029b63e');
INSERT INTO "journal" VALUES(18,1.79551007078167796128e+09,'e835ab6e28104','submitted','{"challenge": "cinc2017", "team": "Blue", "name": "17.zip", "sha256": "4523540f1504cd17100c4835e85b7eefd49911580f8efff0599a8f283be6b9e3", "bytes": 2, "commit": "", "number": 18}','10d811ed975e790029bcfd1dd9fff0845b3a6dbe27c5e6875104c6b6278022cf');
INSERT INTO "journal" VALUES(19,1.79551007079385042193e+09,'e815f3f78e740','submitted','{"challenge": "cinc2017", "team": "gro\u00dfes Team", "name": "18.zip", "sha256": "4ec9599fc203d176a301536c2e091a19bc852759b255bd6818810a42c5fed14a", "bytes": 2, "commit": "", "number": 19}','7aa050e7c5a5ecf0ffb986596e74e06074784ee4472657a71748f98b0879911c');
INSERT INTO "journal" VALUES(20,1.79551007080824351312e+09,'e40da5beb8578','submitted','{"challenge": "cinc2017", "team": "green", "name": "19.zip", "sha256": "9400f1b21cb527d7fa3d3eabba93557a18ebe7a2ca4e471cfe5e4c5b4ca7f767", "bytes": 2, "commit": "", "number": 20}','09633a4ba1c66805190df0e0c496ee06bbcd9b272a336120a934f5b0be90e66f');
INSERT INTO "journal" VALUES(21,1.79551007082554960254e+09,'eb19e260aa4a6','submitted','{"challenge": "cinc2017", "team": "red", "name": "20.zip", "sha256": "f5ca38f748a1d6eaf726b8a42fb575c3c71f1864a8143301782de13da2d9202b", "bytes": 2, "commit": "", "number": 21}','23456935a839927e14b2634f149b3882a844934f24ad0d66049182c447218d99');
INSERT INTO "journal" VALUES(22,1.79551007086016297343e+09,'e035c3bccb8e1','moved','{"to": "prep", "reason": {}, "charged": null}','3a9d63640721cfe1a0c86d051705b89cef637c178ab250d3f0dbf13b4b625c58');
INSERT INTO "journal" VALUES(23,1.79551007087466049194e+09,'ec9c0bcecb2a2','moved','{"to": "prep", "reason": {}, "charged": null}','14709946e776ee3769fd4e948aa8af4979cb749c2f0c6cd0a7574d18a8835738');
INSERT INTO "journal" VALUES(24,1.79551007087583827971e+09,'ed4526559d9db','moved','{"to": "prep", "reason": {}, "charged": null}','1b695e520e2dda85175b160cf671e3f0a51b2416211a95b510652b9fd321e138');
INSERT INTO "journal" VALUES(25,1.79551007087685894963e+09,'eee3a0e44c60b','moved','{"to": "prep", "reason": {}, "charged": null}','b601f220753f29f57cc198f3e265887965ee502ca472bd6a186cd3f3e6f389a5');
INSERT INTO "journal" VALUES(26,1.79551007089302921298e+09,'e227944ae22bd','moved','{"to": "prep", "reason": {}, "charged": null}','d353bf7ff3cb495a81638ba1e3c36e3863d254d67ec5a02ac9ea43465fd30c4d');
INSERT INTO "journal" VALUES(27,1.79551007089902567867e+09,'e77a6a095f32f','moved','{"to": "prep", "reason": {}, "charged": null}','5392934d9106da24dd9b258af229bd9bdb44b963ca124b6a02c8327a304b4049');
INSERT INTO "journal" VALUES(28,1.79551007090026068686e+09,'ead9741ba7ef7','moved','{"to": "prep", "reason": {}, "charged": null}','9f77f0c80342744923cd8b3abd03be91cbbd6440623756151800eec2ac23c2da');
INSERT INTO "journal" VALUES(29,1.79551007091014337537e+09,'e0bd1e43fabe9','moved','{"to": "prep", "reason": {}, "charged": null}','c30f84408bd1e7f4e52f001660d1d15067a71f0963df6bf0636ae171bf613693');
INSERT INTO "journal" VALUES(30,1.79551007091862559316e+09,'e85c1da521b94','moved','{"to": "prep", "reason": {}, "charged": null}','93e69a8c6064f37270c0b4c28e5913103be5e1d72e19d2dff1c459004a2e4df8');
INSERT INTO "journal" VALUES(31,1.79551007091996526719e+09,'e22ff431ca677','moved','{"to": "prep", "reason": {}, "charged": null}','ef68bd49401caabb8018c32bbc15ebc82705ad73491b19ae3f8c20419c9e7a63');
INSERT INTO "journal" VALUES(32,1.79551007092102169991e+09,'e7add14e2aec9','moved','{"to": "prep", "reason": {}, "charged": null}','6372986abb7507e7b3d36f0b60da10658506e3541d5e6b88df332c16ae1f5c43');
INSERT INTO "journal" VALUES(33,1795510070.93537,'ec0d639a96d4d','moved','{"to": "prep", "reason": {}, "charged": null}','a99f83e1f0e71662c727d5158a5220ec5c333cc925de055e263dcdb1927747d0');
INSERT INTO "journal" VALUES(34,1.79551007093683552746e+09,'e61cdec782e70','moved','{"to": "prep", "reason": {}, "charged": null}','7fb7d32d8507c89611f41a3bcfcb684ff53f597ecf9c98149378dfb206ba4f36');
INSERT INTO "journal" VALUES(35,1.79551007094420075416e+09,'e7a6bd6a6224d','moved','{"to": "prep", "reason": {}, "charged": null}','0a8e1e5b137b29f373faf4ea6580517ce594e32cbb84a9ef891a24d69e9962da');
INSERT INTO "journal" VALUES(36,1.79551007098313164704e+09,'e035c3bccb8e1','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','7d23dd1ed739d25c0d6963eaa36d38f20de4be7348b9679faf26d4373aeeb461');
INSERT INTO "journal" VALUES(37,1.79551007099856042856e+09,'e035c3bccb8e1','moved','{"to": "quiz", "reason": {}, "charged": null}','108d67dd14aadebbba6d71008bd6b6944dc741028a026bfca61d97fd11471802');
INSERT INTO "journal" VALUES(38,1.7955100710095448494e+09,'e035c3bccb8e1','result','{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}','190321e08cefc94da29487bdcee97067041346eb420fe7419fa122b230fd9492');
INSERT INTO "journal" VALUES(39,1.79551007101483273511e+09,'e035c3bccb8e1','moved','{"to": "exam", "reason": {}, "charged": null}','f48621c9be2e5dad6947ece2a55564d798134509df76e6147a26b29e33658299');
INSERT INTO "journal" VALUES(40,1.79551007101787161827e+09,'e035c3bccb8e1','charged','{"charged": true}','578e8c52de0791990e58edd90dc740700e5acb0915a525972ac0f5464c3cb05c');
INSERT INTO "journal" VALUES(41,1.79551007102230501168e+09,'e035c3bccb8e1','result','{"stage": "exam", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4"}','e73d938552303255323fcd9b1a60d32ba39a340a71ec38b12df06ecd18103c4a');
INSERT INTO "journal" VALUES(42,1.79551007103146839137e+09,'e035c3bccb8e1','moved','{"to": "score", "reason": {}, "charged": null}','50982268186bca4275f74b1df4e283f6be57c612030de6f35ba39d65675479a9');
INSERT INTO "journal" VALUES(43,1.79551007103386449812e+09,'e035c3bccb8e1','result','{"stage": "score", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}','373f8b30ad008a2b7c0bb3fa5aa8ac93272e9d7211055a287204c70d8ea69185');
INSERT INTO "journal" VALUES(44,1.79551007103758049005e+09,'e035c3bccb8e1','score','{"attempt": 1, "key": "F1", "value": 0.5, "low": 0.25, "high": 0.75, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.5}, \"official\": {\"F1\": 0.5}, \"notes\": [], \"intervals\": {\"F1\": [0.25, 0.75]}}"}','13e9fabf989c1183007a207de99396b58861085f0b727b7ec4dd33506f3c0b45');
INSERT INTO "journal" VALUES(45,1.7955100710472123623e+09,'e035c3bccb8e1','moved','{"to": "done", "reason": {"cause": "verdict", "verdict": "OK"}, "charged": null}','591c84d7e7f7dc2493d594316eeb34c96ab4d42a3fc43d61460469e240995003');
INSERT INTO "journal" VALUES(46,1.79551007106357073776e+09,'ec9c0bcecb2a2','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','3821fa7d13c6e8dc6a21f659ccccdb44a5f53fae7e6e1539c7e85e41828168be');
INSERT INTO "journal" VALUES(47,1.79551007106913661955e+09,'ec9c0bcecb2a2','moved','{"to": "quiz", "reason": {}, "charged": null}','9b1736a3fa1dfc95f3ba6c0977ca0adae94bc04a223b229e870bea65fd498bab');
INSERT INTO "journal" VALUES(48,1.79551007107218670846e+09,'ec9c0bcecb2a2','result','{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}','19c4120944a2dbad7a6dbc922b582b578a5b6996cde8edb03cc25b71d3ab7431');
INSERT INTO "journal" VALUES(49,1.79551007108061337473e+09,'ec9c0bcecb2a2','moved','{"to": "exam", "reason": {}, "charged": null}','a49d9ea98c4a5fe09baf98946864e292f406ae288bb71467927542e0605b864d');
INSERT INTO "journal" VALUES(50,1.79551007108321332927e+09,'ec9c0bcecb2a2','charged','{"charged": true}','654c90e0802d4f4103691ae3606c0e2a95589bf3506b6963bf0b62519101413d');
INSERT INTO "journal" VALUES(51,1.79551007108554053302e+09,'ec9c0bcecb2a2','result','{"stage": "exam", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4"}','fe6991ce7409c77e0c2ecab07f42158608fff5112220377929168cfd8c48dee8');
INSERT INTO "journal" VALUES(52,1.79551007109126853941e+09,'ec9c0bcecb2a2','moved','{"to": "score", "reason": {}, "charged": null}','5b23e053e99aeb2b4339a55545c58bf1788d3b54a5250fb27de70c3dee3f7b96');
INSERT INTO "journal" VALUES(53,1.79551007110270524026e+09,'ec9c0bcecb2a2','result','{"stage": "score", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}','7c1caa67d2e319ae9af722eec4159fa7b6ef1b67bd7aee2384e07dd186200d8d');
INSERT INTO "journal" VALUES(54,1.79551007111377596862e+09,'ec9c0bcecb2a2','score','{"attempt": 1, "key": "F1", "value": 0.5, "low": 0.25, "high": 0.75, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.5}, \"official\": {\"F1\": 0.5}, \"notes\": [], \"intervals\": {\"F1\": [0.25, 0.75]}}"}','247de0cee8e3952890efdb6ab90df679f5da9185c5babf413cdd8585f7dd8896');
INSERT INTO "journal" VALUES(55,1.79551007112269139288e+09,'ec9c0bcecb2a2','moved','{"to": "done", "reason": {"cause": "verdict", "verdict": "OK"}, "charged": null}','e801ad12ae1f4063f0425b9cc4ce1d511e51d7c49fdc0acbda39dcb6170c7dd2');
INSERT INTO "journal" VALUES(56,1.79551007113336300851e+09,'ed4526559d9db','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','0cff3566c618538bdbe66b70f8048fe449666e321261c789d5110faddaf43e93');
INSERT INTO "journal" VALUES(57,1.79551007113648343083e+09,'ed4526559d9db','moved','{"to": "quiz", "reason": {}, "charged": null}','ccf0e759a791ab2179c04e186399a07ae85791d28c0421278b9204dee4afe6c1');
INSERT INTO "journal" VALUES(58,1.79551007113858819008e+09,'ed4526559d9db','result','{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}','b6c109e5aa79bebe21fb72f54155cd9638ce87adbed4adf38f32e57330e25131');
INSERT INTO "journal" VALUES(59,1.79551007114193773264e+09,'ed4526559d9db','moved','{"to": "exam", "reason": {}, "charged": null}','3d2673c68514a82d7d11d571c7a8978cfe41539aed94b0a569324fbf7fbfb058');
INSERT INTO "journal" VALUES(60,1795510071.14601,'ed4526559d9db','charged','{"charged": true}','19135df144635433d68a98850891d5f6a7276819e02b4d1ff39f1a95c90a36ce');
INSERT INTO "journal" VALUES(61,1.79551007114807963374e+09,'ed4526559d9db','result','{"stage": "exam", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4"}','ebce350acc1c07e76a0e2b8ce6a857af01eca3657cf99a05528072d45bf82e14');
INSERT INTO "journal" VALUES(62,1.79551007116311740871e+09,'ed4526559d9db','moved','{"to": "score", "reason": {}, "charged": null}','a153e82d2d3a9a26ee886c0a21a4bbd6fe49f26b276c201cbcb4e495d112fa0b');
INSERT INTO "journal" VALUES(63,1.79551007116693878175e+09,'ed4526559d9db','result','{"stage": "score", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}','9d9ab2f426eace6494d58ba0cd643f3d99c364cf2f4ea746d7da6306086a670e');
INSERT INTO "journal" VALUES(64,1.79551007117365574831e+09,'ed4526559d9db','score','{"attempt": 1, "key": "F1", "value": 0.5, "low": 0.25, "high": 0.75, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.5}, \"official\": {\"F1\": 0.5}, \"notes\": [], \"intervals\": {\"F1\": [0.25, 0.75]}}"}','960af1bc7745916eb987b0f0f44156a600be5f5765e269443e7364b408c1bf14');
INSERT INTO "journal" VALUES(65,1.79551007117678785326e+09,'ed4526559d9db','moved','{"to": "done", "reason": {"cause": "verdict", "verdict": "OK"}, "charged": null}','02f05b79204afb250c017477b5af60febfdcbd7536ecaf5ea404c95b48135909');
INSERT INTO "journal" VALUES(66,1.79551007118152260782e+09,'eee3a0e44c60b','result','{"stage": "prep", "attempt": 1, "verdict": "PREP_ERROR", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:1507d3acde2ad05b52c105667aa22926b12e2664ceb959e1def1ef40760af46e"}','46c1eb53f3abc4d1c98a29e1a76b08821ca9b58cb7c69017ce4b6b0705cb8d48');
INSERT INTO "journal" VALUES(67,1.79551007118468093875e+09,'eee3a0e44c60b','moved','{"to": "done", "reason": {"cause": "verdict", "verdict": "PREP_ERROR"}, "charged": null}','420978600af0f31134b5a95bdd4b22774f02a3bc7bb0f8e991b023d947f7fe08');
INSERT INTO "journal" VALUES(68,1.79551007120287752158e+09,'e227944ae22bd','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','da5d9760b443b06493b684e4e3abcb8c28d12c0032240c40e780fad695aaa3ec');
INSERT INTO "journal" VALUES(69,1.7955100712058782577e+09,'e227944ae22bd','moved','{"to": "quiz", "reason": {}, "charged": null}','eb7a885a7a1ea2755233fddd10e8caef079596925a856fc543b7aa0b7aa18736');
INSERT INTO "journal" VALUES(70,1.79551007123356223113e+09,'e227944ae22bd','result','{"stage": "quiz", "attempt": 1, "verdict": "WRONG_ANSWER", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:4fe242bb787729374237cf7e5b948646ff64d1d1322ce53b54366dade8351acd"}','4b60c6ffa006e9de79eaccdd92c0b6360625ee39fd25ff0d21228e1a781fc8fa');
INSERT INTO "journal" VALUES(71,1.79551007124796748164e+09,'e227944ae22bd','moved','{"to": "done", "reason": {"cause": "verdict", "verdict": "WRONG_ANSWER"}, "charged": null}','8b38ac364b80fd28d22b47fc9dc7276fec76db2296e1c3a4e6ddaa4db3f9863f');
INSERT INTO "journal" VALUES(72,1.79551007126276540755e+09,'e77a6a095f32f','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','6150e8db0ce70f65917dc952f7bda19cda3cd92fef18a75774796b585338001e');
INSERT INTO "journal" VALUES(73,1.79551007126771974562e+09,'e77a6a095f32f','moved','{"to": "quiz", "reason": {}, "charged": null}','4b59f1f608472dcdf80af85976635933ce20d5397bc3a450f94879e7009bae76');
INSERT INTO "journal" VALUES(74,1.79551007127438592915e+09,'e77a6a095f32f','result','{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}','50383288afa65266280ef12ad19f2ed733213f5a587b04ac52e93ceacbf3fa51');
INSERT INTO "journal" VALUES(75,1.7955100712822329998e+09,'e77a6a095f32f','moved','{"to": "exam", "reason": {}, "charged": null}','a852aa176a1eb7b138f6ff2d451db45e0dd5dbc262baad3d0bd4c1eeb5599cb6');
INSERT INTO "journal" VALUES(76,1.79551007128803229336e+09,'e77a6a095f32f','charged','{"charged": true}','8cf126df3db699a221381b33cea506d94fe8a0f4eec3c3fba8b4b8a8004f52f8');
INSERT INTO "journal" VALUES(77,1.79551007129749155043e+09,'e77a6a095f32f','result','{"stage": "exam", "attempt": 1, "verdict": "TIME_LIMIT", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:665f52e08e7257c76de2b5472e0fc32f6f3ca726106bc46624d1723a15e712ab"}','37850cc6623065426574236687fd83fe15121f612b2182097593b9a5ce780c6e');
INSERT INTO "journal" VALUES(78,1.79551007130234193797e+09,'e77a6a095f32f','moved','{"to": "done", "reason": {"cause": "verdict", "verdict": "TIME_LIMIT"}, "charged": null}','d8ec5962b73415ad240b6ad5c37f909c09d088bfe2cb1880f53b67d16f6047ff');
INSERT INTO "journal" VALUES(79,1.79551007131511831289e+09,'e0bd1e43fabe9','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','487b7c70bc06eba5a7f1f7a6ff0f28297d234ef2386b4187794b61bd54462d92');
INSERT INTO "journal" VALUES(80,1.79551007132267284385e+09,'e0bd1e43fabe9','moved','{"to": "quiz", "reason": {}, "charged": null}','46160c1c47a0bfa93a8e6ec81411d4be93291089c249c1555d87252525be9759');
INSERT INTO "journal" VALUES(81,1.79551007132850527761e+09,'e85c1da521b94','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','c5f626a23561cbcdac4e800bbc2c4052d38536dab1859b11e8b9d8deb5f7458b');
INSERT INTO "journal" VALUES(82,1.7955100713564240933e+09,'e85c1da521b94','moved','{"to": "quiz", "reason": {}, "charged": null}','42ba0be6dcf0f612841709852063f9449893cd5e34800533ec2e2ede7a88d75b');
INSERT INTO "journal" VALUES(83,1.79551007136595225334e+09,'e85c1da521b94','result','{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}','61482c2fd8ab211b514f136b12a1cec3c929fc7b1606762ee2b01abfb9beea3e');
INSERT INTO "journal" VALUES(84,1.79551007138217043877e+09,'e85c1da521b94','moved','{"to": "exam", "reason": {}, "charged": null}','54f12f04ca1e48278cf661fb5e23bf142001b97e1b46d1b94d96536d857b5fea');
INSERT INTO "journal" VALUES(85,1.79551007139130043978e+09,'e85c1da521b94','charged','{"charged": true}','744db8668394aa6506983f55b029064de5362ab8c7b07b207fd8b47ae0412303');
INSERT INTO "journal" VALUES(86,1.79551007140705585476e+09,'e22ff431ca677','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','f6c5887619ef1179119c784c6ca1ef00f366784bcf202405721069e820933cb8');
INSERT INTO "journal" VALUES(87,1.7955100714301991463e+09,'e22ff431ca677','moved','{"to": "quiz", "reason": {}, "charged": null}','2dce64c1d09c01664db01f4b905dfef3e7e956dccdbecb36711ccdbbccacee2f');
INSERT INTO "journal" VALUES(88,1.79551007144205117226e+09,'e22ff431ca677','result','{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}','d01d206a080046d90c7612d114f61c75f1aa862e045e1c8cfc82b84d93e341e7');
INSERT INTO "journal" VALUES(89,1.79551007145562291147e+09,'e22ff431ca677','moved','{"to": "exam", "reason": {}, "charged": null}','e6b9ef9aeebbc6d0ebc03db7f77311e318219104c3449ea8c11c4de8aa339ed4');
INSERT INTO "journal" VALUES(90,1.79551007145904040337e+09,'e22ff431ca677','charged','{"charged": true}','3a5118ac3bdcd5d6a2fb0ced1a7b772acd6aeef16acf6851a636b23cf5d314ab');
INSERT INTO "journal" VALUES(91,1.79551007146160745619e+09,'e22ff431ca677','result','{"stage": "exam", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4"}','9f60e00803b121e39f28da4861cf97dee4f00b6dae8a6f28d08a28dc4d8208b8');
INSERT INTO "journal" VALUES(92,1.79551007147421741484e+09,'e22ff431ca677','moved','{"to": "score", "reason": {}, "charged": null}','e1be7ac909cefee4c172ba1173752299afd282dba34c459c77d4a486b20f45a7');
INSERT INTO "journal" VALUES(93,1.79551007148331594467e+09,'e7add14e2aec9','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','8a6364f06ec97607db56684620a6f3450ce05020a1c365e4585ba94036c2c37d');
INSERT INTO "journal" VALUES(94,1.79551007149094581606e+09,'e7add14e2aec9','moved','{"to": "quiz", "reason": {}, "charged": null}','494fdbb278a8721fc89259f237597ecf5e6c12deb674e53aedd008148caf92ef');
INSERT INTO "journal" VALUES(95,1.79551007149401640888e+09,'e7add14e2aec9','result','{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}','ea5f2ec8e5c3a1565c10707eac0d6e05e489dca03a5023f86b3c51977341a023');
INSERT INTO "journal" VALUES(96,1.79551007150633502003e+09,'e7add14e2aec9','moved','{"to": "exam", "reason": {}, "charged": null}','c59700022cd1e3c32740b29c18bef4bbcb57a6e7b6ed9e0c7582d3f7dea8f5fa');
INSERT INTO "journal" VALUES(97,1.79551007150970625878e+09,'e7add14e2aec9','charged','{"charged": true}','dd55c921b044899f19c90ce2b1678fed1de8cbc97df8f77c16d6bdcd6578d02b');
INSERT INTO "journal" VALUES(98,1.79551007151176786422e+09,'e7add14e2aec9','moved','{"to": "parked", "reason": {"cause": "infrastructure", "stage": "exam", "message": "exam: SandboxFault: the guest is gone"}, "charged": null}','81751dfc7dcde2471e679f68e2f44c73d32d053a64866b6115aa78f269c39326');
INSERT INTO "journal" VALUES(99,1.79551007152187681197e+09,'ec0d639a96d4d','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','78622cdd6a94080b3b65777f9ef9d548f375c78e53e5792688141f306ea4436e');
INSERT INTO "journal" VALUES(100,1.79551007153090357772e+09,'ec0d639a96d4d','moved','{"to": "quiz", "reason": {}, "charged": null}','62e6cd950569169fac9d7a7a92bccfcca2bf3d39d955307289b4994770f63320');
INSERT INTO "journal" VALUES(101,1.7955100715416479111e+09,'ec0d639a96d4d','result','{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}','150eca4a7823fd2c68f58772dd3e35ee985c9c4277e3972b43881b20cb31be07');
INSERT INTO "journal" VALUES(102,1.79551007154862022402e+09,'ec0d639a96d4d','moved','{"to": "exam", "reason": {}, "charged": null}','9ef437aac592b36dbef6909ccf5c0486aeeec1425a2d1880997998dcb9b01024');
INSERT INTO "journal" VALUES(103,1.79551007155838751789e+09,'ec0d639a96d4d','charged','{"charged": true}','28c9bb52cd256e738e5e2500d0e0f99f8f14bc749d50fef654e23b46565ae5d6');
INSERT INTO "journal" VALUES(104,1.79551007156094956395e+09,'ec0d639a96d4d','moved','{"to": "parked", "reason": {"cause": "infrastructure", "stage": "exam", "message": "exam: SandboxFault: the guest is gone"}, "charged": null}','14d0a95417f411c5f6264c8376d363a88716c3bcbd42516438ff29f1cd017968');
INSERT INTO "journal" VALUES(105,1.79551007157260322571e+09,'e61cdec782e70','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','661b63a98b4ca7f8f86eefe4598f6fa2525a01bfa24169fd648a551aef5e78d3');
INSERT INTO "journal" VALUES(106,1.7955100715802061558e+09,'e61cdec782e70','moved','{"to": "quiz", "reason": {}, "charged": null}','e62046603ed19aad43943db9e2d706cd917be96d9e4f9ffa8df9ba89a2b203bf');
INSERT INTO "journal" VALUES(107,1.79551007158872556693e+09,'e61cdec782e70','result','{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}','91610564cf7b300c9e9b44566be5206cd6aa73a486572a35f4f4cbe0554991a5');
INSERT INTO "journal" VALUES(108,1.79551007159957075115e+09,'e61cdec782e70','moved','{"to": "exam", "reason": {}, "charged": null}','adbb20975e1bcf23b916284e2d95a738f1925310c5009b173f212c044b52e7a5');
INSERT INTO "journal" VALUES(109,1.7955100716036331654e+09,'e61cdec782e70','charged','{"charged": true}','8df39a500ad1ce2ff0d5e3fadac14e4909f99d9dc8495e2b0ac277fe82359eb7');
INSERT INTO "journal" VALUES(110,1.79551007162849617006e+09,'e61cdec782e70','moved','{"to": "parked", "reason": {"cause": "infrastructure", "stage": "exam", "message": "exam: SandboxFault: the guest is gone"}, "charged": null}','31cc75c771220151aa9853b8be931706eaf3c43419641022c322d565479b063b');
INSERT INTO "journal" VALUES(111,1.79551007164252543445e+09,'e61cdec782e70','retried','{"attempt": 2}','6d76c082425134004e8e241f0c5b1a69b7726498f5ee17d500c51de221412283');
INSERT INTO "journal" VALUES(112,1.79551007165960359573e+09,'e7a6bd6a6224d','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','3f9a3a5bb4fa8e3afd8bf6f5b7cf195c3f97dd61dd1ac43e247ca491facfbfe5');
INSERT INTO "journal" VALUES(113,1.79551007167819190023e+09,'e7a6bd6a6224d','moved','{"to": "quiz", "reason": {}, "charged": null}','574e29d519e75c98098c64561d61aa7c3c83e2d483c3bdbf17b83f544b81a07a');
INSERT INTO "journal" VALUES(114,1.79551007169007587429e+09,'e7a6bd6a6224d','result','{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}','134fcf1248656efbb6f0b63cd897151d85468686718f020f13f8b7aeb9c8b5c4');
INSERT INTO "journal" VALUES(115,1.79551007169858932496e+09,'e7a6bd6a6224d','moved','{"to": "exam", "reason": {}, "charged": null}','1fa2bde82e4842b697eeb4cbbcc328f3355d1fcd5991007b312a3a37f90d5ac2');
INSERT INTO "journal" VALUES(116,1.79551007171040606495e+09,'e7a6bd6a6224d','charged','{"charged": true}','d67711930b054e5274ad521454c735d8f7fc27990cc088202c17114fe7fc9341');
INSERT INTO "journal" VALUES(117,1.79551007171294260029e+09,'e7a6bd6a6224d','moved','{"to": "cancelled", "reason": {"cause": "organiser"}, "charged": null}','69f1cf242b59be63c36f525768c2346fb2ad793fb0b83438c58cafa023f2e1ed');
INSERT INTO "journal" VALUES(118,1.79551007171946167949e+09,'e85c1da521b94','moved','{"to": "exam", "reason": {"cause": "retry", "stage": "exam", "message": "try 2 in 30 s: SandboxFault: the guest is gone"}, "charged": null}','651e892294ec72a2edf8e40f455c90e837ceb953bf55f6acd47b386d6a422870');
INSERT INTO "journal" VALUES(119,1.7955100717266373635e+09,'eb19e260aa4a6','moved','{"to": "cancelled", "reason": {"cause": "organiser"}, "charged": null}','c70cf27c48a28664daf7da62deb22d33ac4f56d3056078b1cd08491c4d90e7ca');
INSERT INTO "journal" VALUES(120,1.79551007175262260437e+09,'e035c3bccb8e1','shadowed','{"attempt": 2, "purpose": "r1", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}','a47c5402ba7080efd1499a0cb8b88b8d7162977519b343e8e08f757efb8a643d');
INSERT INTO "journal" VALUES(121,1.79551007175262260437e+09,'ec9c0bcecb2a2','shadowed','{"attempt": 2, "purpose": "r1", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}','1fee0438994252552ae783d2a9f81afebde5dcd76fc2afa6db00116388b44583');
INSERT INTO "journal" VALUES(122,1.79551007175262260437e+09,'ed4526559d9db','shadowed','{"attempt": 2, "purpose": "r1", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}','899271efb4faf244c315e4a6be585bd98a1f396e0b751e2b1ce99bf552196294');
INSERT INTO "journal" VALUES(123,1.79551007175262260437e+09,'e77a6a095f32f','shadowed','{"attempt": 2, "purpose": "r1", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}','b436cf1a5108308308c7f4a01cea4dcad569187bc81b9fddd518d4838f531570');
INSERT INTO "journal" VALUES(124,1795510071.78078,'e035c3bccb8e1','shadowed','{"attempt": 3, "purpose": "r2", "challenge": "cinc2017", "references": "", "base": 1, "first": "exam"}','32ddd11c48f4491c765c49266dc71b8c14b2a00f4473893d5b85fd33cd6cdec2');
INSERT INTO "journal" VALUES(125,1795510071.78078,'ec9c0bcecb2a2','shadowed','{"attempt": 3, "purpose": "r2", "challenge": "cinc2017", "references": "", "base": 1, "first": "exam"}','4dbd68760081b505dcdc2c5971c1549edd7bdc93fafcf797ccf420d642780f84');
INSERT INTO "journal" VALUES(126,1795510071.78078,'ed4526559d9db','shadowed','{"attempt": 3, "purpose": "r2", "challenge": "cinc2017", "references": "", "base": 1, "first": "exam"}','aa225e0862c11a1b85a59f0a082bd2df78d421fec19c63fa9bfb453388dc488e');
INSERT INTO "journal" VALUES(127,1795510071.78078,'e77a6a095f32f','shadowed','{"attempt": 3, "purpose": "r2", "challenge": "cinc2017", "references": "", "base": 1, "first": "exam"}','2c2e8e9b4b15d3054eb32b57929ff487a083e5cb61a166cb4c4bd960b1b7eeb9');
INSERT INTO "journal" VALUES(128,1.79551007180338644984e+09,'e035c3bccb8e1','shadowed','{"attempt": 4, "purpose": "r3", "challenge": "cinc2017", "references": "", "base": 1, "first": "prep"}','f6f6ac936d19a6025076a6c83cc47e6cce27d8f64847ce26713b18e9a2f84136');
INSERT INTO "journal" VALUES(129,1.79551007180338644984e+09,'ec9c0bcecb2a2','shadowed','{"attempt": 4, "purpose": "r3", "challenge": "cinc2017", "references": "", "base": 1, "first": "prep"}','9d6a881ae957e4b4ea15fc058f36b4441cad7926789b1c91f474b8d4d4603a8c');
INSERT INTO "journal" VALUES(130,1.79551007180338644984e+09,'ed4526559d9db','shadowed','{"attempt": 4, "purpose": "r3", "challenge": "cinc2017", "references": "", "base": 1, "first": "prep"}','0178d28295999ddf01c81a2bffea544af332adae9585785fb98871d2b371754b');
INSERT INTO "journal" VALUES(131,1.79551007180338644984e+09,'e77a6a095f32f','shadowed','{"attempt": 4, "purpose": "r3", "challenge": "cinc2017", "references": "", "base": 1, "first": "prep"}','22639a52b73e4ba8f3b2a8bff318dd5bb0af828362956dce61c2d9b90400d269');
INSERT INTO "journal" VALUES(132,1.79551007182317781448e+09,'e035c3bccb8e1','shadowed','{"attempt": 5, "purpose": "r4", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}','02e55921d4b0b0ac9ef2bd767be59c148d64f0e93376ddebedbe5434ec2c2dd2');
INSERT INTO "journal" VALUES(133,1.79551007182317781448e+09,'ec9c0bcecb2a2','shadowed','{"attempt": 5, "purpose": "r4", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}','a16d8a32c91df3c07d0329ef337f8e9021eb32802dcc6fb44616b8112b970198');
INSERT INTO "journal" VALUES(134,1.79551007182317781448e+09,'ed4526559d9db','shadowed','{"attempt": 5, "purpose": "r4", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}','b5785aae63c7949f90421d17cbc0c0f43ac5ac5bcb65a5d37bce007440aec778');
INSERT INTO "journal" VALUES(135,1.79551007182317781448e+09,'e77a6a095f32f','shadowed','{"attempt": 5, "purpose": "r4", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}','6848034977bcbc81366d939f9ed8063267a21cf7923a898407d9c5f2afa7b5e3');
INSERT INTO "journal" VALUES(136,1.79551007183293199545e+09,'e035c3bccb8e1','shadow-moved','{"attempt": 2, "to": "score", "reason": {}}','eb1cdfea831d792051b024151d0a7447d95270dde8949dc4b296f558f9e6e73f');
INSERT INTO "journal" VALUES(137,1.79551007184208941463e+09,'e035c3bccb8e1','result','{"stage": "score", "attempt": 2, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}','8e2258dddd3608c075e748e2fdee171e49535e3236a7b8baa055a19808796645');
INSERT INTO "journal" VALUES(138,1.79551007184686088561e+09,'e035c3bccb8e1','score','{"attempt": 2, "key": "F1", "value": 0.7, "low": 0.35, "high": 1.0499999999999998, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.7}, \"official\": {\"F1\": 0.7}, \"notes\": [], \"intervals\": {\"F1\": [0.35, 1.0499999999999998]}}"}','e8e6956dddf8564f4f6baf7d5e924e5619b27d7c3e8dfabeba6407479e6001a5');
INSERT INTO "journal" VALUES(139,1.79551007185858821869e+09,'e035c3bccb8e1','shadow-moved','{"attempt": 2, "to": "done", "reason": {"cause": "verdict", "verdict": "OK"}}','263da756845f5e751e4df5382431e781a0d7c3be49603eb3a61e3f49f4116a2b');
INSERT INTO "journal" VALUES(140,1.79551007186238098141e+09,'e77a6a095f32f','shadow-moved','{"attempt": 2, "to": "score", "reason": {}}','2fc01515f3f8ce4e6fd7d7bbe0383375fce64b4c99d5f5da5762955219e0cad2');
INSERT INTO "journal" VALUES(141,1.79551007187149763103e+09,'e77a6a095f32f','result','{"stage": "score", "attempt": 2, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}','04356e9e2a6279ff29aea8c2139b753e5c3231fdf08e27ee58b2b3983647a8d2');
INSERT INTO "journal" VALUES(142,1.79551007188137650488e+09,'e77a6a095f32f','score','{"attempt": 2, "key": "F1", "value": 0.7, "low": 0.35, "high": 1.0499999999999998, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.7}, \"official\": {\"F1\": 0.7}, \"notes\": [], \"intervals\": {\"F1\": [0.35, 1.0499999999999998]}}"}','9e9ceea7f237e3adf4ae4e2de281efb0a3334606a3ea8dc5277cc7cd66e3d12d');
INSERT INTO "journal" VALUES(143,1.79551007189072084424e+09,'e77a6a095f32f','shadow-moved','{"attempt": 2, "to": "done", "reason": {"cause": "verdict", "verdict": "OK"}}','6b58585ab632afaf3507735b3094518248dffd68a690d7f25aa6aa965a7c7a92');
INSERT INTO "journal" VALUES(144,1.79551007190011191363e+09,'ec9c0bcecb2a2','shadow-moved','{"attempt": 2, "to": "score", "reason": {}}','5f3838fb8e31eadb543c0727e3d552eaf542bb37fada207696e2566a64d27faa');
INSERT INTO "journal" VALUES(145,1795510071.91494,'ec9c0bcecb2a2','result','{"stage": "score", "attempt": 2, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}','f4631c3978cda04dca2cb40501081e1ffa814560a043917c2783d5f654a55d5f');
INSERT INTO "journal" VALUES(146,1.79551007192583298678e+09,'ec9c0bcecb2a2','score','{"attempt": 2, "key": "F1", "value": 0.7, "low": 0.35, "high": 1.0499999999999998, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.7}, \"official\": {\"F1\": 0.7}, \"notes\": [], \"intervals\": {\"F1\": [0.35, 1.0499999999999998]}}"}','d0a4312eb4315221ce3a2d4538dd4db5c34f0706bbc003cd750b626669faa77f');
INSERT INTO "journal" VALUES(147,1.79551007193445467946e+09,'ec9c0bcecb2a2','shadow-moved','{"attempt": 2, "to": "done", "reason": {"cause": "verdict", "verdict": "OK"}}','bad18506907205d65cab326df388b1f3171a1916abf66f2a03c270b9241da470');
INSERT INTO "journal" VALUES(148,1.79551007194275569914e+09,'ed4526559d9db','shadow-moved','{"attempt": 2, "to": "score", "reason": {}}','99e9619d92a594bf4358b2a1f4cd303c3653cfa3d3c257850e124e3f46724ccf');
INSERT INTO "journal" VALUES(149,1.79551007194599723812e+09,'ed4526559d9db','result','{"stage": "score", "attempt": 2, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}','d0b28b6edc796ee299db9b45fde7a42a0870bd33f35e5309fa2ccaadd939fcb4');
INSERT INTO "journal" VALUES(150,1.795510071972397089e+09,'ed4526559d9db','score','{"attempt": 2, "key": "F1", "value": 0.7, "low": 0.35, "high": 1.0499999999999998, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.7}, \"official\": {\"F1\": 0.7}, \"notes\": [], \"intervals\": {\"F1\": [0.35, 1.0499999999999998]}}"}','882237ea33dbcac5b38490e7a5928179a4d7869b2fc2e33be97d5f0576059352');
INSERT INTO "journal" VALUES(151,1.7955100719783718586e+09,'ed4526559d9db','shadow-moved','{"attempt": 2, "to": "done", "reason": {"cause": "verdict", "verdict": "OK"}}','8d95be9399d51130e960c7265d55e29a255a795401a4411a26509f82cb660625');
INSERT INTO "journal" VALUES(152,1.79551007198465967175e+09,'e035c3bccb8e1','adopted','{"attempt": 2}','930242140600e5c736e4d33628bee11bd61f80eeaf177af570f62746c1740b97');
INSERT INTO "journal" VALUES(153,1.79551007198465967175e+09,'ec9c0bcecb2a2','adopted','{"attempt": 2}','230e4e0446e1bf3edcc668053106d242c93c14e18d4c85c1f2c2dacb6958fc6f');
INSERT INTO "journal" VALUES(154,1.79551007198465967175e+09,'ed4526559d9db','adopted','{"attempt": 2}','2ee46cab7f8263f69d77fd0050bcab46daa41814933fbe8e26d20dc13e02329a');
INSERT INTO "journal" VALUES(155,1.79551007198465967175e+09,'e77a6a095f32f','adopted','{"attempt": 2}','dac40e6643da5d6e153eb037850dae120dae079ed9236a0861e8d7afbc759a95');
INSERT INTO "journal" VALUES(156,1.79551007199181771271e+09,'','set','{"key": "judged:df8f8b76e13c7ad5b828e970c28f9e275d27057fcaac2c0c21858d10aea45dc7", "value": "{\"challenge\": \"cinc2017\", \"data\": [\"\"]}"}','3235a9f9aa2791e6a7e458ba82583735d685284a76b9abbe5c78009964bd31fd');
INSERT INTO "journal" VALUES(157,1.79551007200658321386e+09,'e035c3bccb8e1','shadow-moved','{"attempt": 3, "to": "cancelled", "reason": {"cause": "discarded"}}','34ccae17c6c7f745b85330725492a74734825eca188770c3b998d9c026c760a3');
INSERT INTO "journal" VALUES(158,1.79551007200658321386e+09,'ec9c0bcecb2a2','shadow-moved','{"attempt": 3, "to": "cancelled", "reason": {"cause": "discarded"}}','e5d5b45b7a31549b95800bbac2d24869aa20cef2c30a3bdcb660a10f37097ec8');
INSERT INTO "journal" VALUES(159,1.79551007200658321386e+09,'ed4526559d9db','shadow-moved','{"attempt": 3, "to": "cancelled", "reason": {"cause": "discarded"}}','2e5f7d728026c22b8051a716de7a8959b77638f91de36ed75c72060ae5eab088');
INSERT INTO "journal" VALUES(160,1.79551007200658321386e+09,'e77a6a095f32f','shadow-moved','{"attempt": 3, "to": "cancelled", "reason": {"cause": "discarded"}}','ee46d2685c378a42966bc917034ce8eda6589268ee17fb9f90b1260b2569e7a5');
INSERT INTO "journal" VALUES(161,1.79551007201729226109e+09,'e035c3bccb8e1','shadow-moved','{"attempt": 4, "to": "prep", "reason": {}}','275b96efb2e5996d992bdd57e99bbd6ccd09b640455006d0f1eb629058d7cbac');
INSERT INTO "journal" VALUES(162,1.7955100720255963802e+09,'e77a6a095f32f','shadow-moved','{"attempt": 4, "to": "parked", "reason": {"cause": "challenge", "stage": "exam", "message": "no score"}}','2da7e697d984ff820a847e28754cc298d63dea1163c0c3f33464c09ccd15fba0');
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
INSERT INTO "results" VALUES('e035c3bccb8e1',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551007098313164704e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',1,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.7955100710095448494e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',1,'exam','OK',5,0.5,'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4',1.79551007102230501168e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',1,'score','OK',5,0.5,'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020',1.79551007103386449812e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551007106357073776e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',1,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551007107218670846e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',1,'exam','OK',5,0.5,'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4',1.79551007108554053302e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',1,'score','OK',5,0.5,'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020',1.79551007110270524026e+09);
INSERT INTO "results" VALUES('ed4526559d9db',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551007113336300851e+09);
INSERT INTO "results" VALUES('ed4526559d9db',1,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551007113858819008e+09);
INSERT INTO "results" VALUES('ed4526559d9db',1,'exam','OK',5,0.5,'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4',1.79551007114807963374e+09);
INSERT INTO "results" VALUES('ed4526559d9db',1,'score','OK',5,0.5,'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020',1.79551007116693878175e+09);
INSERT INTO "results" VALUES('eee3a0e44c60b',1,'prep','PREP_ERROR',5,0.5,'sha256:1507d3acde2ad05b52c105667aa22926b12e2664ceb959e1def1ef40760af46e',1.79551007118152260782e+09);
INSERT INTO "results" VALUES('e227944ae22bd',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551007120287752158e+09);
INSERT INTO "results" VALUES('e227944ae22bd',1,'quiz','WRONG_ANSWER',5,0.5,'sha256:4fe242bb787729374237cf7e5b948646ff64d1d1322ce53b54366dade8351acd',1.79551007123356223113e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551007126276540755e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',1,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551007127438592915e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',1,'exam','TIME_LIMIT',5,0.5,'sha256:665f52e08e7257c76de2b5472e0fc32f6f3ca726106bc46624d1723a15e712ab',1.79551007129749155043e+09);
INSERT INTO "results" VALUES('e0bd1e43fabe9',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551007131511831289e+09);
INSERT INTO "results" VALUES('e85c1da521b94',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551007132850527761e+09);
INSERT INTO "results" VALUES('e85c1da521b94',1,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551007136595225334e+09);
INSERT INTO "results" VALUES('e22ff431ca677',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551007140705585476e+09);
INSERT INTO "results" VALUES('e22ff431ca677',1,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551007144205117226e+09);
INSERT INTO "results" VALUES('e22ff431ca677',1,'exam','OK',5,0.5,'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4',1.79551007146160745619e+09);
INSERT INTO "results" VALUES('e7add14e2aec9',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551007148331594467e+09);
INSERT INTO "results" VALUES('e7add14e2aec9',1,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551007149401640888e+09);
INSERT INTO "results" VALUES('ec0d639a96d4d',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551007152187681197e+09);
INSERT INTO "results" VALUES('ec0d639a96d4d',1,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.7955100715416479111e+09);
INSERT INTO "results" VALUES('e61cdec782e70',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551007157260322571e+09);
INSERT INTO "results" VALUES('e61cdec782e70',1,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551007158872556693e+09);
INSERT INTO "results" VALUES('e7a6bd6a6224d',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551007165960359573e+09);
INSERT INTO "results" VALUES('e7a6bd6a6224d',1,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551007169007587429e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',2,'exam','OK',5,0.5,'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4',1.79551007102230501168e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',2,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551007098313164704e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',2,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.7955100710095448494e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',2,'exam','OK',5,0.5,'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4',1.79551007108554053302e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',2,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551007106357073776e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',2,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551007107218670846e+09);
INSERT INTO "results" VALUES('ed4526559d9db',2,'exam','OK',5,0.5,'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4',1.79551007114807963374e+09);
INSERT INTO "results" VALUES('ed4526559d9db',2,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551007113336300851e+09);
INSERT INTO "results" VALUES('ed4526559d9db',2,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551007113858819008e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',2,'exam','TIME_LIMIT',5,0.5,'sha256:665f52e08e7257c76de2b5472e0fc32f6f3ca726106bc46624d1723a15e712ab',1.79551007129749155043e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',2,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551007126276540755e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',2,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551007127438592915e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',3,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551007098313164704e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',3,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.7955100710095448494e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',3,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551007106357073776e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',3,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551007107218670846e+09);
INSERT INTO "results" VALUES('ed4526559d9db',3,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551007113336300851e+09);
INSERT INTO "results" VALUES('ed4526559d9db',3,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551007113858819008e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',3,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551007126276540755e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',3,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551007127438592915e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',5,'exam','OK',5,0.5,'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4',1.79551007102230501168e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',5,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551007098313164704e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',5,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.7955100710095448494e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',5,'exam','OK',5,0.5,'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4',1.79551007108554053302e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',5,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551007106357073776e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',5,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551007107218670846e+09);
INSERT INTO "results" VALUES('ed4526559d9db',5,'exam','OK',5,0.5,'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4',1.79551007114807963374e+09);
INSERT INTO "results" VALUES('ed4526559d9db',5,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551007113336300851e+09);
INSERT INTO "results" VALUES('ed4526559d9db',5,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551007113858819008e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',5,'exam','TIME_LIMIT',5,0.5,'sha256:665f52e08e7257c76de2b5472e0fc32f6f3ca726106bc46624d1723a15e712ab',1.79551007129749155043e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',5,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551007126276540755e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',5,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551007127438592915e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',2,'score','OK',5,0.5,'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020',1.79551007184208941463e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',2,'score','OK',5,0.5,'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020',1.79551007187149763103e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',2,'score','OK',5,0.5,'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020',1795510071.91494);
INSERT INTO "results" VALUES('ed4526559d9db',2,'score','OK',5,0.5,'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020',1.79551007194599723812e+09);
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
INSERT INTO "scores" VALUES('e035c3bccb8e1',1,'F1',0.5,'{"primary": "F1", "values": {"F1": 0.5}, "official": {"F1": 0.5}, "notes": [], "intervals": {"F1": [0.25, 0.75]}}',1.79551007103758049005e+09,0.25,0.75,'');
INSERT INTO "scores" VALUES('ec9c0bcecb2a2',1,'F1',0.5,'{"primary": "F1", "values": {"F1": 0.5}, "official": {"F1": 0.5}, "notes": [], "intervals": {"F1": [0.25, 0.75]}}',1.79551007111377596862e+09,0.25,0.75,'');
INSERT INTO "scores" VALUES('ed4526559d9db',1,'F1',0.5,'{"primary": "F1", "values": {"F1": 0.5}, "official": {"F1": 0.5}, "notes": [], "intervals": {"F1": [0.25, 0.75]}}',1.79551007117365574831e+09,0.25,0.75,'');
INSERT INTO "scores" VALUES('e035c3bccb8e1',2,'F1',0.7,'{"primary": "F1", "values": {"F1": 0.7}, "official": {"F1": 0.7}, "notes": [], "intervals": {"F1": [0.35, 1.0499999999999998]}}',1.79551007184686088561e+09,0.35,1.04999999999999982236e+00,'');
INSERT INTO "scores" VALUES('e77a6a095f32f',2,'F1',0.7,'{"primary": "F1", "values": {"F1": 0.7}, "official": {"F1": 0.7}, "notes": [], "intervals": {"F1": [0.35, 1.0499999999999998]}}',1.79551007188137650488e+09,0.35,1.04999999999999982236e+00,'');
INSERT INTO "scores" VALUES('ec9c0bcecb2a2',2,'F1',0.7,'{"primary": "F1", "values": {"F1": 0.7}, "official": {"F1": 0.7}, "notes": [], "intervals": {"F1": [0.35, 1.0499999999999998]}}',1.79551007192583298678e+09,0.35,1.04999999999999982236e+00,'');
INSERT INTO "scores" VALUES('ed4526559d9db',2,'F1',0.7,'{"primary": "F1", "values": {"F1": 0.7}, "official": {"F1": 0.7}, "notes": [], "intervals": {"F1": [0.35, 1.0499999999999998]}}',1.795510071972397089e+09,0.35,1.04999999999999982236e+00,'');
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
INSERT INTO "settings" VALUES('identity','db4d0f36361f44b6bc1092d2b35559e5');
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
INSERT INTO "shadows" VALUES('e035c3bccb8e1',2,'r1','cinc2017','',1,'score','done',1.79551007185858821869e+09,1,'',0,'{"cause": "verdict", "verdict": "OK"}','');
INSERT INTO "shadows" VALUES('ec9c0bcecb2a2',2,'r1','cinc2017','',1,'score','done',1.79551007193445467946e+09,1,'',0,'{"cause": "verdict", "verdict": "OK"}','');
INSERT INTO "shadows" VALUES('ed4526559d9db',2,'r1','cinc2017','',1,'score','done',1.7955100719783718586e+09,1,'',0,'{"cause": "verdict", "verdict": "OK"}','');
INSERT INTO "shadows" VALUES('e77a6a095f32f',2,'r1','cinc2017','',1,'score','done',1.79551007189072084424e+09,1,'',0,'{"cause": "verdict", "verdict": "OK"}','');
INSERT INTO "shadows" VALUES('e035c3bccb8e1',3,'r2','cinc2017','',1,'exam','cancelled',1.79551007200658321386e+09,0,'',0,'{"cause": "discarded"}','');
INSERT INTO "shadows" VALUES('ec9c0bcecb2a2',3,'r2','cinc2017','',1,'exam','cancelled',1.79551007200658321386e+09,0,'',0,'{"cause": "discarded"}','');
INSERT INTO "shadows" VALUES('ed4526559d9db',3,'r2','cinc2017','',1,'exam','cancelled',1.79551007200658321386e+09,0,'',0,'{"cause": "discarded"}','');
INSERT INTO "shadows" VALUES('e77a6a095f32f',3,'r2','cinc2017','',1,'exam','cancelled',1.79551007200658321386e+09,0,'',0,'{"cause": "discarded"}','');
INSERT INTO "shadows" VALUES('e035c3bccb8e1',4,'r3','cinc2017','',1,'prep','prep',1.79551007201729226109e+09,0,'',0,'','');
INSERT INTO "shadows" VALUES('ec9c0bcecb2a2',4,'r3','cinc2017','',1,'prep','queued',1.79551007180338644984e+09,0,'',0,'','');
INSERT INTO "shadows" VALUES('ed4526559d9db',4,'r3','cinc2017','',1,'prep','queued',1.79551007180338644984e+09,0,'',0,'','');
INSERT INTO "shadows" VALUES('e77a6a095f32f',4,'r3','cinc2017','',1,'prep','parked',1.7955100720255963802e+09,0,'',0,'{"cause": "challenge", "message": "no score", "stage": "exam"}','');
INSERT INTO "shadows" VALUES('e035c3bccb8e1',5,'r4','cinc2017','',1,'score','queued',1.79551007182317781448e+09,0,'',0,'','');
INSERT INTO "shadows" VALUES('ec9c0bcecb2a2',5,'r4','cinc2017','',1,'score','queued',1.79551007182317781448e+09,0,'',0,'','');
INSERT INTO "shadows" VALUES('ed4526559d9db',5,'r4','cinc2017','',1,'score','queued',1.79551007182317781448e+09,0,'',0,'','');
INSERT INTO "shadows" VALUES('e77a6a095f32f',5,'r4','cinc2017','',1,'score','queued',1.79551007182317781448e+09,0,'',0,'','');
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
INSERT INTO "teams" VALUES('red',1.79551007054284834864e+09);
INSERT INTO "teams" VALUES('Blue',1.79551007055385875707e+09);
INSERT INTO "teams" VALUES('großes Team',1.79551007055775642398e+09);
INSERT INTO "teams" VALUES('green',1.79551007058311319348e+09);
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
CREATE UNIQUE INDEX identities_by_address ON identities (issuer, address);
COMMIT;
