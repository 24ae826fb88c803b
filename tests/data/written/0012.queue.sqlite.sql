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
INSERT INTO "alembic_version" VALUES('0012');
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
INSERT INTO "entries" VALUES('e035c3bccb8e1',1,'cinc2017','red','0.zip','5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9',2,'','done',2,1,1.7955161878181939125e+09,1.79551618823194265362e+09,'old:1',0,'{"cause": "verdict", "verdict": "OK"}','');
INSERT INTO "entries" VALUES('ec9c0bcecb2a2',2,'cinc2017','Blue','1.zip','6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b',2,'','done',2,1,1.79551618782223510739e+09,1.79551618823194265362e+09,'old:1',0,'{"cause": "verdict", "verdict": "OK"}','');
INSERT INTO "entries" VALUES('ed4526559d9db',3,'cinc2017','großes Team','2.zip','d4735e3a265e16eee03f59718b9b5d03019c07d8b6c51f90da3a666eec13ab35',2,'','done',2,1,1.79551618782402563098e+09,1.79551618823194265362e+09,'old:1',0,'{"cause": "verdict", "verdict": "OK"}','');
INSERT INTO "entries" VALUES('eee3a0e44c60b',4,'cinc2017','green','3.zip','4e07408562bedb8b60ce05c1decfe3ad16b72230967de01f640b7e4729b49fce',2,'','done',1,0,1.79551618782590365411e+09,1.79551618799749064447e+09,'old:1',0,'{"cause": "verdict", "verdict": "PREP_ERROR"}','');
INSERT INTO "entries" VALUES('e227944ae22bd',5,'cinc2017','red','4.zip','4b227777d4dd1fc61c6f884f48641d02b4d121d3fd328cb08b5531fcacdabf8a',2,'','done',1,0,1.7955161878377075195e+09,1.7955161880037176609e+09,'old:1',0,'{"cause": "verdict", "verdict": "WRONG_ANSWER"}','');
INSERT INTO "entries" VALUES('e77a6a095f32f',6,'cinc2017','Blue','5.zip','ef2d127de37b942baad06145e54b0c619a1f22327b2ebbcfbec78f5564afe39d',2,'','done',2,1,1.79551618784160852432e+09,1.79551618823194265362e+09,'old:1',0,'{"cause": "verdict", "verdict": "OK"}','');
INSERT INTO "entries" VALUES('ead9741ba7ef7',7,'cinc2017','großes Team','6.zip','e7f6c011776e8db7cd330b54174fd76f7d0216b612387a5ffcfb81e6f0919683',2,'','prep',1,0,1.79551618784558558467e+09,1.79551618789541697499e+09,'old:1',0,'','');
INSERT INTO "entries" VALUES('e0bd1e43fabe9',8,'cinc2017','green','7.zip','7902699be42c8a8e46fbbb4501726517e86b22c56a189f7625a6da49081b2451',2,'','quiz',1,0,1.79551618784965348238e+09,1.79551618803774642942e+09,'old:1',0,'','');
INSERT INTO "entries" VALUES('e85c1da521b94',9,'cinc2017','red','8.zip','2c624232cdd221771294dfbb310aca000a0df6ac8b66b696d90ef06fdefb64a3',2,'','exam',1,1,1.79551618785248303408e+09,1.79551618818361067774e+09,'old:1',0,'{"cause": "retry", "message": "try 2 in 30 s: SandboxFault: the guest is gone", "stage": "exam"}','');
INSERT INTO "entries" VALUES('e22ff431ca677',10,'cinc2017','Blue','9.zip','19581e27de7ced00ff1ce50b2047e7a567c76b1cbaebabe5ef03f7c3017bb5b7',2,'','score',1,1,1.79551618785387015345e+09,1795516188.11319,'old:1',0,'','');
INSERT INTO "entries" VALUES('e7add14e2aec9',11,'cinc2017','großes Team','10.zip','4a44dc15364204a80fe80e9039455cc1608281820fe2b24f1e5233ade6af1dd5',2,'','parked',1,1,1.79551618785497856143e+09,1.79551618813485360142e+09,'old:1',0,'{"cause": "infrastructure", "message": "exam: SandboxFault: the guest is gone", "stage": "exam"}','');
INSERT INTO "entries" VALUES('ec0d639a96d4d',12,'cinc2017','green','11.zip','4fc82b26aecb47d2868c4efbe3581732a3e7cbcc6c2efb32062c08170a05eeb8',2,'','parked',1,1,1.79551618785617184636e+09,1795516188.14669,'old:1',0,'{"cause": "infrastructure", "message": "exam: SandboxFault: the guest is gone", "stage": "exam"}','');
INSERT INTO "entries" VALUES('e61cdec782e70',13,'cinc2017','red','12.zip','6b51d431df5d7f141cbececcf79edf3dd861c3b4069f0b11661a3eefacbba918',2,'','queued',2,1,1.79551618786560797692e+09,1.79551618817332243917e+09,'',0,'','');
INSERT INTO "entries" VALUES('e7a6bd6a6224d',14,'cinc2017','Blue','13.zip','3fdba35f04dc8c462986c992bcf875546257113072a909c162f7e470e581e278',2,'','cancelled',1,1,1.79551618786970376964e+09,1.79551618818139505388e+09,'old:1',0,'{"cause": "organiser"}','');
INSERT INTO "entries" VALUES('e064d0cbd2a30',15,'cinc2017','großes Team','14.zip','8527a891e224136950ff32ca212b45bc93f69fbb801c3b1ebedac52775f99e61',2,'','queued',1,0,1.79551618787116742132e+09,1.79551618787116742132e+09,'',0,'','');
INSERT INTO "entries" VALUES('eb5291caf82f0',16,'cinc2017','green','15.zip','e629fa6598d732768f7c726b4b621285f9c3b85303900aa912017db7617d8bdb',2,'','queued',1,0,1.7955161878732764721e+09,1.7955161878732764721e+09,'',0,'','');
INSERT INTO "entries" VALUES('ef20ae2707c46',17,'cinc2017','red','16.zip','b17ef6d19c7a5b1ee83b907c595526dcb1eb06db8227d650d5dda0a9f4ce8cd9',2,'','queued',1,0,1.79551618787454128267e+09,1.79551618787454128267e+09,'',0,'','');
INSERT INTO "entries" VALUES('e835ab6e28104',18,'cinc2017','Blue','17.zip','4523540f1504cd17100c4835e85b7eefd49911580f8efff0599a8f283be6b9e3',2,'','queued',1,0,1.79551618787570786478e+09,1.79551618787570786478e+09,'',0,'','');
INSERT INTO "entries" VALUES('e815f3f78e740',19,'cinc2017','großes Team','18.zip','4ec9599fc203d176a301536c2e091a19bc852759b255bd6818810a42c5fed14a',2,'','queued',1,0,1.79551618787704062463e+09,1.79551618787704062463e+09,'',0,'','');
INSERT INTO "entries" VALUES('e40da5beb8578',20,'cinc2017','green','19.zip','9400f1b21cb527d7fa3d3eabba93557a18ebe7a2ca4e471cfe5e4c5b4ca7f767',2,'','queued',1,0,1.79551618787942123415e+09,1.79551618787942123415e+09,'',0,'','');
INSERT INTO "entries" VALUES('eb19e260aa4a6',21,'cinc2017','red','20.zip','f5ca38f748a1d6eaf726b8a42fb575c3c71f1864a8143301782de13da2d9202b',2,'','cancelled',1,0,1.7955161878821125031e+09,1.79551618818472218507e+09,'',0,'{"cause": "organiser"}','');
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
INSERT INTO "journal" VALUES(1,1.7955161878181939125e+09,'e035c3bccb8e1','submitted','{"challenge": "cinc2017", "team": "red", "name": "0.zip", "sha256": "5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9", "bytes": 2, "commit": "", "number": 1}','3c3752ddb57ad177fae53f7cdc1b928f32e7ec6127cfd464c7188254cad366dc');
INSERT INTO "journal" VALUES(2,1.79551618782223510739e+09,'ec9c0bcecb2a2','submitted','{"challenge": "cinc2017", "team": "Blue", "name": "1.zip", "sha256": "6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b", "bytes": 2, "commit": "", "number": 2}','fedd813bb44566a0523a4a0348eb7555ed3f8b6b83323e68d8d3561b9d8e48e0');
INSERT INTO "journal" VALUES(3,1.79551618782402563098e+09,'ed4526559d9db','submitted','{"challenge": "cinc2017", "team": "gro\u00dfes Team", "name": "2.zip", "sha256": "d4735e3a265e16eee03f59718b9b5d03019c07d8b6c51f90da3a666eec13ab35", "bytes": 2, "commit": "", "number": 3}','43ba63b444dab35a3873c9fd97c348678c695a577c331c6149808881009a04a5');
INSERT INTO "journal" VALUES(4,1.79551618782590365411e+09,'eee3a0e44c60b','submitted','{"challenge": "cinc2017", "team": "green", "name": "3.zip", "sha256": "4e07408562bedb8b60ce05c1decfe3ad16b72230967de01f640b7e4729b49fce", "bytes": 2, "commit": "", "number": 4}','09fdcff9adcc282385332605a6de9054c3e73f4e5ac80f7e1527ffbfd4b80ff7');
INSERT INTO "journal" VALUES(5,1.7955161878377075195e+09,'e227944ae22bd','submitted','{"challenge": "cinc2017", "team": "red", "name": "4.zip", "sha256": "4b227777d4dd1fc61c6f884f48641d02b4d121d3fd328cb08b5531fcacdabf8a", "bytes": 2, "commit": "", "number": 5}','999c8311fa8798f23a02830a764044dc639b5d901a88bdd03419a48f70381192');
INSERT INTO "journal" VALUES(6,1.79551618784160852432e+09,'e77a6a095f32f','submitted','{"challenge": "cinc2017", "team": "Blue", "name": "5.zip", "sha256": "ef2d127de37b942baad06145e54b0c619a1f22327b2ebbcfbec78f5564afe39d", "bytes": 2, "commit": "", "number": 6}','bdc7fd38251899d3816eefe26f74e6cb3d16283358ec0db7d5966be52c4b3b4d');
INSERT INTO "journal" VALUES(7,1.79551618784558558467e+09,'ead9741ba7ef7','submitted','{"challenge": "cinc2017", "team": "gro\u00dfes Team", "name": "6.zip", "sha256": "e7f6c011776e8db7cd330b54174fd76f7d0216b612387a5ffcfb81e6f0919683", "bytes": 2, "commit": "", "number": 7}','ccc1c514ee9164a859b9c9b32874478ce4165427c355a0180c49bc04e3d88e60');
INSERT INTO "journal" VALUES(8,1.79551618784965348238e+09,'e0bd1e43fabe9','submitted','{"challenge": "cinc2017", "team": "green", "name": "7.zip", "sha256": "7902699be42c8a8e46fbbb4501726517e86b22c56a189f7625a6da49081b2451", "bytes": 2, "commit": "", "number": 8}','0006b6f16c74997e5087e696282ff2497930b149cf556c93a4a529f445fbc310');
INSERT INTO "journal" VALUES(9,1.79551618785248303408e+09,'e85c1da521b94','submitted','{"challenge": "cinc2017", "team": "red", "name": "8.zip", "sha256": "2c624232cdd221771294dfbb310aca000a0df6ac8b66b696d90ef06fdefb64a3", "bytes": 2, "commit": "", "number": 9}','a016b05222c9f2518d258b86be4bf3c1165f648e8ddad5f1ae180c4e31facac6');
INSERT INTO "journal" VALUES(10,1.79551618785387015345e+09,'e22ff431ca677','submitted','{"challenge": "cinc2017", "team": "Blue", "name": "9.zip", "sha256": "19581e27de7ced00ff1ce50b2047e7a567c76b1cbaebabe5ef03f7c3017bb5b7", "bytes": 2, "commit": "", "number": 10}','86302f59f3a2d375bc5ff1e60612d8d87beda82fce34a9cc5c44674d19d0f6f1');
INSERT INTO "journal" VALUES(11,1.79551618785497856143e+09,'e7add14e2aec9','submitted','{"challenge": "cinc2017", "team": "gro\u00dfes Team", "name": "10.zip", "sha256": "4a44dc15364204a80fe80e9039455cc1608281820fe2b24f1e5233ade6af1dd5", "bytes": 2, "commit": "", "number": 11}','046288367233a0728104889cfd6ea9ea5feaf727e669e95c5f93df37af952cb4');
INSERT INTO "journal" VALUES(12,1.79551618785617184636e+09,'ec0d639a96d4d','submitted','{"challenge": "cinc2017", "team": "green", "name": "11.zip", "sha256": "4fc82b26aecb47d2868c4efbe3581732a3e7cbcc6c2efb32062c08170a05eeb8", "bytes": 2, "commit": "", "number": 12}','b85a36126f945960aa1f3057fba3828694cae7098b82b58af867d3873899c96c');
INSERT INTO "journal" VALUES(13,1.79551618786560797692e+09,'e61cdec782e70','submitted','{"challenge": "cinc2017", "team": "red", "name": "12.zip", "sha256": "6b51d431df5d7f141cbececcf79edf3dd861c3b4069f0b11661a3eefacbba918", "bytes": 2, "commit": "", "number": 13}','77d98494516ff97114545655c28f2213038d0eb9b4fbb102d5d73d655dda8c13');
INSERT INTO "journal" VALUES(14,1.79551618786970376964e+09,'e7a6bd6a6224d','submitted','{"challenge": "cinc2017", "team": "Blue", "name": "13.zip", "sha256": "3fdba35f04dc8c462986c992bcf875546257113072a909c162f7e470e581e278", "bytes": 2, "commit": "", "number": 14}','0e15e62d2a2ddac8adcf9b5c85ca66a45ec9ef114b890319ddb61ed8227fb9f9');
INSERT INTO "journal" VALUES(15,1.79551618787116742132e+09,'e064d0cbd2a30','submitted','{"challenge": "cinc2017", "team": "gro\u00dfes Team", "name": "14.zip", "sha256": "8527a891e224136950ff32ca212b45bc93f69fbb801c3b1ebedac52775f99e61", "bytes": 2, "commit": "", "number": 15}','ed325f3297ff3283a69a02c0a8b107b682a94d3ba8f4b9e81a9c182fd77ef435');
INSERT INTO "journal" VALUES(16,1.7955161878732764721e+09,'eb5291caf82f0','submitted','{"challenge": "cinc2017", "team": "green", "name": "15.zip", "sha256": "e629fa6598d732768f7c726b4b621285f9c3b85303900aa912017db7617d8bdb", "bytes": 2, "commit": "", "number": 16}','a687c545b0591ce52360e5c4fdc6cc387c65dac439baeb93ad0670873cb225bc');
INSERT INTO "journal" VALUES(17,1.79551618787454128267e+09,'ef20ae2707c46','submitted','{"challenge": "cinc2017", "team": "red", "name": "16.zip", "sha256": "b17ef6d19c7a5b1ee83b907c595526dcb1eb06db8227d650d5dda0a9f4ce8cd9", "bytes": 2, "commit": "", "number": 17}','1a2547e5aa2b090b34f0fc2ccf2d7024f990ee129b1868390a0de2f4e35841c4');
INSERT INTO "journal" VALUES(18,1.79551618787570786478e+09,'e835ab6e28104','submitted','{"challenge": "cinc2017", "team": "Blue", "name": "17.zip", "sha256": "4523540f1504cd17100c4835e85b7eefd49911580f8efff0599a8f283be6b9e3", "bytes": 2, "commit": "", "number": 18}','bd1c45e074bfbefac0c1d0d89d63cbfd7fa34c4da0da90fa3b0f0cd08e110dc9');
INSERT INTO "journal" VALUES(19,1.79551618787704062463e+09,'e815f3f78e740','submitted','{"challenge": "cinc2017", "team": "gro\u00dfes Team", "name": "18.zip", "sha256": "4ec9599fc203d176a301536c2e091a19bc852759b255bd6818810a42c5fed14a", "bytes": 2, "commit": "", "number": 19}','d4529be6879cdeb11c7d3d26ddce8aee4dd16f78b2394cadd063dc8da2ee5e58');
INSERT INTO "journal" VALUES(20,1.79551618787942123415e+09,'e40da5beb8578','submitted','{"challenge": "cinc2017", "team": "green", "name": "19.zip", "sha256": "9400f1b21cb527d7fa3d3eabba93557a18ebe7a2ca4e471cfe5e4c5b4ca7f767", "bytes": 2, "commit": "", "number": 20}','b4526690dfebf1dd5d212bdad3373782152f35a1d66b70f82af3e96d58a20eff');
INSERT INTO "journal" VALUES(21,1.7955161878821125031e+09,'eb19e260aa4a6','submitted','{"challenge": "cinc2017", "team": "red", "name": "20.zip", "sha256": "f5ca38f748a1d6eaf726b8a42fb575c3c71f1864a8143301782de13da2d9202b", "bytes": 2, "commit": "", "number": 21}','9723207d8a35a51833e66fac3692ac367fdfad301f565d6f1a0d8ab24be9ef61');
INSERT INTO "journal" VALUES(22,1.79551618788864588739e+09,'e035c3bccb8e1','moved','{"to": "prep", "reason": {}, "charged": null}','5f9a4d0f6740e73ecf31eaa301d7c6ef30cb9e9ee9c4c8fd9cfaf3a367247c90');
INSERT INTO "journal" VALUES(23,1.79551618789096164704e+09,'ec9c0bcecb2a2','moved','{"to": "prep", "reason": {}, "charged": null}','cd026d2a18ea2eb55c5355c4b34f8cc47c5b04e248762ef24009c3f25415ba8b');
INSERT INTO "journal" VALUES(24,1.79551618789188337328e+09,'ed4526559d9db','moved','{"to": "prep", "reason": {}, "charged": null}','fbda913b31038628ec674c8c833a6bb577bc1839272e0482bddabe6edd1d073f');
INSERT INTO "journal" VALUES(25,1.7955161878927621841e+09,'eee3a0e44c60b','moved','{"to": "prep", "reason": {}, "charged": null}','54faa0d756e1f14194ff4bf6399f1f67352f2abdc5f8f11bb91ce85df767307f');
INSERT INTO "journal" VALUES(26,1.7955161878937540054e+09,'e227944ae22bd','moved','{"to": "prep", "reason": {}, "charged": null}','7d3d215ef3b377e7c6fad54d01898b5561c12f250abd272547496632eb668611');
INSERT INTO "journal" VALUES(27,1.79551618789463639258e+09,'e77a6a095f32f','moved','{"to": "prep", "reason": {}, "charged": null}','7a177de89628f4e9dae6e5703677c2c88e67886888d02544e3969b3dcf94cd4b');
INSERT INTO "journal" VALUES(28,1.79551618789541697499e+09,'ead9741ba7ef7','moved','{"to": "prep", "reason": {}, "charged": null}','59d08a3e01a4c5927e2e2408bcd0eddf2cb839821378777d1934ea6da019738c');
INSERT INTO "journal" VALUES(29,1.79551618789621257781e+09,'e0bd1e43fabe9','moved','{"to": "prep", "reason": {}, "charged": null}','bba793e485f8818991813a3497d90f006e051db42d28657d9868ad74d52e17f1');
INSERT INTO "journal" VALUES(30,1.79551618789707112316e+09,'e85c1da521b94','moved','{"to": "prep", "reason": {}, "charged": null}','ab2953b447474c2daec2f1f583bd929362d0192dc114a52901bb89deea535d9f');
INSERT INTO "journal" VALUES(31,1.79551618789801645283e+09,'e22ff431ca677','moved','{"to": "prep", "reason": {}, "charged": null}','53fbc6321d6576c91a04a74d6bccc77b0d71cd3640971db0c8748dda644ce8af');
INSERT INTO "journal" VALUES(32,1.79551618789879012102e+09,'e7add14e2aec9','moved','{"to": "prep", "reason": {}, "charged": null}','c415e457980551cccc5bd8818c6b7c78cf079da6bfcfac10588220d8d98ea774');
INSERT INTO "journal" VALUES(33,1.79551618789954066271e+09,'ec0d639a96d4d','moved','{"to": "prep", "reason": {}, "charged": null}','237ccf99dcf5892c4afe2d00221a5f82ca7a6a786068aa8fc7793ad2b863cde3');
INSERT INTO "journal" VALUES(34,1.79551618790038633346e+09,'e61cdec782e70','moved','{"to": "prep", "reason": {}, "charged": null}','f05b6201618a4b5ba1a5bc262f3cd4312f58f3b1822620b1ae913d87b334e0b9');
INSERT INTO "journal" VALUES(35,1.79551618790112566944e+09,'e7a6bd6a6224d','moved','{"to": "prep", "reason": {}, "charged": null}','0ac5da0cfe250882b9ef8bb2af3665f95da57e840eae8c7adc19ab7721039f54');
INSERT INTO "journal" VALUES(36,1.795516187904137373e+09,'e035c3bccb8e1','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','3bb0e7a7153ac634f273606a34e2b728068ce9748d4145762dfdb624b29bb84b');
INSERT INTO "journal" VALUES(37,1.79551618791038823134e+09,'e035c3bccb8e1','moved','{"to": "quiz", "reason": {}, "charged": null}','522ce8e099942559c37113085b146c96a1fbcf9d846694cb88eb2eed465cc0b8');
INSERT INTO "journal" VALUES(38,1.79551618792503476142e+09,'e035c3bccb8e1','result','{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}','31721daa517cd7663d59144c6adf4a8c90df0bfdfe6911047aa2c52d67cb7240');
INSERT INTO "journal" VALUES(39,1.79551618792736530309e+09,'e035c3bccb8e1','moved','{"to": "exam", "reason": {}, "charged": null}','8a686a9fad2e56d81cd2e6eecdce859f75c6d1cb1f0ab4a17c35106ba35f5187');
INSERT INTO "journal" VALUES(40,1.79551618792828083038e+09,'e035c3bccb8e1','charged','{"charged": true}','1fcd5a9224461d7c44e788afd15cea2cb4be327ac418104cc1d8aff6dea50854');
INSERT INTO "journal" VALUES(41,1.79551618793006896972e+09,'e035c3bccb8e1','result','{"stage": "exam", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4"}','e3f5c765f6194e95fb05af0c2c536431f818ee3af0ac1af96ea001ab3aa8870e');
INSERT INTO "journal" VALUES(42,1.7955161879316205979e+09,'e035c3bccb8e1','moved','{"to": "score", "reason": {}, "charged": null}','c89f1c51168f74fc62dbf77390b84a96eb2a07ac559cac5b083c5657317e3166');
INSERT INTO "journal" VALUES(43,1.79551618793282389639e+09,'e035c3bccb8e1','result','{"stage": "score", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}','f64b788b120e9b64de4cd6a751d11ea0aca073d44a07ff3310e03c118891925b');
INSERT INTO "journal" VALUES(44,1.79551618793424296377e+09,'e035c3bccb8e1','score','{"attempt": 1, "key": "F1", "value": 0.5, "low": 0.25, "high": 0.75, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.5}, \"official\": {\"F1\": 0.5}, \"notes\": [], \"intervals\": {\"F1\": [0.25, 0.75]}}"}','b27b8dd6eabd2848db8878dfe3c1b79a671a1dafbdddfc4166f909c79a3dacbc');
INSERT INTO "journal" VALUES(45,1.79551618793706345552e+09,'e035c3bccb8e1','moved','{"to": "done", "reason": {"cause": "verdict", "verdict": "OK"}, "charged": null}','26cbe85a31d1ef821b3b082e70f43525de9080e55f7ab3462232d57496332266');
INSERT INTO "journal" VALUES(46,1.79551618793961811071e+09,'ec9c0bcecb2a2','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','ce8494241eaafd82713dc3049a6bde20c76cf6ec821302bfc6a0e88b671c13c8');
INSERT INTO "journal" VALUES(47,1.79551618794102287295e+09,'ec9c0bcecb2a2','moved','{"to": "quiz", "reason": {}, "charged": null}','d843d982fd73442c82d020dd3b1f398d723718748f7b5e30dd8dc4846d51a693');
INSERT INTO "journal" VALUES(48,1.79551618794217681882e+09,'ec9c0bcecb2a2','result','{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}','483fd415f147691da13b9110cc1cf0740506b3f5ea08536ae41e2fc2048132e7');
INSERT INTO "journal" VALUES(49,1.79551618794356346135e+09,'ec9c0bcecb2a2','moved','{"to": "exam", "reason": {}, "charged": null}','d6f0d2f02ef631c0db7373678e587c8c563bfe474d17cd5a4b5ff316c885d4cf');
INSERT INTO "journal" VALUES(50,1.79551618794445204735e+09,'ec9c0bcecb2a2','charged','{"charged": true}','9afd0806649daddd53a561a90cdf13d36cb8f318e77edcebde23be9831174b97');
INSERT INTO "journal" VALUES(51,1.79551618794532895093e+09,'ec9c0bcecb2a2','result','{"stage": "exam", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4"}','34d5f281287aa308c3d415d9afc5f6094e1596fc5e756b1ab81d9d585eb7211f');
INSERT INTO "journal" VALUES(52,1.79551618795418977737e+09,'ec9c0bcecb2a2','moved','{"to": "score", "reason": {}, "charged": null}','0a92212388ab40167796168156b594583767aea9eef5840f6b69cca31ae3a41f');
INSERT INTO "journal" VALUES(53,1.79551618795554494855e+09,'ec9c0bcecb2a2','result','{"stage": "score", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}','ae182274c2ca6f4a3e7a9ba0583fc3780a9112137bc65b396d9d7bdffa4b6787');
INSERT INTO "journal" VALUES(54,1.79551618795692610741e+09,'ec9c0bcecb2a2','score','{"attempt": 1, "key": "F1", "value": 0.5, "low": 0.25, "high": 0.75, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.5}, \"official\": {\"F1\": 0.5}, \"notes\": [], \"intervals\": {\"F1\": [0.25, 0.75]}}"}','85b37b33f104a6b6bacde23b49613e38adef6a78d55e55e20021a1c76f0a4d74');
INSERT INTO "journal" VALUES(55,1.795516187962448597e+09,'ec9c0bcecb2a2','moved','{"to": "done", "reason": {"cause": "verdict", "verdict": "OK"}, "charged": null}','7af547519d5ef662d261fe91fcd79801965538b4a6aa24d6b802c60ae935c58a');
INSERT INTO "journal" VALUES(56,1.7955161879644844532e+09,'ed4526559d9db','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','f9de15dd6b5a616f1d9b083b43965235e4af82070d828376342002f0049c558f');
INSERT INTO "journal" VALUES(57,1.79551618796831917758e+09,'ed4526559d9db','moved','{"to": "quiz", "reason": {}, "charged": null}','6f5243765cf36197916eb9f2c0159b8604eb55dbea034787153c0763b1de6084');
INSERT INTO "journal" VALUES(58,1.79551618796949768062e+09,'ed4526559d9db','result','{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}','bd49add4c919f5493c1e05275c72b2618ebcc23e56fa7838f06c09fec71a7636');
INSERT INTO "journal" VALUES(59,1.79551618797384858134e+09,'ed4526559d9db','moved','{"to": "exam", "reason": {}, "charged": null}','594db1f86dfb8dc5a15226f8a385c66d293ed299b6963e4db8a014c0157b61ef');
INSERT INTO "journal" VALUES(60,1.79551618798104453082e+09,'ed4526559d9db','charged','{"charged": true}','1816c59790fc363d4e01d8a782ec20784752cfbed278bddc0db42bb9babadb8a');
INSERT INTO "journal" VALUES(61,1.79551618798579096791e+09,'ed4526559d9db','result','{"stage": "exam", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4"}','3c66492c19a231a57285ad8b4ae72b0ce50a95c057630466a4890329e3d62aa5');
INSERT INTO "journal" VALUES(62,1.79551618798870444302e+09,'ed4526559d9db','moved','{"to": "score", "reason": {}, "charged": null}','ce7d59a68e2a6a76b23f4a9edb0afb81579d17af7affd5f2e52329173b36e90e');
INSERT INTO "journal" VALUES(63,1.79551618799042344088e+09,'ed4526559d9db','result','{"stage": "score", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}','6e3ad75d6e7cb8536330d6be37ab3648f65f5a01fbfd332196112b65e801b6ec');
INSERT INTO "journal" VALUES(64,1.79551618799193739893e+09,'ed4526559d9db','score','{"attempt": 1, "key": "F1", "value": 0.5, "low": 0.25, "high": 0.75, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.5}, \"official\": {\"F1\": 0.5}, \"notes\": [], \"intervals\": {\"F1\": [0.25, 0.75]}}"}','7ba22a5cf4b84d2270607f341663d75a95171b2e7252a9469c8d0fbde0311121');
INSERT INTO "journal" VALUES(65,1.79551618799372673029e+09,'ed4526559d9db','moved','{"to": "done", "reason": {"cause": "verdict", "verdict": "OK"}, "charged": null}','77a37b8fb32e6cca28e377dee05d13adeb35614be89062d5eb08742d75d754e1');
INSERT INTO "journal" VALUES(66,1.79551618799578428268e+09,'eee3a0e44c60b','result','{"stage": "prep", "attempt": 1, "verdict": "PREP_ERROR", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:1507d3acde2ad05b52c105667aa22926b12e2664ceb959e1def1ef40760af46e"}','a79aaf219b4ed46b22a80ab88d785584ba545f4bd21f35d47e40f01d2e059131');
INSERT INTO "journal" VALUES(67,1.79551618799749064447e+09,'eee3a0e44c60b','moved','{"to": "done", "reason": {"cause": "verdict", "verdict": "PREP_ERROR"}, "charged": null}','a464e366c309c9efc16c259b4131c62f23edfeb5a2d82cf4db74bbd585cb966c');
INSERT INTO "journal" VALUES(68,1.79551618799943971636e+09,'e227944ae22bd','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','fa4a3ac2e578c0296e15b3736a4e3de56728f90a31035e5afdf124cb4824ada3');
INSERT INTO "journal" VALUES(69,1.7955161880009176731e+09,'e227944ae22bd','moved','{"to": "quiz", "reason": {}, "charged": null}','fd656f37032de71982e30877a2273ccdd3207ed022bf5ad1783b08ea2f7b8c6f');
INSERT INTO "journal" VALUES(70,1.7955161880022056103e+09,'e227944ae22bd','result','{"stage": "quiz", "attempt": 1, "verdict": "WRONG_ANSWER", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:4fe242bb787729374237cf7e5b948646ff64d1d1322ce53b54366dade8351acd"}','77b699f21e5a700455a257a0b212b1f51ecce12417cc041aa8ac6236f5814971');
INSERT INTO "journal" VALUES(71,1.7955161880037176609e+09,'e227944ae22bd','moved','{"to": "done", "reason": {"cause": "verdict", "verdict": "WRONG_ANSWER"}, "charged": null}','8c049e94f060354be5f487bbb7ca90b28c6bd7c94a622de8f9d395d3677e992f');
INSERT INTO "journal" VALUES(72,1.79551618801094365123e+09,'e77a6a095f32f','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','f22c9d9b7b4aa5f7668cddc35f0af60d1ba976e6e8b25da640c7bbae6eca244a');
INSERT INTO "journal" VALUES(73,1795516188.01436,'e77a6a095f32f','moved','{"to": "quiz", "reason": {}, "charged": null}','47e9fccb4044329ab9e297c7ff9334ad4d19bb1d3767b9495f4a9901441dff0f');
INSERT INTO "journal" VALUES(74,1.79551618801726555821e+09,'e77a6a095f32f','result','{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}','7b3f2e177aca33e809559896c6525e367bd0b9d78a9398d364b03377b24888e6');
INSERT INTO "journal" VALUES(75,1.79551618801907038693e+09,'e77a6a095f32f','moved','{"to": "exam", "reason": {}, "charged": null}','b39ac2d43f6abf6d8e1763aeef5d5ee1f032fd99194366405aa1d463cf255c77');
INSERT INTO "journal" VALUES(76,1.79551618802025318146e+09,'e77a6a095f32f','charged','{"charged": true}','0af7c4a9b4733d683af62eb245503bed934f3acb6950bf887d60489d5a790807');
INSERT INTO "journal" VALUES(77,1.79551618802271294597e+09,'e77a6a095f32f','result','{"stage": "exam", "attempt": 1, "verdict": "TIME_LIMIT", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:665f52e08e7257c76de2b5472e0fc32f6f3ca726106bc46624d1723a15e712ab"}','7a9d667e2d0a308b9f112fa95875720408cad94b8cd04f272d0ed14659433432');
INSERT INTO "journal" VALUES(78,1.79551618802985954283e+09,'e77a6a095f32f','moved','{"to": "done", "reason": {"cause": "verdict", "verdict": "TIME_LIMIT"}, "charged": null}','013364364d8f30d72a2fec2c247e381af412b02c37087a7c5d57cdbc814efad8');
INSERT INTO "journal" VALUES(79,1.79551618803420209879e+09,'e0bd1e43fabe9','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','c1cff0dcd455a1a2d140d09e6603066fb9b82fb1bf4e6b512158725e10d5e68f');
INSERT INTO "journal" VALUES(80,1.79551618803774642942e+09,'e0bd1e43fabe9','moved','{"to": "quiz", "reason": {}, "charged": null}','998af45ca3fdfa989da979c534111b710511b8055211c8835938ed1d2d835810');
INSERT INTO "journal" VALUES(81,1.79551618804193687441e+09,'e85c1da521b94','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','49085ad25042300e854f019a178d0daefbb397dc244984225bfff9826f349b66');
INSERT INTO "journal" VALUES(82,1.79551618805395460124e+09,'e85c1da521b94','moved','{"to": "quiz", "reason": {}, "charged": null}','f497f507aa0f74a8f5f3fe55a2e7f0e2ee3acf0ff5739f61219b8f739050a654');
INSERT INTO "journal" VALUES(83,1.79551618806189703944e+09,'e85c1da521b94','result','{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}','48cf24dd7e85be21e168ebdf8e5f939028d9f50cbce045c3ce69268e19220c42');
INSERT INTO "journal" VALUES(84,1.79551618807001137729e+09,'e85c1da521b94','moved','{"to": "exam", "reason": {}, "charged": null}','1872debeb4eb10b1f5b0290e8d24d93f503083b98a817a4a3a34ad74a15dd575');
INSERT INTO "journal" VALUES(85,1.79551618807402896876e+09,'e85c1da521b94','charged','{"charged": true}','8d68cb209bd55fda8eadf37e8497422fd020f1189fd0e37c08fcddd04d857059');
INSERT INTO "journal" VALUES(86,1.79551618808246684069e+09,'e22ff431ca677','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','c03b1f810c64f2353311c6af347dbc0990df37f81d1b65a362824158f6e7e29a');
INSERT INTO "journal" VALUES(87,1.79551618808999848366e+09,'e22ff431ca677','moved','{"to": "quiz", "reason": {}, "charged": null}','b1d6cf4107375ce51a64ee9666e354922b797665e03e9ec1dfd5d2be002c617a');
INSERT INTO "journal" VALUES(88,1.79551618809786820416e+09,'e22ff431ca677','result','{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}','a58fee07d7e1a474a7b3fe3eeaaff6c5943cf4696e92088f60a5bbe1c1e2cda7');
INSERT INTO "journal" VALUES(89,1.79551618810305571561e+09,'e22ff431ca677','moved','{"to": "exam", "reason": {}, "charged": null}','2b05f845254cd04c89f778c2d50c0c8a649e2e816fb9ad5b2c2f291d62bb17ce');
INSERT INTO "journal" VALUES(90,1.7955161881086564064e+09,'e22ff431ca677','charged','{"charged": true}','877ab0503ad5b99a524a9a2e7240ba8423c266c93be66fd377c97c57c42622d1');
INSERT INTO "journal" VALUES(91,1.7955161881100878715e+09,'e22ff431ca677','result','{"stage": "exam", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4"}','3c04ba8a56375d05f5f1ac87100f34e05f5518e677f76ea9f49f4acf5a78e216');
INSERT INTO "journal" VALUES(92,1795516188.11319,'e22ff431ca677','moved','{"to": "score", "reason": {}, "charged": null}','e6cef90e472402544e100cdf94f7d5f8cf245c587a1d13e5421fee2a1d8d0c32');
INSERT INTO "journal" VALUES(93,1.79551618811821246148e+09,'e7add14e2aec9','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','b4b5f61773bf42190f03c0c7130bc212fa378ec1881e578c3a00eb3ebc729ead');
INSERT INTO "journal" VALUES(94,1.79551618812590408321e+09,'e7add14e2aec9','moved','{"to": "quiz", "reason": {}, "charged": null}','7282bb837a703020ad4aafb35e27c721eb6d16c0d627337cc8a2296c7ea7e474');
INSERT INTO "journal" VALUES(95,1.79551618812872099874e+09,'e7add14e2aec9','result','{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}','6d653d54060b87bf8694c329be735f918f32692b9a4e031a6a22eab7b39c8c68');
INSERT INTO "journal" VALUES(96,1.79551618813195109367e+09,'e7add14e2aec9','moved','{"to": "exam", "reason": {}, "charged": null}','a673006e4f31c773d834673f170d0c443333d0ea688850ad111cd35e1fc17fab');
INSERT INTO "journal" VALUES(97,1.79551618813383221618e+09,'e7add14e2aec9','charged','{"charged": true}','9ed309f6762dc1d3d895f34783c65513deae8a1ff5875c114ef0e9015210ff86');
INSERT INTO "journal" VALUES(98,1.79551618813485360142e+09,'e7add14e2aec9','moved','{"to": "parked", "reason": {"cause": "infrastructure", "stage": "exam", "message": "exam: SandboxFault: the guest is gone"}, "charged": null}','69e35f4eebdb6df6c9027a11179812956dc0f2ea8a4ede70d208e11c95da0ecd');
INSERT INTO "journal" VALUES(99,1.79551618813695478436e+09,'ec0d639a96d4d','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','0cb0dc17f6f60816399862f1121942d47fdc405366e5889c2f848f0f7fb4404b');
INSERT INTO "journal" VALUES(100,1.7955161881385395527e+09,'ec0d639a96d4d','moved','{"to": "quiz", "reason": {}, "charged": null}','8329a741deceadc52c1fed812bff0ac1878a9998885c858e695a472b4d9340a9');
INSERT INTO "journal" VALUES(101,1.7955161881400108337e+09,'ec0d639a96d4d','result','{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}','8f906eaa7f299e7c0876a9cff170eae7bf85bf9a68dd5d7d4bb2d1f6f87caa13');
INSERT INTO "journal" VALUES(102,1.79551618814292764667e+09,'ec0d639a96d4d','moved','{"to": "exam", "reason": {}, "charged": null}','37cbc3cb69d8b076e69028497ef580f21340e9b2f31a8b070b1bf3afe03609f1');
INSERT INTO "journal" VALUES(103,1.79551618814395928377e+09,'ec0d639a96d4d','charged','{"charged": true}','e947304e7ef82467125000e86a606e3f4f86787eea6a8c341e56d7908de37ef3');
INSERT INTO "journal" VALUES(104,1795516188.14669,'ec0d639a96d4d','moved','{"to": "parked", "reason": {"cause": "infrastructure", "stage": "exam", "message": "exam: SandboxFault: the guest is gone"}, "charged": null}','8d9ed314fb2a23f375c7d5f0d33ad804e10052cf3e3d39c8cc4086e124f8f22b');
INSERT INTO "journal" VALUES(105,1.79551618814963436128e+09,'e61cdec782e70','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','24978b14932967db29c9851b95eb2a189a06fb71b36df1dbe9fb0305a7be3ed4');
INSERT INTO "journal" VALUES(106,1.79551618815128183372e+09,'e61cdec782e70','moved','{"to": "quiz", "reason": {}, "charged": null}','30ba3cdfff7c7ecdb381867c9e4d142904ce829513ad1fb99fd103fd2fec5744');
INSERT INTO "journal" VALUES(107,1.79551618815309381484e+09,'e61cdec782e70','result','{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}','347b18c9ce013306ed16730cba13743d5a8719034287ae17cafec7ae86dceeb0');
INSERT INTO "journal" VALUES(108,1.79551618816198086739e+09,'e61cdec782e70','moved','{"to": "exam", "reason": {}, "charged": null}','359dd1d62e23bcd2c558c5f8b6ffe556a3953d5ece1d824554554895c1cbf1ca');
INSERT INTO "journal" VALUES(109,1.79551618816994667049e+09,'e61cdec782e70','charged','{"charged": true}','f84af4d817d5f82bbd169274465248ff77aac99fc18bb4509b07a4e8734ccb9b');
INSERT INTO "journal" VALUES(110,1.79551618817122077935e+09,'e61cdec782e70','moved','{"to": "parked", "reason": {"cause": "infrastructure", "stage": "exam", "message": "exam: SandboxFault: the guest is gone"}, "charged": null}','cd1927e3fa211361ae16111a5cb266d6459f4d7644d05c1cafc64cfdca5b47bf');
INSERT INTO "journal" VALUES(111,1.79551618817332243917e+09,'e61cdec782e70','retried','{"attempt": 2}','30e9f58f88067a806a29c1111da20e793ea19c0c6dcfab5a23ff4c6b7cebd3cd');
INSERT INTO "journal" VALUES(112,1.79551618817530775069e+09,'e7a6bd6a6224d','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','aed3e0f57f85089c857993d2c27e7425aee70dd55af74e11d4ac66d043177310');
INSERT INTO "journal" VALUES(113,1.79551618817684674259e+09,'e7a6bd6a6224d','moved','{"to": "quiz", "reason": {}, "charged": null}','189181e15a8e3a482d7feea395532851d40591dec16430a6346d05eee4993539');
INSERT INTO "journal" VALUES(114,1.79551618817787289614e+09,'e7a6bd6a6224d','result','{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}','ad54d69af49a3ba0045482a896cf01cf01236e25e515e3edc24b3d9e755e2813');
INSERT INTO "journal" VALUES(115,1.79551618817944049835e+09,'e7a6bd6a6224d','moved','{"to": "exam", "reason": {}, "charged": null}','23f9588715e5ca6ce5584571537850b3ec825112013b087544fc367ccf6640e7');
INSERT INTO "journal" VALUES(116,1.79551618818044471737e+09,'e7a6bd6a6224d','charged','{"charged": true}','8f296d080977916c99321aadeacca0d3969d66b994dcfb5cf0b8d308fd0c806b');
INSERT INTO "journal" VALUES(117,1.79551618818139505388e+09,'e7a6bd6a6224d','moved','{"to": "cancelled", "reason": {"cause": "organiser"}, "charged": null}','cead6fad32ccb432a8f1cfa1d965c66d4fa375fd1d5f65b4d48c7a3c4ef11778');
INSERT INTO "journal" VALUES(118,1.79551618818361067774e+09,'e85c1da521b94','moved','{"to": "exam", "reason": {"cause": "retry", "stage": "exam", "message": "try 2 in 30 s: SandboxFault: the guest is gone"}, "charged": null}','52c6b979c6448d2b1da65f769fe651d0bc845cea8bd4336ae89d0a5c9fbeef63');
INSERT INTO "journal" VALUES(119,1.79551618818472218507e+09,'eb19e260aa4a6','moved','{"to": "cancelled", "reason": {"cause": "organiser"}, "charged": null}','fe74384c052aefe6d6504ba39819b50ce89b8b5b678dcc367a190b9d97231930');
INSERT INTO "journal" VALUES(120,1.79551618819383645053e+09,'e035c3bccb8e1','shadowed','{"attempt": 2, "purpose": "r1", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}','747180786e314cc0e4dd220c11209a55d19dfe0cf3c11ad3936e5a34e8621c0f');
INSERT INTO "journal" VALUES(121,1.79551618819383645053e+09,'ec9c0bcecb2a2','shadowed','{"attempt": 2, "purpose": "r1", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}','1cd2c4bdf011d390e711df3d416b97b7fa4b6183a7135190ebbde91e73457e85');
INSERT INTO "journal" VALUES(122,1.79551618819383645053e+09,'ed4526559d9db','shadowed','{"attempt": 2, "purpose": "r1", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}','ef27d88d5ed0f2c9472b9be3d37b11c4aeccb7f1beaa3434b778d6727c1e4356');
INSERT INTO "journal" VALUES(123,1.79551618819383645053e+09,'e77a6a095f32f','shadowed','{"attempt": 2, "purpose": "r1", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}','c45d6502ae49e2f79498d33b8e13950c87ff80f48954465688f45edcd887b4b6');
INSERT INTO "journal" VALUES(124,1.7955161881993837356e+09,'e035c3bccb8e1','shadowed','{"attempt": 3, "purpose": "r2", "challenge": "cinc2017", "references": "", "base": 1, "first": "exam"}','cc37a961f10af0113000e900dcdff6810acb8c4ccc5f65ea34997f8186804bd7');
INSERT INTO "journal" VALUES(125,1.7955161881993837356e+09,'ec9c0bcecb2a2','shadowed','{"attempt": 3, "purpose": "r2", "challenge": "cinc2017", "references": "", "base": 1, "first": "exam"}','00d22a37c486216ad97b0e22940242763f5a02f31dd21350a9e270845c3400d7');
INSERT INTO "journal" VALUES(126,1.7955161881993837356e+09,'ed4526559d9db','shadowed','{"attempt": 3, "purpose": "r2", "challenge": "cinc2017", "references": "", "base": 1, "first": "exam"}','a16338812af13350ec0e0a2e747435081e1fdf99e6c849fb346d24b860b18a86');
INSERT INTO "journal" VALUES(127,1.7955161881993837356e+09,'e77a6a095f32f','shadowed','{"attempt": 3, "purpose": "r2", "challenge": "cinc2017", "references": "", "base": 1, "first": "exam"}','615910192be8d83b1f579faef167008bccb3dc5fead571792114c1e5e9dcf832');
INSERT INTO "journal" VALUES(128,1.79551618820357632632e+09,'e035c3bccb8e1','shadowed','{"attempt": 4, "purpose": "r3", "challenge": "cinc2017", "references": "", "base": 1, "first": "prep"}','9001f03a2e34614ba8891098f183a2acf398ff0ef59ef5dcff823dbbb7ef324a');
INSERT INTO "journal" VALUES(129,1.79551618820357632632e+09,'ec9c0bcecb2a2','shadowed','{"attempt": 4, "purpose": "r3", "challenge": "cinc2017", "references": "", "base": 1, "first": "prep"}','cd77a3b0424eec8648cadea1f6b11fa34acd9e2765940ea7cbf21895ec4045ea');
INSERT INTO "journal" VALUES(130,1.79551618820357632632e+09,'ed4526559d9db','shadowed','{"attempt": 4, "purpose": "r3", "challenge": "cinc2017", "references": "", "base": 1, "first": "prep"}','88a1b92652014c30c21d4388ad09acbc538acc20a39bfa47933d00cc03ecd09b');
INSERT INTO "journal" VALUES(131,1.79551618820357632632e+09,'e77a6a095f32f','shadowed','{"attempt": 4, "purpose": "r3", "challenge": "cinc2017", "references": "", "base": 1, "first": "prep"}','181bd1bf09f622374442bece79de51a2f8326e7f36871ec2bcc6a904cb3e22a5');
INSERT INTO "journal" VALUES(132,1.79551618820735764498e+09,'e035c3bccb8e1','shadowed','{"attempt": 5, "purpose": "r4", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}','df7522c7a11c51c3648fd8658152dc395c8966cee5b550bdbd547a46aef031e8');
INSERT INTO "journal" VALUES(133,1.79551618820735764498e+09,'ec9c0bcecb2a2','shadowed','{"attempt": 5, "purpose": "r4", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}','11a9fe1710961937c162924f5fd14378ba30824426411c99a8872e3396f1d091');
INSERT INTO "journal" VALUES(134,1.79551618820735764498e+09,'ed4526559d9db','shadowed','{"attempt": 5, "purpose": "r4", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}','9b6c91fa2b1c0a501add6d53d954e78e1db1d009e9e4cc96b15f5761ca7fbb43');
INSERT INTO "journal" VALUES(135,1.79551618820735764498e+09,'e77a6a095f32f','shadowed','{"attempt": 5, "purpose": "r4", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}','e97a5c7721a4e2c8370a5f91eb9ba1f973f32ec0bb37783b87683de890735005');
INSERT INTO "journal" VALUES(136,1.7955161882113239765e+09,'e035c3bccb8e1','shadow-moved','{"attempt": 2, "to": "score", "reason": {}}','4f7f2d81b6fa778af40861717814bbc8bddee86f2eceb75d1b04a4cb0a0507bb');
INSERT INTO "journal" VALUES(137,1.79551618821274781229e+09,'e035c3bccb8e1','result','{"stage": "score", "attempt": 2, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}','bf97808037efc66138bf0141db111b2527390e6bf44836e0f75a8f52fdc54c08');
INSERT INTO "journal" VALUES(138,1.79551618821457695954e+09,'e035c3bccb8e1','score','{"attempt": 2, "key": "F1", "value": 0.7, "low": 0.35, "high": 1.0499999999999998, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.7}, \"official\": {\"F1\": 0.7}, \"notes\": [], \"intervals\": {\"F1\": [0.35, 1.0499999999999998]}}"}','0d0f215d8d9d880796d0aa46027021254b2045dbd621e79e323240d8a6d6027f');
INSERT INTO "journal" VALUES(139,1.79551618821607899666e+09,'e035c3bccb8e1','shadow-moved','{"attempt": 2, "to": "done", "reason": {"cause": "verdict", "verdict": "OK"}}','9c110973792093997fbb57a19736a006d089006388fb715036c24539f903035a');
INSERT INTO "journal" VALUES(140,1.79551618821727418896e+09,'e77a6a095f32f','shadow-moved','{"attempt": 2, "to": "score", "reason": {}}','2fac224f80f3ec0b8d46950b7aaa424dcff4aa8a3f3aedfc7ee4cf82f12a4e94');
INSERT INTO "journal" VALUES(141,1795516188.21821,'e77a6a095f32f','result','{"stage": "score", "attempt": 2, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}','8d3a8ce961c64d77fdd7a04b0e08cf79f57eb973cdb16e16817d72639ff720e5');
INSERT INTO "journal" VALUES(142,1.79551618821950984003e+09,'e77a6a095f32f','score','{"attempt": 2, "key": "F1", "value": 0.7, "low": 0.35, "high": 1.0499999999999998, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.7}, \"official\": {\"F1\": 0.7}, \"notes\": [], \"intervals\": {\"F1\": [0.35, 1.0499999999999998]}}"}','81aa802e8e49974b985b8dd4e4902bfaee1859dd48c3dd2f7c77db9c546b5e3e');
INSERT INTO "journal" VALUES(143,1.79551618822100019457e+09,'e77a6a095f32f','shadow-moved','{"attempt": 2, "to": "done", "reason": {"cause": "verdict", "verdict": "OK"}}','1b1d9459f400d2be1da5fb87049c30ec6e75ad0528ec88fbae378a4aef37ba39');
INSERT INTO "journal" VALUES(144,1.79551618822205471997e+09,'ec9c0bcecb2a2','shadow-moved','{"attempt": 2, "to": "score", "reason": {}}','d52840b6888a8f16da82520e74b827d30e9dc74510c5a9c1a8986e5fc2adff6c');
INSERT INTO "journal" VALUES(145,1.79551618822290253631e+09,'ec9c0bcecb2a2','result','{"stage": "score", "attempt": 2, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}','953b44d5a5b4f7567cf1aa701b25878f66e37b7f18078190c851f60ab3eab727');
INSERT INTO "journal" VALUES(146,1.79551618822416877746e+09,'ec9c0bcecb2a2','score','{"attempt": 2, "key": "F1", "value": 0.7, "low": 0.35, "high": 1.0499999999999998, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.7}, \"official\": {\"F1\": 0.7}, \"notes\": [], \"intervals\": {\"F1\": [0.35, 1.0499999999999998]}}"}','4dbe62df05519783ac24da691a2f40e7a8485094bb4261ad055d928a3b545d4c');
INSERT INTO "journal" VALUES(147,1.79551618822557735441e+09,'ec9c0bcecb2a2','shadow-moved','{"attempt": 2, "to": "done", "reason": {"cause": "verdict", "verdict": "OK"}}','a7079152cc1a43e57b5fe19dd77276028fcdac85f4efdf37f49aad059cbbe2bb');
INSERT INTO "journal" VALUES(148,1.7955161882265896797e+09,'ed4526559d9db','shadow-moved','{"attempt": 2, "to": "score", "reason": {}}','d8b7816f0061617e4ec931d027ff747841fb15861b18710c6fad23fa78655a4c');
INSERT INTO "journal" VALUES(149,1.79551618822742629051e+09,'ed4526559d9db','result','{"stage": "score", "attempt": 2, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}','a4b06b6c5bcadbcb7345594bfad912a1bf2112c68aef84dad5b0bbd5467a4a76');
INSERT INTO "journal" VALUES(150,1.79551618822860145564e+09,'ed4526559d9db','score','{"attempt": 2, "key": "F1", "value": 0.7, "low": 0.35, "high": 1.0499999999999998, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.7}, \"official\": {\"F1\": 0.7}, \"notes\": [], \"intervals\": {\"F1\": [0.35, 1.0499999999999998]}}"}','bfdf184ddaf8e6239039ef2bebff4b06fe74f34eb7ad1759b78d9e6ba0078a53');
INSERT INTO "journal" VALUES(151,1.79551618822997403144e+09,'ed4526559d9db','shadow-moved','{"attempt": 2, "to": "done", "reason": {"cause": "verdict", "verdict": "OK"}}','e7c7049ce4778f465d40a026e7d9dad635de5873943b373287f1b6197c9400c4');
INSERT INTO "journal" VALUES(152,1.79551618823194265362e+09,'e035c3bccb8e1','adopted','{"attempt": 2}','2c20a88358503615ff9624c5b3f6a6d0f750f11a28c9b1d126a6182beacd7feb');
INSERT INTO "journal" VALUES(153,1.79551618823194265362e+09,'ec9c0bcecb2a2','adopted','{"attempt": 2}','7458baab732b9b669e311ea8071b0159873f86fa514a79e121ade01c6e9ef3a9');
INSERT INTO "journal" VALUES(154,1.79551618823194265362e+09,'ed4526559d9db','adopted','{"attempt": 2}','5c9f9313d8046d2cc3c02c827c21dd681aa13574711345e8bdf81a6876312803');
INSERT INTO "journal" VALUES(155,1.79551618823194265362e+09,'e77a6a095f32f','adopted','{"attempt": 2}','151f5e048cb1a95a035794fb562594fd63954d80a53f86753d772e0c217fe6ee');
INSERT INTO "journal" VALUES(156,1.79551618823401594156e+09,'','set','{"key": "judged:df8f8b76e13c7ad5b828e970c28f9e275d27057fcaac2c0c21858d10aea45dc7", "value": "{\"challenge\": \"cinc2017\", \"data\": [\"\"]}"}','d96db9fd6ee4b6d9fa03bff3960eaf868bebcd97768e64c00dad06a3a1deab20');
INSERT INTO "journal" VALUES(157,1.79551618823610377312e+09,'e035c3bccb8e1','shadow-moved','{"attempt": 3, "to": "cancelled", "reason": {"cause": "discarded"}}','c28484b20f8820368d1f4dae4c46e229700cdf22b54eebe199256f9a9559350a');
INSERT INTO "journal" VALUES(158,1.79551618823610377312e+09,'ec9c0bcecb2a2','shadow-moved','{"attempt": 3, "to": "cancelled", "reason": {"cause": "discarded"}}','9f075cdf37df88f763071a36aeea5563c06900aeb63b5df47dcc48b63c365ce0');
INSERT INTO "journal" VALUES(159,1.79551618823610377312e+09,'ed4526559d9db','shadow-moved','{"attempt": 3, "to": "cancelled", "reason": {"cause": "discarded"}}','758c79ff1b74b68b647c47631546014fb71a59b88918d020348ceeb957b63e10');
INSERT INTO "journal" VALUES(160,1.79551618823610377312e+09,'e77a6a095f32f','shadow-moved','{"attempt": 3, "to": "cancelled", "reason": {"cause": "discarded"}}','5c557b795f2fb6c41c6a72ab5d20012c2345c23e4f23599ba901ebe1fc442f2a');
INSERT INTO "journal" VALUES(161,1795516188.23787,'e035c3bccb8e1','shadow-moved','{"attempt": 4, "to": "prep", "reason": {}}','454126a25215a16ef0b439423c7b46f84d168daf4a0592bec4246fdfa4433fd1');
INSERT INTO "journal" VALUES(162,1.79551618823903155327e+09,'e77a6a095f32f','shadow-moved','{"attempt": 4, "to": "parked", "reason": {"cause": "challenge", "stage": "exam", "message": "no score"}}','c31b68330999ab2f4245633feeab182d5a97998699b3b82ff5ba12a6f37f8fc8');
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
INSERT INTO "results" VALUES('e035c3bccb8e1',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.795516187904137373e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',1,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551618792503476142e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',1,'exam','OK',5,0.5,'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4',1.79551618793006896972e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',1,'score','OK',5,0.5,'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020',1.79551618793282389639e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551618793961811071e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',1,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551618794217681882e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',1,'exam','OK',5,0.5,'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4',1.79551618794532895093e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',1,'score','OK',5,0.5,'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020',1.79551618795554494855e+09);
INSERT INTO "results" VALUES('ed4526559d9db',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.7955161879644844532e+09);
INSERT INTO "results" VALUES('ed4526559d9db',1,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551618796949768062e+09);
INSERT INTO "results" VALUES('ed4526559d9db',1,'exam','OK',5,0.5,'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4',1.79551618798579096791e+09);
INSERT INTO "results" VALUES('ed4526559d9db',1,'score','OK',5,0.5,'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020',1.79551618799042344088e+09);
INSERT INTO "results" VALUES('eee3a0e44c60b',1,'prep','PREP_ERROR',5,0.5,'sha256:1507d3acde2ad05b52c105667aa22926b12e2664ceb959e1def1ef40760af46e',1.79551618799578428268e+09);
INSERT INTO "results" VALUES('e227944ae22bd',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551618799943971636e+09);
INSERT INTO "results" VALUES('e227944ae22bd',1,'quiz','WRONG_ANSWER',5,0.5,'sha256:4fe242bb787729374237cf7e5b948646ff64d1d1322ce53b54366dade8351acd',1.7955161880022056103e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551618801094365123e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',1,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551618801726555821e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',1,'exam','TIME_LIMIT',5,0.5,'sha256:665f52e08e7257c76de2b5472e0fc32f6f3ca726106bc46624d1723a15e712ab',1.79551618802271294597e+09);
INSERT INTO "results" VALUES('e0bd1e43fabe9',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551618803420209879e+09);
INSERT INTO "results" VALUES('e85c1da521b94',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551618804193687441e+09);
INSERT INTO "results" VALUES('e85c1da521b94',1,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551618806189703944e+09);
INSERT INTO "results" VALUES('e22ff431ca677',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551618808246684069e+09);
INSERT INTO "results" VALUES('e22ff431ca677',1,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551618809786820416e+09);
INSERT INTO "results" VALUES('e22ff431ca677',1,'exam','OK',5,0.5,'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4',1.7955161881100878715e+09);
INSERT INTO "results" VALUES('e7add14e2aec9',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551618811821246148e+09);
INSERT INTO "results" VALUES('e7add14e2aec9',1,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551618812872099874e+09);
INSERT INTO "results" VALUES('ec0d639a96d4d',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551618813695478436e+09);
INSERT INTO "results" VALUES('ec0d639a96d4d',1,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.7955161881400108337e+09);
INSERT INTO "results" VALUES('e61cdec782e70',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551618814963436128e+09);
INSERT INTO "results" VALUES('e61cdec782e70',1,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551618815309381484e+09);
INSERT INTO "results" VALUES('e7a6bd6a6224d',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551618817530775069e+09);
INSERT INTO "results" VALUES('e7a6bd6a6224d',1,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551618817787289614e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',2,'exam','OK',5,0.5,'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4',1.79551618793006896972e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',2,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.795516187904137373e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',2,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551618792503476142e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',2,'exam','OK',5,0.5,'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4',1.79551618794532895093e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',2,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551618793961811071e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',2,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551618794217681882e+09);
INSERT INTO "results" VALUES('ed4526559d9db',2,'exam','OK',5,0.5,'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4',1.79551618798579096791e+09);
INSERT INTO "results" VALUES('ed4526559d9db',2,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.7955161879644844532e+09);
INSERT INTO "results" VALUES('ed4526559d9db',2,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551618796949768062e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',2,'exam','TIME_LIMIT',5,0.5,'sha256:665f52e08e7257c76de2b5472e0fc32f6f3ca726106bc46624d1723a15e712ab',1.79551618802271294597e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',2,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551618801094365123e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',2,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551618801726555821e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',3,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.795516187904137373e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',3,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551618792503476142e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',3,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551618793961811071e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',3,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551618794217681882e+09);
INSERT INTO "results" VALUES('ed4526559d9db',3,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.7955161879644844532e+09);
INSERT INTO "results" VALUES('ed4526559d9db',3,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551618796949768062e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',3,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551618801094365123e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',3,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551618801726555821e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',5,'exam','OK',5,0.5,'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4',1.79551618793006896972e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',5,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.795516187904137373e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',5,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551618792503476142e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',5,'exam','OK',5,0.5,'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4',1.79551618794532895093e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',5,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551618793961811071e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',5,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551618794217681882e+09);
INSERT INTO "results" VALUES('ed4526559d9db',5,'exam','OK',5,0.5,'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4',1.79551618798579096791e+09);
INSERT INTO "results" VALUES('ed4526559d9db',5,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.7955161879644844532e+09);
INSERT INTO "results" VALUES('ed4526559d9db',5,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551618796949768062e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',5,'exam','TIME_LIMIT',5,0.5,'sha256:665f52e08e7257c76de2b5472e0fc32f6f3ca726106bc46624d1723a15e712ab',1.79551618802271294597e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',5,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79551618801094365123e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',5,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79551618801726555821e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',2,'score','OK',5,0.5,'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020',1.79551618821274781229e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',2,'score','OK',5,0.5,'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020',1795516188.21821);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',2,'score','OK',5,0.5,'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020',1.79551618822290253631e+09);
INSERT INTO "results" VALUES('ed4526559d9db',2,'score','OK',5,0.5,'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020',1.79551618822742629051e+09);
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
INSERT INTO "scores" VALUES('e035c3bccb8e1',1,'F1',0.5,'{"primary": "F1", "values": {"F1": 0.5}, "official": {"F1": 0.5}, "notes": [], "intervals": {"F1": [0.25, 0.75]}}',1.79551618793424296377e+09,0.25,0.75,'');
INSERT INTO "scores" VALUES('ec9c0bcecb2a2',1,'F1',0.5,'{"primary": "F1", "values": {"F1": 0.5}, "official": {"F1": 0.5}, "notes": [], "intervals": {"F1": [0.25, 0.75]}}',1.79551618795692610741e+09,0.25,0.75,'');
INSERT INTO "scores" VALUES('ed4526559d9db',1,'F1',0.5,'{"primary": "F1", "values": {"F1": 0.5}, "official": {"F1": 0.5}, "notes": [], "intervals": {"F1": [0.25, 0.75]}}',1.79551618799193739893e+09,0.25,0.75,'');
INSERT INTO "scores" VALUES('e035c3bccb8e1',2,'F1',0.7,'{"primary": "F1", "values": {"F1": 0.7}, "official": {"F1": 0.7}, "notes": [], "intervals": {"F1": [0.35, 1.0499999999999998]}}',1.79551618821457695954e+09,0.35,1.04999999999999982236e+00,'');
INSERT INTO "scores" VALUES('e77a6a095f32f',2,'F1',0.7,'{"primary": "F1", "values": {"F1": 0.7}, "official": {"F1": 0.7}, "notes": [], "intervals": {"F1": [0.35, 1.0499999999999998]}}',1.79551618821950984003e+09,0.35,1.04999999999999982236e+00,'');
INSERT INTO "scores" VALUES('ec9c0bcecb2a2',2,'F1',0.7,'{"primary": "F1", "values": {"F1": 0.7}, "official": {"F1": 0.7}, "notes": [], "intervals": {"F1": [0.35, 1.0499999999999998]}}',1.79551618822416877746e+09,0.35,1.04999999999999982236e+00,'');
INSERT INTO "scores" VALUES('ed4526559d9db',2,'F1',0.7,'{"primary": "F1", "values": {"F1": 0.7}, "official": {"F1": 0.7}, "notes": [], "intervals": {"F1": [0.35, 1.0499999999999998]}}',1.79551618822860145564e+09,0.35,1.04999999999999982236e+00,'');
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
INSERT INTO "settings" VALUES('identity','339ef1d269ed41c5b2b86174017f011a');
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
INSERT INTO "shadows" VALUES('e035c3bccb8e1',2,'r1','cinc2017','',1,'score','done',1.79551618821607899666e+09,1,'',0,'{"cause": "verdict", "verdict": "OK"}','');
INSERT INTO "shadows" VALUES('ec9c0bcecb2a2',2,'r1','cinc2017','',1,'score','done',1.79551618822557735441e+09,1,'',0,'{"cause": "verdict", "verdict": "OK"}','');
INSERT INTO "shadows" VALUES('ed4526559d9db',2,'r1','cinc2017','',1,'score','done',1.79551618822997403144e+09,1,'',0,'{"cause": "verdict", "verdict": "OK"}','');
INSERT INTO "shadows" VALUES('e77a6a095f32f',2,'r1','cinc2017','',1,'score','done',1.79551618822100019457e+09,1,'',0,'{"cause": "verdict", "verdict": "OK"}','');
INSERT INTO "shadows" VALUES('e035c3bccb8e1',3,'r2','cinc2017','',1,'exam','cancelled',1.79551618823610377312e+09,0,'',0,'{"cause": "discarded"}','');
INSERT INTO "shadows" VALUES('ec9c0bcecb2a2',3,'r2','cinc2017','',1,'exam','cancelled',1.79551618823610377312e+09,0,'',0,'{"cause": "discarded"}','');
INSERT INTO "shadows" VALUES('ed4526559d9db',3,'r2','cinc2017','',1,'exam','cancelled',1.79551618823610377312e+09,0,'',0,'{"cause": "discarded"}','');
INSERT INTO "shadows" VALUES('e77a6a095f32f',3,'r2','cinc2017','',1,'exam','cancelled',1.79551618823610377312e+09,0,'',0,'{"cause": "discarded"}','');
INSERT INTO "shadows" VALUES('e035c3bccb8e1',4,'r3','cinc2017','',1,'prep','prep',1795516188.23787,0,'',0,'','');
INSERT INTO "shadows" VALUES('ec9c0bcecb2a2',4,'r3','cinc2017','',1,'prep','queued',1.79551618820357632632e+09,0,'',0,'','');
INSERT INTO "shadows" VALUES('ed4526559d9db',4,'r3','cinc2017','',1,'prep','queued',1.79551618820357632632e+09,0,'',0,'','');
INSERT INTO "shadows" VALUES('e77a6a095f32f',4,'r3','cinc2017','',1,'prep','parked',1.79551618823903155327e+09,0,'',0,'{"cause": "challenge", "message": "no score", "stage": "exam"}','');
INSERT INTO "shadows" VALUES('e035c3bccb8e1',5,'r4','cinc2017','',1,'score','queued',1.79551618820735764498e+09,0,'',0,'','');
INSERT INTO "shadows" VALUES('ec9c0bcecb2a2',5,'r4','cinc2017','',1,'score','queued',1.79551618820735764498e+09,0,'',0,'','');
INSERT INTO "shadows" VALUES('ed4526559d9db',5,'r4','cinc2017','',1,'score','queued',1.79551618820735764498e+09,0,'',0,'','');
INSERT INTO "shadows" VALUES('e77a6a095f32f',5,'r4','cinc2017','',1,'score','queued',1.79551618820735764498e+09,0,'',0,'','');
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
INSERT INTO "teams" VALUES('red',1.7955161878181939125e+09);
INSERT INTO "teams" VALUES('Blue',1.79551618782223510739e+09);
INSERT INTO "teams" VALUES('großes Team',1.79551618782402563098e+09);
INSERT INTO "teams" VALUES('green',1.79551618782590365411e+09);
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
COMMIT;
