BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0007');
CREATE TABLE answers (
	address VARCHAR(320) NOT NULL, 
	"key" VARCHAR(255) NOT NULL, 
	request VARCHAR(64) NOT NULL, 
	status INTEGER NOT NULL, 
	body TEXT NOT NULL, 
	at FLOAT NOT NULL, 
	PRIMARY KEY (address, "key")
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
INSERT INTO "entries" VALUES('e035c3bccb8e1',1,'cinc2017','red','0.zip','5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9',2,'','done',2,1,1.79544627401309847829e+09,1.79544627700736880303e+09,'old:1',0,'{"cause": "verdict", "verdict": "OK"}','');
INSERT INTO "entries" VALUES('ec9c0bcecb2a2',2,'cinc2017','Blue','1.zip','6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b',2,'','done',2,1,1.79544627406746149064e+09,1.79544627700736880303e+09,'old:1',0,'{"cause": "verdict", "verdict": "OK"}','');
INSERT INTO "entries" VALUES('ed4526559d9db',3,'cinc2017','großes Team','2.zip','d4735e3a265e16eee03f59718b9b5d03019c07d8b6c51f90da3a666eec13ab35',2,'','done',2,1,1.79544627409654164312e+09,1.79544627700736880303e+09,'old:1',0,'{"cause": "verdict", "verdict": "OK"}','');
INSERT INTO "entries" VALUES('eee3a0e44c60b',4,'cinc2017','green','3.zip','4e07408562bedb8b60ce05c1decfe3ad16b72230967de01f640b7e4729b49fce',2,'','done',1,0,1.79544627411983561508e+09,1.79544627547237086295e+09,'old:1',0,'{"cause": "verdict", "verdict": "PREP_ERROR"}','');
INSERT INTO "entries" VALUES('e227944ae22bd',5,'cinc2017','red','4.zip','4b227777d4dd1fc61c6f884f48641d02b4d121d3fd328cb08b5531fcacdabf8a',2,'','done',1,0,1.7954462741354045868e+09,1.79544627555278301237e+09,'old:1',0,'{"cause": "verdict", "verdict": "WRONG_ANSWER"}','');
INSERT INTO "entries" VALUES('e77a6a095f32f',6,'cinc2017','Blue','5.zip','ef2d127de37b942baad06145e54b0c619a1f22327b2ebbcfbec78f5564afe39d',2,'','done',2,1,1.79544627415944552419e+09,1.79544627700736880303e+09,'old:1',0,'{"cause": "verdict", "verdict": "OK"}','');
INSERT INTO "entries" VALUES('ead9741ba7ef7',7,'cinc2017','großes Team','6.zip','e7f6c011776e8db7cd330b54174fd76f7d0216b612387a5ffcfb81e6f0919683',2,'','prep',1,0,1.79544627417697978018e+09,1.79544627463573217389e+09,'old:1',0,'','');
INSERT INTO "entries" VALUES('e0bd1e43fabe9',8,'cinc2017','green','7.zip','7902699be42c8a8e46fbbb4501726517e86b22c56a189f7625a6da49081b2451',2,'','quiz',1,0,1.79544627420030975342e+09,1.79544627574038696284e+09,'old:1',0,'','');
INSERT INTO "entries" VALUES('e85c1da521b94',9,'cinc2017','red','8.zip','2c624232cdd221771294dfbb310aca000a0df6ac8b66b696d90ef06fdefb64a3',2,'','exam',1,1,1.79544627421867418288e+09,1.79544627638948488235e+09,'old:1',0,'{"cause": "retry", "message": "try 2 in 30 s: SandboxFault: the guest is gone", "stage": "exam"}','');
INSERT INTO "entries" VALUES('e22ff431ca677',10,'cinc2017','Blue','9.zip','19581e27de7ced00ff1ce50b2047e7a567c76b1cbaebabe5ef03f7c3017bb5b7',2,'','score',1,1,1.79544627424243235591e+09,1.79544627591698217395e+09,'old:1',0,'','');
INSERT INTO "entries" VALUES('e7add14e2aec9',11,'cinc2017','großes Team','10.zip','4a44dc15364204a80fe80e9039455cc1608281820fe2b24f1e5233ade6af1dd5',2,'','parked',1,1,1.79544627425943303109e+09,1.79544627601570987705e+09,'old:1',0,'{"cause": "infrastructure", "message": "exam: SandboxFault: the guest is gone", "stage": "exam"}','');
INSERT INTO "entries" VALUES('ec0d639a96d4d',12,'cinc2017','green','11.zip','4fc82b26aecb47d2868c4efbe3581732a3e7cbcc6c2efb32062c08170a05eeb8',2,'','parked',1,1,1.79544627427183246608e+09,1.79544627612882542609e+09,'old:1',0,'{"cause": "infrastructure", "message": "exam: SandboxFault: the guest is gone", "stage": "exam"}','');
INSERT INTO "entries" VALUES('e61cdec782e70',13,'cinc2017','red','12.zip','6b51d431df5d7f141cbececcf79edf3dd861c3b4069f0b11661a3eefacbba918',2,'','queued',2,1,1.79544627430340194705e+09,1.79544627624986100197e+09,'',0,'','');
INSERT INTO "entries" VALUES('e7a6bd6a6224d',14,'cinc2017','Blue','13.zip','3fdba35f04dc8c462986c992bcf875546257113072a909c162f7e470e581e278',2,'','cancelled',1,1,1.79544627433566260331e+09,1.79544627637220454213e+09,'old:1',0,'{"cause": "organiser"}','');
INSERT INTO "entries" VALUES('e064d0cbd2a30',15,'cinc2017','großes Team','14.zip','8527a891e224136950ff32ca212b45bc93f69fbb801c3b1ebedac52775f99e61',2,'','queued',1,0,1.79544627435460591316e+09,1.79544627435460591316e+09,'',0,'','');
INSERT INTO "entries" VALUES('eb5291caf82f0',16,'cinc2017','green','15.zip','e629fa6598d732768f7c726b4b621285f9c3b85303900aa912017db7617d8bdb',2,'','queued',1,0,1.79544627437745666501e+09,1.79544627437745666501e+09,'',0,'','');
INSERT INTO "entries" VALUES('ef20ae2707c46',17,'cinc2017','red','16.zip','b17ef6d19c7a5b1ee83b907c595526dcb1eb06db8227d650d5dda0a9f4ce8cd9',2,'','queued',1,0,1.7954462744033846855e+09,1.7954462744033846855e+09,'',0,'','');
INSERT INTO "entries" VALUES('e835ab6e28104',18,'cinc2017','Blue','17.zip','4523540f1504cd17100c4835e85b7eefd49911580f8efff0599a8f283be6b9e3',2,'','queued',1,0,1.79544627441942572596e+09,1.79544627441942572596e+09,'',0,'','');
INSERT INTO "entries" VALUES('e815f3f78e740',19,'cinc2017','großes Team','18.zip','4ec9599fc203d176a301536c2e091a19bc852759b255bd6818810a42c5fed14a',2,'','queued',1,0,1.79544627442597365374e+09,1.79544627442597365374e+09,'',0,'','');
INSERT INTO "entries" VALUES('e40da5beb8578',20,'cinc2017','green','19.zip','9400f1b21cb527d7fa3d3eabba93557a18ebe7a2ca4e471cfe5e4c5b4ca7f767',2,'','queued',1,0,1.7954462744433934689e+09,1.7954462744433934689e+09,'',0,'','');
INSERT INTO "entries" VALUES('eb19e260aa4a6',21,'cinc2017','red','20.zip','f5ca38f748a1d6eaf726b8a42fb575c3c71f1864a8143301782de13da2d9202b',2,'','cancelled',1,0,1.79544627446238756179e+09,1.79544627640489745136e+09,'',0,'{"cause": "organiser"}','');
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
INSERT INTO "journal" VALUES(1,1.79544627401309847829e+09,'e035c3bccb8e1','submitted','{"challenge": "cinc2017", "team": "red", "name": "0.zip", "sha256": "5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9", "bytes": 2, "commit": "", "number": 1}','97790fbdb8bc5d9adb105cea59d62642034acdaef4579b9acf4f9e0329075954');
INSERT INTO "journal" VALUES(2,1.79544627406746149064e+09,'ec9c0bcecb2a2','submitted','{"challenge": "cinc2017", "team": "Blue", "name": "1.zip", "sha256": "6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b", "bytes": 2, "commit": "", "number": 2}','eba90d9deddde8e3de4000061a1b049bda595866c3b20c296669e162acfb9895');
INSERT INTO "journal" VALUES(3,1.79544627409654164312e+09,'ed4526559d9db','submitted','{"challenge": "cinc2017", "team": "gro\u00dfes Team", "name": "2.zip", "sha256": "d4735e3a265e16eee03f59718b9b5d03019c07d8b6c51f90da3a666eec13ab35", "bytes": 2, "commit": "", "number": 3}','8cbf49ca6fd707a98d81b3b3fc7824389d76fcadb82ad1ac46b57d1595201698');
INSERT INTO "journal" VALUES(4,1.79544627411983561508e+09,'eee3a0e44c60b','submitted','{"challenge": "cinc2017", "team": "green", "name": "3.zip", "sha256": "4e07408562bedb8b60ce05c1decfe3ad16b72230967de01f640b7e4729b49fce", "bytes": 2, "commit": "", "number": 4}','4fd78238a5f97ae3266a1eddafabab7973ce13ee7820ac401fda58567f205531');
INSERT INTO "journal" VALUES(5,1.7954462741354045868e+09,'e227944ae22bd','submitted','{"challenge": "cinc2017", "team": "red", "name": "4.zip", "sha256": "4b227777d4dd1fc61c6f884f48641d02b4d121d3fd328cb08b5531fcacdabf8a", "bytes": 2, "commit": "", "number": 5}','7c1cfff2f4dafc16594104f69ba4feb6de09674e097f9797278da69c7b3c804f');
INSERT INTO "journal" VALUES(6,1.79544627415944552419e+09,'e77a6a095f32f','submitted','{"challenge": "cinc2017", "team": "Blue", "name": "5.zip", "sha256": "ef2d127de37b942baad06145e54b0c619a1f22327b2ebbcfbec78f5564afe39d", "bytes": 2, "commit": "", "number": 6}','5c25a79f96ba64563c6cd47cb88c52f35681d78ad8cc6df066d017da4bc86c5b');
INSERT INTO "journal" VALUES(7,1.79544627417697978018e+09,'ead9741ba7ef7','submitted','{"challenge": "cinc2017", "team": "gro\u00dfes Team", "name": "6.zip", "sha256": "e7f6c011776e8db7cd330b54174fd76f7d0216b612387a5ffcfb81e6f0919683", "bytes": 2, "commit": "", "number": 7}','d856eb5afcfdefb740aff5b2324331a796ca5f5140f34e5155ce6407b76bc93f');
INSERT INTO "journal" VALUES(8,1.79544627420030975342e+09,'e0bd1e43fabe9','submitted','{"challenge": "cinc2017", "team": "green", "name": "7.zip", "sha256": "7902699be42c8a8e46fbbb4501726517e86b22c56a189f7625a6da49081b2451", "bytes": 2, "commit": "", "number": 8}','a7f62170c77ab16a43a4c7d81853a44af7bd8ce361f473fac243823b80d6c0ca');
INSERT INTO "journal" VALUES(9,1.79544627421867418288e+09,'e85c1da521b94','submitted','{"challenge": "cinc2017", "team": "red", "name": "8.zip", "sha256": "2c624232cdd221771294dfbb310aca000a0df6ac8b66b696d90ef06fdefb64a3", "bytes": 2, "commit": "", "number": 9}','97122fca81d744646ebb30bbcc11c7c7770fb63970820b4ed1f1a2d19142c247');
INSERT INTO "journal" VALUES(10,1.79544627424243235591e+09,'e22ff431ca677','submitted','{"challenge": "cinc2017", "team": "Blue", "name": "9.zip", "sha256": "19581e27de7ced00ff1ce50b2047e7a567c76b1cbaebabe5ef03f7c3017bb5b7", "bytes": 2, "commit": "", "number": 10}','e30b45c7af17a548e4b3ca292dc6aa963def63172f40332b83d9e7c84e827a11');
INSERT INTO "journal" VALUES(11,1.79544627425943303109e+09,'e7add14e2aec9','submitted','{"challenge": "cinc2017", "team": "gro\u00dfes Team", "name": "10.zip", "sha256": "4a44dc15364204a80fe80e9039455cc1608281820fe2b24f1e5233ade6af1dd5", "bytes": 2, "commit": "", "number": 11}','c6d68deb0179b182c79c099f6d8df10a1ea5aeaf9329751c2e0a2bd1b2b0ed6b');
INSERT INTO "journal" VALUES(12,1.79544627427183246608e+09,'ec0d639a96d4d','submitted','{"challenge": "cinc2017", "team": "green", "name": "11.zip", "sha256": "4fc82b26aecb47d2868c4efbe3581732a3e7cbcc6c2efb32062c08170a05eeb8", "bytes": 2, "commit": "", "number": 12}','74bdab3a8dfd3968fbd278b15d0565386396c7cf5eac83ce302a8b6cd0f56ba4');
INSERT INTO "journal" VALUES(13,1.79544627430340194705e+09,'e61cdec782e70','submitted','{"challenge": "cinc2017", "team": "red", "name": "12.zip", "sha256": "6b51d431df5d7f141cbececcf79edf3dd861c3b4069f0b11661a3eefacbba918", "bytes": 2, "commit": "", "number": 13}','25eb33dee7378ef62f2b94e7ffdf88d16f0a5ebdd689ab42e1521918968c56f8');
INSERT INTO "journal" VALUES(14,1.79544627433566260331e+09,'e7a6bd6a6224d','submitted','{"challenge": "cinc2017", "team": "Blue", "name": "13.zip", "sha256": "3fdba35f04dc8c462986c992bcf875546257113072a909c162f7e470e581e278", "bytes": 2, "commit": "", "number": 14}','f63550d3baf9294d4320c85d380b129fb8681156826cbadb267aff72c91e4c5e');
INSERT INTO "journal" VALUES(15,1.79544627435460591316e+09,'e064d0cbd2a30','submitted','{"challenge": "cinc2017", "team": "gro\u00dfes Team", "name": "14.zip", "sha256": "8527a891e224136950ff32ca212b45bc93f69fbb801c3b1ebedac52775f99e61", "bytes": 2, "commit": "", "number": 15}','dd4092cfe9d220c656c4ec7469d09b05bd059e2bade0a32ca32e4aa69ccc53ac');
INSERT INTO "journal" VALUES(16,1.79544627437745666501e+09,'eb5291caf82f0','submitted','{"challenge": "cinc2017", "team": "green", "name": "15.zip", "sha256": "e629fa6598d732768f7c726b4b621285f9c3b85303900aa912017db7617d8bdb", "bytes": 2, "commit": "", "number": 16}','67fc20bf49864e1017a758747559373c17e15e31526e18920d41085bdef7eb9e');
INSERT INTO "journal" VALUES(17,1.7954462744033846855e+09,'ef20ae2707c46','submitted','{"challenge": "cinc2017", "team": "red", "name": "16.zip", "sha256": "b17ef6d19c7a5b1ee83b907c595526dcb1eb06db8227d650d5dda0a9f4ce8cd9", "bytes": 2, "commit": "", "number": 17}','52e2515b46a44b62ef7d004c0748bfc1dfa38f4219967808e97ca759fb0e0b2c');
INSERT INTO "journal" VALUES(18,1.79544627441942572596e+09,'e835ab6e28104','submitted','{"challenge": "cinc2017", "team": "Blue", "name": "17.zip", "sha256": "4523540f1504cd17100c4835e85b7eefd49911580f8efff0599a8f283be6b9e3", "bytes": 2, "commit": "", "number": 18}','f51dc039f361309522ea73cbb1d16f2562cfc0433962da4c0e4522ac9c22bae7');
INSERT INTO "journal" VALUES(19,1.79544627442597365374e+09,'e815f3f78e740','submitted','{"challenge": "cinc2017", "team": "gro\u00dfes Team", "name": "18.zip", "sha256": "4ec9599fc203d176a301536c2e091a19bc852759b255bd6818810a42c5fed14a", "bytes": 2, "commit": "", "number": 19}','4d4ce61b5f1e0cdda01b8c4097268770d00dfd0022363f850f192843b4973e9e');
INSERT INTO "journal" VALUES(20,1.7954462744433934689e+09,'e40da5beb8578','submitted','{"challenge": "cinc2017", "team": "green", "name": "19.zip", "sha256": "9400f1b21cb527d7fa3d3eabba93557a18ebe7a2ca4e471cfe5e4c5b4ca7f767", "bytes": 2, "commit": "", "number": 20}','96a0d73dd17502b3a0565e8fa7d34505ce5c39031b7b37e27ecad5274cde32f8');
INSERT INTO "journal" VALUES(21,1.79544627446238756179e+09,'eb19e260aa4a6','submitted','{"challenge": "cinc2017", "team": "red", "name": "20.zip", "sha256": "f5ca38f748a1d6eaf726b8a42fb575c3c71f1864a8143301782de13da2d9202b", "bytes": 2, "commit": "", "number": 21}','2d5642b432ad5c12c3862a653ed15837a1c59122695bf8a1f93b6449d24667d2');
INSERT INTO "journal" VALUES(22,1.79544627453154730795e+09,'e035c3bccb8e1','moved','{"to": "prep", "reason": {}, "charged": null}','b306b7c29253a34def45efaf9dd9c1cd8a7ec40afd87940c8a84e5eaa8bfbd92');
INSERT INTO "journal" VALUES(23,1.79544627456497168536e+09,'ec9c0bcecb2a2','moved','{"to": "prep", "reason": {}, "charged": null}','f0cfeb89b7b48f6d4f3b5dfd82abbda73418cf95b3817f9c1e457471a38c363d');
INSERT INTO "journal" VALUES(24,1.79544627456668233868e+09,'ed4526559d9db','moved','{"to": "prep", "reason": {}, "charged": null}','d29244c11f471ce9b60bfe6acead78bca0c00e1311a1a0ac6314b9bcb2d360e4');
INSERT INTO "journal" VALUES(25,1.79544627459925651554e+09,'eee3a0e44c60b','moved','{"to": "prep", "reason": {}, "charged": null}','7d6a5c93d337a6d22aa37a167e7de4fcd75b92c55cab6c3d73dbb88bf3c70481');
INSERT INTO "journal" VALUES(26,1.79544627461187505717e+09,'e227944ae22bd','moved','{"to": "prep", "reason": {}, "charged": null}','8c4cc4588e7aae60c9f58fcd96de23307884cc1c33895dbf5ab4439ca6e01f74');
INSERT INTO "journal" VALUES(27,1.79544627462434220306e+09,'e77a6a095f32f','moved','{"to": "prep", "reason": {}, "charged": null}','d4458c2eb91e4465b00fea0e8605ce4c2b4ce1f0d73afa2e49a9a091db3eae41');
INSERT INTO "journal" VALUES(28,1.79544627463573217389e+09,'ead9741ba7ef7','moved','{"to": "prep", "reason": {}, "charged": null}','a5f8326663ede55a6f7b9af3af87c3755690168aefeabd533f6e0e3f029a57ed');
INSERT INTO "journal" VALUES(29,1.79544627464610648151e+09,'e0bd1e43fabe9','moved','{"to": "prep", "reason": {}, "charged": null}','086c510f7910f29ea705e2dd8736cf676776c3f4137041f5668c0afa512e4886');
INSERT INTO "journal" VALUES(30,1.79544627467629241946e+09,'e85c1da521b94','moved','{"to": "prep", "reason": {}, "charged": null}','0bad9ec0bed75405329c456aa90f8eed660b995bd8e30ebe62f3ca2c54b20128');
INSERT INTO "journal" VALUES(31,1.79544627467857503886e+09,'e22ff431ca677','moved','{"to": "prep", "reason": {}, "charged": null}','46935546e3a82fbaf69e4d5e21a44e55a779c910d7777efece521c90fd52d210');
INSERT INTO "journal" VALUES(32,1.79544627470113611223e+09,'e7add14e2aec9','moved','{"to": "prep", "reason": {}, "charged": null}','e4677afc3f537405ea85e81eab1d336272b6c00485b08d35f65f4bd94db2281f');
INSERT INTO "journal" VALUES(33,1.79544627470271587373e+09,'ec0d639a96d4d','moved','{"to": "prep", "reason": {}, "charged": null}','59082b1320f5a9d0af0189c14bcc6bc685c502e67bbe7e9a88a449688cc544b1');
INSERT INTO "journal" VALUES(34,1.79544627472260642049e+09,'e61cdec782e70','moved','{"to": "prep", "reason": {}, "charged": null}','900568dcf2c5a8600c4569d0166e12dfd41546ab8977f36e634641d14de73c72');
INSERT INTO "journal" VALUES(35,1.79544627474951434134e+09,'e7a6bd6a6224d','moved','{"to": "prep", "reason": {}, "charged": null}','7be72709a1f8edac719581e579899031cb95863afb5f9746c976da5c1414540c');
INSERT INTO "journal" VALUES(36,1.7954462748079326153e+09,'e035c3bccb8e1','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','3ef05fcda78fcbba916537b7b7b9ba40d4291c7dd3b5ec0549597367a7aa98c6');
INSERT INTO "journal" VALUES(37,1.79544627484448170661e+09,'e035c3bccb8e1','moved','{"to": "quiz", "reason": {}, "charged": null}','bd757eabca1a25aa1d7a0b5448149e4f136f7f27cc400a4b7c0dcd936500c847');
INSERT INTO "journal" VALUES(38,1.7954462748793902397e+09,'e035c3bccb8e1','result','{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}','767d70da728951e29c5b11ebc8b947e46c9388023ca07e4f40a442e84d00d6b3');
INSERT INTO "journal" VALUES(39,1.79544627490144395823e+09,'e035c3bccb8e1','moved','{"to": "exam", "reason": {}, "charged": null}','44cefe66848f54604755398d33f0c9a116fcf77038f0091927f8b96cf881b510');
INSERT INTO "journal" VALUES(40,1.79544627493564844136e+09,'e035c3bccb8e1','charged','{"charged": true}','9930f61c46f982bbbf8e25eb0a4d60d6b7903ef3c0a8f3b2d746e78544a9358c');
INSERT INTO "journal" VALUES(41,1.79544627494828677172e+09,'e035c3bccb8e1','result','{"stage": "exam", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4"}','00313f19af8c6fd4458edf4831d8b7b452f530678c41777c482780eb437613aa');
INSERT INTO "journal" VALUES(42,1.79544627497628831867e+09,'e035c3bccb8e1','moved','{"to": "score", "reason": {}, "charged": null}','7d409fc17fe348951436a8ef8404fe79f7aa8133fb79fe47abd1330840de9cd0');
INSERT INTO "journal" VALUES(43,1.79544627501408457755e+09,'e035c3bccb8e1','result','{"stage": "score", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}','4557210c003230ca8f23dcafa0d0b5522aaf29e8486a9ce302b2a6681dbcbbfb');
INSERT INTO "journal" VALUES(44,1.79544627503378915783e+09,'e035c3bccb8e1','score','{"attempt": 1, "key": "F1", "value": 0.5, "low": 0.25, "high": 0.75, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.5}, \"official\": {\"F1\": 0.5}, \"notes\": [], \"intervals\": {\"F1\": [0.25, 0.75]}}"}','ff6d81575ac09c6430fdf0554bae2c4086b98b6719787d62d91650369bf42e54');
INSERT INTO "journal" VALUES(45,1.79544627506718039509e+09,'e035c3bccb8e1','moved','{"to": "done", "reason": {"cause": "verdict", "verdict": "OK"}, "charged": null}','e5504d49b3b6f5a04355fb215161fd21fb7ad430027b05b9e3005b34e3a6dcd9');
INSERT INTO "journal" VALUES(46,1.79544627510874104498e+09,'ec9c0bcecb2a2','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','50f99b8c55c8cf29551354d17b238ac0180f6042d36aa20cf33caf89120cfb19');
INSERT INTO "journal" VALUES(47,1.79544627515280270577e+09,'ec9c0bcecb2a2','moved','{"to": "quiz", "reason": {}, "charged": null}','19fe85f97fcfb84b6ec7e9e1e7ecdc2e441f2ce38a5a3265ada41e7066fe2371');
INSERT INTO "journal" VALUES(48,1.79544627518523502345e+09,'ec9c0bcecb2a2','result','{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}','232c70e9137156951c7c0ba3ee04113a4079c05003b2d80ca630a58ab3681771');
INSERT INTO "journal" VALUES(49,1.7954462752168793678e+09,'ec9c0bcecb2a2','moved','{"to": "exam", "reason": {}, "charged": null}','f6f61941ab72732fd436af978e4a77d7b9211de00d38d91091cb3dae98805dd0');
INSERT INTO "journal" VALUES(50,1.79544627525149369236e+09,'ec9c0bcecb2a2','charged','{"charged": true}','8d255c1ee25f0fc80a13026202ef7d2e642f001eff3118e1caf8662ce5fa6d48');
INSERT INTO "journal" VALUES(51,1.79544627527196073535e+09,'ec9c0bcecb2a2','result','{"stage": "exam", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4"}','407846d6a64ca5b7af045e8af4e219cf9a3ef0fb9c77345fa07e38a475f0d429');
INSERT INTO "journal" VALUES(52,1.7954462752804059982e+09,'ec9c0bcecb2a2','moved','{"to": "score", "reason": {}, "charged": null}','f2665e5eace478bac56a602b24ee3106b18a7af1de12abde43207f2ed28dbfb6');
INSERT INTO "journal" VALUES(53,1.79544627528541469573e+09,'ec9c0bcecb2a2','result','{"stage": "score", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}','a9916bc1dff7dc8d176b32992af8ca5ce93aac4860c3da231b7fa24f12afb89e');
INSERT INTO "journal" VALUES(54,1.7954462753071095943e+09,'ec9c0bcecb2a2','score','{"attempt": 1, "key": "F1", "value": 0.5, "low": 0.25, "high": 0.75, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.5}, \"official\": {\"F1\": 0.5}, \"notes\": [], \"intervals\": {\"F1\": [0.25, 0.75]}}"}','6a19bc2250673bc133c24949328152becd97ea0d75fd19b045a390133918e8d6');
INSERT INTO "journal" VALUES(55,1.79544627531990957265e+09,'ec9c0bcecb2a2','moved','{"to": "done", "reason": {"cause": "verdict", "verdict": "OK"}, "charged": null}','4276bcad94bf90bbbd7e2c783d2a4a96870d1ced33b47941d340d12fa8b08953');
INSERT INTO "journal" VALUES(56,1.79544627532934308053e+09,'ed4526559d9db','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','2caac53be5a89f51d319df4104494651993b732777c4fc524c102a84e724ead2');
INSERT INTO "journal" VALUES(57,1.79544627534560084346e+09,'ed4526559d9db','moved','{"to": "quiz", "reason": {}, "charged": null}','b299a599f3dc4653f3af0725e4489eb00655a9366b10d5eae5c78eaeaa7a407e');
INSERT INTO "journal" VALUES(58,1.79544627535314178464e+09,'ed4526559d9db','result','{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}','160f59da63140522ee9cedd8d60e7659195e2feb8d542eff34b67c45bb58c1d6');
INSERT INTO "journal" VALUES(59,1.79544627536433553695e+09,'ed4526559d9db','moved','{"to": "exam", "reason": {}, "charged": null}','7ee42c7feb456114fab7e4f902bd3accbedbb61910ef92ad14e69f597b481410');
INSERT INTO "journal" VALUES(60,1.79544627537254261975e+09,'ed4526559d9db','charged','{"charged": true}','efe9c0c0e71fb5982d6c5b36e09ba5f942ef64be8311d7e8279ac75fb20451b7');
INSERT INTO "journal" VALUES(61,1.79544627537742614749e+09,'ed4526559d9db','result','{"stage": "exam", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4"}','0b3acd1ecfc7a4ff26607f81f749bcb9820342930a77b235e5e38a4e8e65dba3');
INSERT INTO "journal" VALUES(62,1.7954462753887286186e+09,'ed4526559d9db','moved','{"to": "score", "reason": {}, "charged": null}','d936e7b3f33b6060f3a22a2a6c6f54e7587dedceab0e096b71382fbd96bdc930');
INSERT INTO "journal" VALUES(63,1.79544627539827871326e+09,'ed4526559d9db','result','{"stage": "score", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}','f97d4ab831138f4a7e90f72bf0425811e3a084c7ddf47520cca973592c36b112');
INSERT INTO "journal" VALUES(64,1.79544627541945743566e+09,'ed4526559d9db','score','{"attempt": 1, "key": "F1", "value": 0.5, "low": 0.25, "high": 0.75, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.5}, \"official\": {\"F1\": 0.5}, \"notes\": [], \"intervals\": {\"F1\": [0.25, 0.75]}}"}','9dd77b5d33d87eba2377ea0adef90b5351b6dbdf7960e20bbfd0cd45c1f91237');
INSERT INTO "journal" VALUES(65,1.7954462754291911125e+09,'ed4526559d9db','moved','{"to": "done", "reason": {"cause": "verdict", "verdict": "OK"}, "charged": null}','e5daf675a24460af05413bf0dde25d3ffcda5cafb3fa7cf1fbd6a76b3d5f766d');
INSERT INTO "journal" VALUES(66,1.7954462754543321132e+09,'eee3a0e44c60b','result','{"stage": "prep", "attempt": 1, "verdict": "PREP_ERROR", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:1507d3acde2ad05b52c105667aa22926b12e2664ceb959e1def1ef40760af46e"}','baf287eba696835c4e6e0a2dd036e37857a74de47cc29d72c9fa7d4c7cb2607c');
INSERT INTO "journal" VALUES(67,1.79544627547237086295e+09,'eee3a0e44c60b','moved','{"to": "done", "reason": {"cause": "verdict", "verdict": "PREP_ERROR"}, "charged": null}','11e7fb4dc737a9c32c560457528e81a91769138cc33c4e5c5a39cd7d1b66a562');
INSERT INTO "journal" VALUES(68,1.79544627549982523922e+09,'e227944ae22bd','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','039756251107f62a2c5ff38055a0e46a2d09b997aa2529de059f5ddb91c3b950');
INSERT INTO "journal" VALUES(69,1.79544627552250933644e+09,'e227944ae22bd','moved','{"to": "quiz", "reason": {}, "charged": null}','838f1d36fe42c4d012b71e6e0a9d16f164f055dd832ca778492294c10343c8e5');
INSERT INTO "journal" VALUES(70,1795446275.53592,'e227944ae22bd','result','{"stage": "quiz", "attempt": 1, "verdict": "WRONG_ANSWER", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:4fe242bb787729374237cf7e5b948646ff64d1d1322ce53b54366dade8351acd"}','eaae6ef1d008b196e1bde1eb949fe92987deb625022c3e059bb311659188d592');
INSERT INTO "journal" VALUES(71,1.79544627555278301237e+09,'e227944ae22bd','moved','{"to": "done", "reason": {"cause": "verdict", "verdict": "WRONG_ANSWER"}, "charged": null}','55c9791fb452f8e4218ea9db12f9ea130a0fb5fc0bcdeefc4b6c50fe695d2cc4');
INSERT INTO "journal" VALUES(72,1.79544627557795405392e+09,'e77a6a095f32f','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','ae8b86be6c70f55f9e793e0afa5e68382ab08282046eb68a0592500abb4b7664');
INSERT INTO "journal" VALUES(73,1.79544627561816501617e+09,'e77a6a095f32f','moved','{"to": "quiz", "reason": {}, "charged": null}','3af62c8569732eebf0c50d6993f2b8dae5923be40db19d58c9a6da51a9cfe7d5');
INSERT INTO "journal" VALUES(74,1.79544627563024091721e+09,'e77a6a095f32f','result','{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}','d5aee62138115996c0a21898eae3808b9c8d17ad2df0e156a909f78d5f9ec4d0');
INSERT INTO "journal" VALUES(75,1.79544627565260028843e+09,'e77a6a095f32f','moved','{"to": "exam", "reason": {}, "charged": null}','0821d06e33b34a306bdac6352c896373b742ad733186e677d7b4bf130a8dd60d');
INSERT INTO "journal" VALUES(76,1.79544627566571807861e+09,'e77a6a095f32f','charged','{"charged": true}','2a7fbe95c3d7b36fbfd7389b44de78f0fc1a911ecb692a6edad71f03263910b7');
INSERT INTO "journal" VALUES(77,1.79544627567743921275e+09,'e77a6a095f32f','result','{"stage": "exam", "attempt": 1, "verdict": "TIME_LIMIT", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:665f52e08e7257c76de2b5472e0fc32f6f3ca726106bc46624d1723a15e712ab"}','76a2bc7cbaf73d6da8bfb299c6fc27d7e430c341fd0bd511f9bfd2b9bd528980');
INSERT INTO "journal" VALUES(78,1.79544627569138765333e+09,'e77a6a095f32f','moved','{"to": "done", "reason": {"cause": "verdict", "verdict": "TIME_LIMIT"}, "charged": null}','98bcbc9261b635a1726c3ae8911ee62485ae0aec18364041d49c257bb6acb2bb');
INSERT INTO "journal" VALUES(79,1.7954462757244050503e+09,'e0bd1e43fabe9','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','b923dcc371296d72bbb445b6a5344ee61dbe48990097322a17afc09f0e1b54f1');
INSERT INTO "journal" VALUES(80,1.79544627574038696284e+09,'e0bd1e43fabe9','moved','{"to": "quiz", "reason": {}, "charged": null}','fe39108c90a7ac0988199fafabb90b7c095d384b2b085507c5686c9c6ef9fec4');
INSERT INTO "journal" VALUES(81,1.79544627575799965856e+09,'e85c1da521b94','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','58c2fa23cedcf74f8c5c47410e19aaff5d08027c95fe3a744218625fc32248cb');
INSERT INTO "journal" VALUES(82,1.79544627576770663259e+09,'e85c1da521b94','moved','{"to": "quiz", "reason": {}, "charged": null}','1c3e17dbb6cd74b2678503ed8d6289e9bb24503a8a969233fbe8c16ffd1ae3d1');
INSERT INTO "journal" VALUES(83,1.79544627577683138844e+09,'e85c1da521b94','result','{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}','6f083a21a71bef19465d017ea333da53602091e130b1ed09f6336913e48740e5');
INSERT INTO "journal" VALUES(84,1.79544627578557085996e+09,'e85c1da521b94','moved','{"to": "exam", "reason": {}, "charged": null}','5e4ce0dcbe406ad7d6f3398ce47e4b89be1655cc30dc71877225d7e42fffa6af');
INSERT INTO "journal" VALUES(85,1.79544627580502581592e+09,'e85c1da521b94','charged','{"charged": true}','53695df6f140376f8871ce01c181238ed601967f1395a9eb05b935ca4149c8df');
INSERT INTO "journal" VALUES(86,1.7954462758140246868e+09,'e22ff431ca677','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','ae109d5eae203a7b5e56cb2301166f806a3b7226aa0ca1409c5354c652c41474');
INSERT INTO "journal" VALUES(87,1.79544627583310627931e+09,'e22ff431ca677','moved','{"to": "quiz", "reason": {}, "charged": null}','94c1bcb5cbd1ab725da1dfec902cb15be8031a8e6f6ddd2f551f781ebb086e54');
INSERT INTO "journal" VALUES(88,1.79544627584108805657e+09,'e22ff431ca677','result','{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}','46c40a948eebb8732e106b21613ad11b0161d63860dccc7131b6e3e4a14e6a0d');
INSERT INTO "journal" VALUES(89,1.79544627585160684584e+09,'e22ff431ca677','moved','{"to": "exam", "reason": {}, "charged": null}','a03153c243f069e9ee7d35fdd582e4b52e825af4c44134a1d93209b2aafeaeae');
INSERT INTO "journal" VALUES(90,1.79544627586813664433e+09,'e22ff431ca677','charged','{"charged": true}','638201795e078911ec2a148ed51b525308c089f24c718e97a9d8a3c0d7541b12');
INSERT INTO "journal" VALUES(91,1.79544627587896728519e+09,'e22ff431ca677','result','{"stage": "exam", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4"}','611c22a9a762df6601c38fe5991233359ffc5b14668be5db6b8214d0861bfaf9');
INSERT INTO "journal" VALUES(92,1.79544627591698217395e+09,'e22ff431ca677','moved','{"to": "score", "reason": {}, "charged": null}','c250bb3650d36acc2e24f4cb06d3ebf52e21f18478edc7ffe3cfbd2cf01110a2');
INSERT INTO "journal" VALUES(93,1.79544627592625617978e+09,'e7add14e2aec9','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','31fc9e02a6817f7c5dca662f3c62f44a9c6d652451d8a3de35e89c75d38d5ade');
INSERT INTO "journal" VALUES(94,1.79544627594057679175e+09,'e7add14e2aec9','moved','{"to": "quiz", "reason": {}, "charged": null}','54249e02c434e7c241060fa1e85379a5af5db9ccbbdeb68dbdab84098f6aaf06');
INSERT INTO "journal" VALUES(95,1.79544627595623064041e+09,'e7add14e2aec9','result','{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}','8273c6a681579e7f7463fb90239b8ca3e4af32f6579bf9a1de3dfff7cf126a51');
INSERT INTO "journal" VALUES(96,1.79544627597775506965e+09,'e7add14e2aec9','moved','{"to": "exam", "reason": {}, "charged": null}','35c40d9960d23f7554641a66c8365308fc6123f77f55c8a58bf351df681d66a4');
INSERT INTO "journal" VALUES(97,1.795446275997936964e+09,'e7add14e2aec9','charged','{"charged": true}','64c2082061682133bd25c44e84c5937509afa7808e10cddfbb107117eef0dfce');
INSERT INTO "journal" VALUES(98,1.79544627601570987705e+09,'e7add14e2aec9','moved','{"to": "parked", "reason": {"cause": "infrastructure", "stage": "exam", "message": "exam: SandboxFault: the guest is gone"}, "charged": null}','3058c50fc60aaf7a773dfb897c48ad9b2e2d67ed63ff3b304e2c22335f208c8a');
INSERT INTO "journal" VALUES(99,1.79544627603315901757e+09,'ec0d639a96d4d','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','0b9e7054f32dbcc597393b9b31c429a1fbecd9a0af5a8a6a7defbbf32496f9dd');
INSERT INTO "journal" VALUES(100,1.79544627605636477468e+09,'ec0d639a96d4d','moved','{"to": "quiz", "reason": {}, "charged": null}','617f688ee53428113e5fe8c1bf111f866488e802d86f8118aea5824c782a1b37');
INSERT INTO "journal" VALUES(101,1.79544627606864595414e+09,'ec0d639a96d4d','result','{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}','007b65211fd9319c77e4c4836059e87f98b21b14ff25d11887ee1f24dbedc943');
INSERT INTO "journal" VALUES(102,1.79544627609758353234e+09,'ec0d639a96d4d','moved','{"to": "exam", "reason": {}, "charged": null}','9242b844c0913a7b8c1df9132fc63c80bf08ed028679b91f9edf2182388d8d86');
INSERT INTO "journal" VALUES(103,1.79544627611601901057e+09,'ec0d639a96d4d','charged','{"charged": true}','d4ca47d93ac48986c9522017dd9ef76a9a15d03a55e9c988bbda61f1a5f76623');
INSERT INTO "journal" VALUES(104,1.79544627612882542609e+09,'ec0d639a96d4d','moved','{"to": "parked", "reason": {"cause": "infrastructure", "stage": "exam", "message": "exam: SandboxFault: the guest is gone"}, "charged": null}','00cbaad2fcb70cceeca1bbfdc3b7237494ef0b7662b052462c5e48279124d819');
INSERT INTO "journal" VALUES(105,1.7954462761594445706e+09,'e61cdec782e70','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','7f937739d6251c93086f9f54fd9546ac3d11c7f89e1ebc0ff112357d21763fe0');
INSERT INTO "journal" VALUES(106,1.79544627616986465453e+09,'e61cdec782e70','moved','{"to": "quiz", "reason": {}, "charged": null}','1ec7d656431def5598c6ca16ef00b73d046896d36cd2ab838efe09d4d0dfff35');
INSERT INTO "journal" VALUES(107,1.79544627618799543383e+09,'e61cdec782e70','result','{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}','ecd64feb4e433d5414248e6b452fc442ec052b6936abfe5bb2d791639cb8e199');
INSERT INTO "journal" VALUES(108,1.79544627621237087248e+09,'e61cdec782e70','moved','{"to": "exam", "reason": {}, "charged": null}','50bca9497a779f944f8b0f6b8b7631c2cd30bf76278dfda22011addb8894406b');
INSERT INTO "journal" VALUES(109,1.79544627621810293192e+09,'e61cdec782e70','charged','{"charged": true}','475c3218fff8fc712a27a0828881b7e47cf9044b756c373ccaac32729a507ecd');
INSERT INTO "journal" VALUES(110,1.79544627623257136341e+09,'e61cdec782e70','moved','{"to": "parked", "reason": {"cause": "infrastructure", "stage": "exam", "message": "exam: SandboxFault: the guest is gone"}, "charged": null}','f032ef8080fad358104c46e1a5412a40432a96365e8eb0b8f5a9e775509bae30');
INSERT INTO "journal" VALUES(111,1.79544627624986100197e+09,'e61cdec782e70','retried','{"attempt": 2}','defbedbc666a5da61978bc1c811ab22aa843b55c5c030c37819a169ef55547f9');
INSERT INTO "journal" VALUES(112,1.79544627628440690045e+09,'e7a6bd6a6224d','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','518ee5bd48ca6802f181a1eb6609e717130bd3d4b81cb85d388e5fdd76b2b218');
INSERT INTO "journal" VALUES(113,1.79544627631200098992e+09,'e7a6bd6a6224d','moved','{"to": "quiz", "reason": {}, "charged": null}','252e17ece636186d36e3a0f226a8bc0c856417fd714a85127a752a87483c57e6');
INSERT INTO "journal" VALUES(114,1.79544627632228827483e+09,'e7a6bd6a6224d','result','{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}','6c2ac6e286f3576d894365c7fafbdbba71810c98802970ef2e2070461f31d82c');
INSERT INTO "journal" VALUES(115,1.79544627634806799884e+09,'e7a6bd6a6224d','moved','{"to": "exam", "reason": {}, "charged": null}','5e4de724a264cd17f0ca81afaa3ef8758ab2f8c20d77d02b2dd0cad706e8b49c');
INSERT INTO "journal" VALUES(116,1795446276.35954,'e7a6bd6a6224d','charged','{"charged": true}','40de04f21e84e3c8dda34e30016126ff6480c883135ea915a64e5bc638e1b833');
INSERT INTO "journal" VALUES(117,1.79544627637220454213e+09,'e7a6bd6a6224d','moved','{"to": "cancelled", "reason": {"cause": "organiser"}, "charged": null}','f4cb3a987abb25c9cc718f9e3a721d9af5228a59a0eeda3cd50afbd97cef78fb');
INSERT INTO "journal" VALUES(118,1.79544627638948488235e+09,'e85c1da521b94','moved','{"to": "exam", "reason": {"cause": "retry", "stage": "exam", "message": "try 2 in 30 s: SandboxFault: the guest is gone"}, "charged": null}','c728b501ce25a15eaeead8ab70ccc35dc7ded921fe2b14663e7afb3b1fae6040');
INSERT INTO "journal" VALUES(119,1.79544627640489745136e+09,'eb19e260aa4a6','moved','{"to": "cancelled", "reason": {"cause": "organiser"}, "charged": null}','850d2ce2946b73d3dcb5849058ea1afde1dd45ef0bb11691c3ca8465b100de58');
INSERT INTO "journal" VALUES(120,1.79544627648113799094e+09,'e035c3bccb8e1','shadowed','{"attempt": 2, "purpose": "r1", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}','e197c79c46728ca5d451c5ce986c2bc497ccdb2066ec0f07009534aa474ed28e');
INSERT INTO "journal" VALUES(121,1.79544627648113799094e+09,'ec9c0bcecb2a2','shadowed','{"attempt": 2, "purpose": "r1", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}','0e44f57d28943158815e6810e22e700f76b653aa9a16a8ae40588da4792bf91b');
INSERT INTO "journal" VALUES(122,1.79544627648113799094e+09,'ed4526559d9db','shadowed','{"attempt": 2, "purpose": "r1", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}','24c0b3518d652317dd65f38fa4a70ce6cc3c12014b0ca2abf1434053a06c8946');
INSERT INTO "journal" VALUES(123,1.79544627648113799094e+09,'e77a6a095f32f','shadowed','{"attempt": 2, "purpose": "r1", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}','5b17850859cd48479be29a3216c22390f6aa432f502ed9e47d57629625e562fd');
INSERT INTO "journal" VALUES(124,1.7954462765376849175e+09,'e035c3bccb8e1','shadowed','{"attempt": 3, "purpose": "r2", "challenge": "cinc2017", "references": "", "base": 1, "first": "exam"}','349b567e543900a356c625a7555ed3b99ff583d57b20091bf5de32d549ad82ad');
INSERT INTO "journal" VALUES(125,1.7954462765376849175e+09,'ec9c0bcecb2a2','shadowed','{"attempt": 3, "purpose": "r2", "challenge": "cinc2017", "references": "", "base": 1, "first": "exam"}','c65c4fc445af791eef8f45c35d1a6f671510827b3e08d774d86dbd199f79ddfe');
INSERT INTO "journal" VALUES(126,1.7954462765376849175e+09,'ed4526559d9db','shadowed','{"attempt": 3, "purpose": "r2", "challenge": "cinc2017", "references": "", "base": 1, "first": "exam"}','efbc08bdce05535e6f8321d0467a5bb198a80c64644b654a47a6385eea083fdd');
INSERT INTO "journal" VALUES(127,1.7954462765376849175e+09,'e77a6a095f32f','shadowed','{"attempt": 3, "purpose": "r2", "challenge": "cinc2017", "references": "", "base": 1, "first": "exam"}','baa40faf2e7b9f095dea501daacaa2a6631bd9d18cbad30881931dd797fd7b44');
INSERT INTO "journal" VALUES(128,1.79544627659028077125e+09,'e035c3bccb8e1','shadowed','{"attempt": 4, "purpose": "r3", "challenge": "cinc2017", "references": "", "base": 1, "first": "prep"}','5f1faa945bfe43ca721f4cc66b2e07a3e8e56ba7934522140661284368961215');
INSERT INTO "journal" VALUES(129,1.79544627659028077125e+09,'ec9c0bcecb2a2','shadowed','{"attempt": 4, "purpose": "r3", "challenge": "cinc2017", "references": "", "base": 1, "first": "prep"}','35a3887031566bc98fa57749adcbd12ebd67d538b94830e4a26c702f752f02cb');
INSERT INTO "journal" VALUES(130,1.79544627659028077125e+09,'ed4526559d9db','shadowed','{"attempt": 4, "purpose": "r3", "challenge": "cinc2017", "references": "", "base": 1, "first": "prep"}','9483165ba8dc283f3a6b0a598f9b05050e9cb63dec3aa7aaacb8ec2935a28fba');
INSERT INTO "journal" VALUES(131,1.79544627659028077125e+09,'e77a6a095f32f','shadowed','{"attempt": 4, "purpose": "r3", "challenge": "cinc2017", "references": "", "base": 1, "first": "prep"}','cf4360b7887ca793b1cab8ca30878c7fc971811f64837c5cf9835ca3e5b610a1');
INSERT INTO "journal" VALUES(132,1.79544627665568256374e+09,'e035c3bccb8e1','shadowed','{"attempt": 5, "purpose": "r4", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}','b33037bbf7e9a0c23bb26cf816f95c27a26929e04f9e4971aa65262350ab2aa8');
INSERT INTO "journal" VALUES(133,1.79544627665568256374e+09,'ec9c0bcecb2a2','shadowed','{"attempt": 5, "purpose": "r4", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}','0e8b435438c28978ec5ca4f5b6c7ebbc8f33aff8e12edd32a23400a9542a5676');
INSERT INTO "journal" VALUES(134,1.79544627665568256374e+09,'ed4526559d9db','shadowed','{"attempt": 5, "purpose": "r4", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}','9222172077171d1963fe5263eb9c599b997c05d54c3eeecb8447f40f84bce7fe');
INSERT INTO "journal" VALUES(135,1.79544627665568256374e+09,'e77a6a095f32f','shadowed','{"attempt": 5, "purpose": "r4", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}','4aedae6480339f79d26c53ad486805aefcee440339f6f0b0adb8a64f2b1089b9');
INSERT INTO "journal" VALUES(136,1795446276.7182,'e035c3bccb8e1','shadow-moved','{"attempt": 2, "to": "score", "reason": {}}','970ae0108ab8d950b026f9182c42ef506a6bc227fe5818faa049295435ea1267');
INSERT INTO "journal" VALUES(137,1.79544627674791240686e+09,'e035c3bccb8e1','result','{"stage": "score", "attempt": 2, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}','a06065c0aec8e170a519504596f14ca8f508d5c886542ae15bb33fb5dbf2ceb7');
INSERT INTO "journal" VALUES(138,1.79544627676502871515e+09,'e035c3bccb8e1','score','{"attempt": 2, "key": "F1", "value": 0.7, "low": 0.35, "high": 1.0499999999999998, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.7}, \"official\": {\"F1\": 0.7}, \"notes\": [], \"intervals\": {\"F1\": [0.35, 1.0499999999999998]}}"}','3aefd0c12e9de222f668262dee771f7c1138d48faeaecb1ef1f7f423a3c8b582');
INSERT INTO "journal" VALUES(139,1.79544627677949619293e+09,'e035c3bccb8e1','shadow-moved','{"attempt": 2, "to": "done", "reason": {"cause": "verdict", "verdict": "OK"}}','0016b89944803b345f2c2feaf1c2a69ff517736f64652b8fdbba288c540c2ff6');
INSERT INTO "journal" VALUES(140,1.79544627680252194407e+09,'e77a6a095f32f','shadow-moved','{"attempt": 2, "to": "score", "reason": {}}','6e0068437d940c623f533054206368be23c7a3db5d0eb49ff9410fc5d23b228e');
INSERT INTO "journal" VALUES(141,1.79544627681620550157e+09,'e77a6a095f32f','result','{"stage": "score", "attempt": 2, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}','a8a5cdababa67a36462e9d8f08f402f899cdd118bb72b5231907ca67bce6b1da');
INSERT INTO "journal" VALUES(142,1.79544627683238506316e+09,'e77a6a095f32f','score','{"attempt": 2, "key": "F1", "value": 0.7, "low": 0.35, "high": 1.0499999999999998, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.7}, \"official\": {\"F1\": 0.7}, \"notes\": [], \"intervals\": {\"F1\": [0.35, 1.0499999999999998]}}"}','d69c5d74cb78cab60fc8ac89fcdb62f8f619c34e8595604cc77f1e26344ba1f4');
INSERT INTO "journal" VALUES(143,1.79544627684958052636e+09,'e77a6a095f32f','shadow-moved','{"attempt": 2, "to": "done", "reason": {"cause": "verdict", "verdict": "OK"}}','3c16aed8b7447805d4b6118cae34c8e31bc98ed3e1f9fc548eeaafa518483236');
INSERT INTO "journal" VALUES(144,1.79544627687114548685e+09,'ec9c0bcecb2a2','shadow-moved','{"attempt": 2, "to": "score", "reason": {}}','6ff421635a2a69af3fddf0a2d37f58fb567f81621d60796f86493be5e0d1042e');
INSERT INTO "journal" VALUES(145,1.79544627688141536711e+09,'ec9c0bcecb2a2','result','{"stage": "score", "attempt": 2, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}','a76c41be2138c986ff34da26dc4503231739b7f4dc92ab45c614b31b4764d768');
INSERT INTO "journal" VALUES(146,1.79544627690660524364e+09,'ec9c0bcecb2a2','score','{"attempt": 2, "key": "F1", "value": 0.7, "low": 0.35, "high": 1.0499999999999998, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.7}, \"official\": {\"F1\": 0.7}, \"notes\": [], \"intervals\": {\"F1\": [0.35, 1.0499999999999998]}}"}','dc4fcc9efb5086fa8257ebddf35e524100f3a4a7df0700277d3cf99df70c894c');
INSERT INTO "journal" VALUES(147,1.79544627691759467119e+09,'ec9c0bcecb2a2','shadow-moved','{"attempt": 2, "to": "done", "reason": {"cause": "verdict", "verdict": "OK"}}','420a81459e7b8aa02e81a2eac1ae22583f3b02b59318e93f653064aaa1f2630e');
INSERT INTO "journal" VALUES(148,1.79544627693538594252e+09,'ed4526559d9db','shadow-moved','{"attempt": 2, "to": "score", "reason": {}}','ea633371f4ab1e1dbbe32fb93d8859f5e116df2bdac2fbf4e1a082f5bbb2603a');
INSERT INTO "journal" VALUES(149,1.79544627694574689862e+09,'ed4526559d9db','result','{"stage": "score", "attempt": 2, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}','f9912c68a1b06e3a6d06bc542c5bd03291fcc4ad2ccfe039dde82f7d9c04357a');
INSERT INTO "journal" VALUES(150,1.79544627696066331863e+09,'ed4526559d9db','score','{"attempt": 2, "key": "F1", "value": 0.7, "low": 0.35, "high": 1.0499999999999998, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.7}, \"official\": {\"F1\": 0.7}, \"notes\": [], \"intervals\": {\"F1\": [0.35, 1.0499999999999998]}}"}','8d24775e86826a71291fe2ec30e0ce24b41bcdf62fb285125b8de1e9e75285cc');
INSERT INTO "journal" VALUES(151,1.79544627697247338293e+09,'ed4526559d9db','shadow-moved','{"attempt": 2, "to": "done", "reason": {"cause": "verdict", "verdict": "OK"}}','5381ab9661e0fa40199528d66bc79ac038fec9d1c5c5619abec0629f0801a4ce');
INSERT INTO "journal" VALUES(152,1.79544627700736880303e+09,'e035c3bccb8e1','adopted','{"attempt": 2}','d1640eefb302f272891af217c0d5c3ca30a17864003ac2020e4fee0eff37755d');
INSERT INTO "journal" VALUES(153,1.79544627700736880303e+09,'ec9c0bcecb2a2','adopted','{"attempt": 2}','5270b8de3639d74988b870cfbb1d688d856d0d5ccba96a3517b9bc8524fd91d7');
INSERT INTO "journal" VALUES(154,1.79544627700736880303e+09,'ed4526559d9db','adopted','{"attempt": 2}','bfd25240752f88133d6884339f0fde308d8d5688f7b9cbe435a8d59c3984d415');
INSERT INTO "journal" VALUES(155,1.79544627700736880303e+09,'e77a6a095f32f','adopted','{"attempt": 2}','d6e05f4d0141258d9d4c38793ac191f2bb5606c45eb6a8841c332683c3507a94');
INSERT INTO "journal" VALUES(156,1.79544627702460503574e+09,'e035c3bccb8e1','shadow-moved','{"attempt": 3, "to": "cancelled", "reason": {"cause": "discarded"}}','e44c18794c8126299cb759e2c0f8191ebca322e4e0316a8f61d27cfead97858d');
INSERT INTO "journal" VALUES(157,1.79544627702460503574e+09,'ec9c0bcecb2a2','shadow-moved','{"attempt": 3, "to": "cancelled", "reason": {"cause": "discarded"}}','0775b044009ac66c45e327a6cf09aba5eb427419b4b4f3f2ffc66cb00a787d95');
INSERT INTO "journal" VALUES(158,1.79544627702460503574e+09,'ed4526559d9db','shadow-moved','{"attempt": 3, "to": "cancelled", "reason": {"cause": "discarded"}}','ab1f7949b9f63e337433c08cce7afc8ee2b8ba50aa0f1541fc436391c2549215');
INSERT INTO "journal" VALUES(159,1.79544627702460503574e+09,'e77a6a095f32f','shadow-moved','{"attempt": 3, "to": "cancelled", "reason": {"cause": "discarded"}}','48e8308a05c63ced7e25c98c6453472417e37a9f9f8d3022d8d5847815956cd4');
INSERT INTO "journal" VALUES(160,1.79544627703754854208e+09,'e035c3bccb8e1','shadow-moved','{"attempt": 4, "to": "prep", "reason": {}}','20f6b9497c171bb71fde15eb96b917275e1d004cb7b7dd5c39f9d22e265e3241');
INSERT INTO "journal" VALUES(161,1.79544627705173087117e+09,'e77a6a095f32f','shadow-moved','{"attempt": 4, "to": "parked", "reason": {"cause": "challenge", "stage": "exam", "message": "no score"}}','778dc26704568f1b57f992b148ba1ad8deb6a0fb72fc2bc8a0a294581f647f37');
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
INSERT INTO "results" VALUES('e035c3bccb8e1',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.7954462748079326153e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',1,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.7954462748793902397e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',1,'exam','OK',5,0.5,'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4',1.79544627494828677172e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',1,'score','OK',5,0.5,'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020',1.79544627501408457755e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79544627510874104498e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',1,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79544627518523502345e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',1,'exam','OK',5,0.5,'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4',1.79544627527196073535e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',1,'score','OK',5,0.5,'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020',1.79544627528541469573e+09);
INSERT INTO "results" VALUES('ed4526559d9db',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79544627532934308053e+09);
INSERT INTO "results" VALUES('ed4526559d9db',1,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79544627535314178464e+09);
INSERT INTO "results" VALUES('ed4526559d9db',1,'exam','OK',5,0.5,'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4',1.79544627537742614749e+09);
INSERT INTO "results" VALUES('ed4526559d9db',1,'score','OK',5,0.5,'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020',1.79544627539827871326e+09);
INSERT INTO "results" VALUES('eee3a0e44c60b',1,'prep','PREP_ERROR',5,0.5,'sha256:1507d3acde2ad05b52c105667aa22926b12e2664ceb959e1def1ef40760af46e',1.7954462754543321132e+09);
INSERT INTO "results" VALUES('e227944ae22bd',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79544627549982523922e+09);
INSERT INTO "results" VALUES('e227944ae22bd',1,'quiz','WRONG_ANSWER',5,0.5,'sha256:4fe242bb787729374237cf7e5b948646ff64d1d1322ce53b54366dade8351acd',1795446275.53592);
INSERT INTO "results" VALUES('e77a6a095f32f',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79544627557795405392e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',1,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79544627563024091721e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',1,'exam','TIME_LIMIT',5,0.5,'sha256:665f52e08e7257c76de2b5472e0fc32f6f3ca726106bc46624d1723a15e712ab',1.79544627567743921275e+09);
INSERT INTO "results" VALUES('e0bd1e43fabe9',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.7954462757244050503e+09);
INSERT INTO "results" VALUES('e85c1da521b94',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79544627575799965856e+09);
INSERT INTO "results" VALUES('e85c1da521b94',1,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79544627577683138844e+09);
INSERT INTO "results" VALUES('e22ff431ca677',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.7954462758140246868e+09);
INSERT INTO "results" VALUES('e22ff431ca677',1,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79544627584108805657e+09);
INSERT INTO "results" VALUES('e22ff431ca677',1,'exam','OK',5,0.5,'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4',1.79544627587896728519e+09);
INSERT INTO "results" VALUES('e7add14e2aec9',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79544627592625617978e+09);
INSERT INTO "results" VALUES('e7add14e2aec9',1,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79544627595623064041e+09);
INSERT INTO "results" VALUES('ec0d639a96d4d',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79544627603315901757e+09);
INSERT INTO "results" VALUES('ec0d639a96d4d',1,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79544627606864595414e+09);
INSERT INTO "results" VALUES('e61cdec782e70',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.7954462761594445706e+09);
INSERT INTO "results" VALUES('e61cdec782e70',1,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79544627618799543383e+09);
INSERT INTO "results" VALUES('e7a6bd6a6224d',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79544627628440690045e+09);
INSERT INTO "results" VALUES('e7a6bd6a6224d',1,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79544627632228827483e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',2,'exam','OK',5,0.5,'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4',1.79544627494828677172e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',2,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.7954462748079326153e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',2,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.7954462748793902397e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',2,'exam','OK',5,0.5,'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4',1.79544627527196073535e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',2,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79544627510874104498e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',2,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79544627518523502345e+09);
INSERT INTO "results" VALUES('ed4526559d9db',2,'exam','OK',5,0.5,'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4',1.79544627537742614749e+09);
INSERT INTO "results" VALUES('ed4526559d9db',2,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79544627532934308053e+09);
INSERT INTO "results" VALUES('ed4526559d9db',2,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79544627535314178464e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',2,'exam','TIME_LIMIT',5,0.5,'sha256:665f52e08e7257c76de2b5472e0fc32f6f3ca726106bc46624d1723a15e712ab',1.79544627567743921275e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',2,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79544627557795405392e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',2,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79544627563024091721e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',3,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.7954462748079326153e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',3,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.7954462748793902397e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',3,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79544627510874104498e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',3,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79544627518523502345e+09);
INSERT INTO "results" VALUES('ed4526559d9db',3,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79544627532934308053e+09);
INSERT INTO "results" VALUES('ed4526559d9db',3,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79544627535314178464e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',3,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79544627557795405392e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',3,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79544627563024091721e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',5,'exam','OK',5,0.5,'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4',1.79544627494828677172e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',5,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.7954462748079326153e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',5,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.7954462748793902397e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',5,'exam','OK',5,0.5,'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4',1.79544627527196073535e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',5,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79544627510874104498e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',5,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79544627518523502345e+09);
INSERT INTO "results" VALUES('ed4526559d9db',5,'exam','OK',5,0.5,'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4',1.79544627537742614749e+09);
INSERT INTO "results" VALUES('ed4526559d9db',5,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79544627532934308053e+09);
INSERT INTO "results" VALUES('ed4526559d9db',5,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79544627535314178464e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',5,'exam','TIME_LIMIT',5,0.5,'sha256:665f52e08e7257c76de2b5472e0fc32f6f3ca726106bc46624d1723a15e712ab',1.79544627567743921275e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',5,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79544627557795405392e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',5,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79544627563024091721e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',2,'score','OK',5,0.5,'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020',1.79544627674791240686e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',2,'score','OK',5,0.5,'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020',1.79544627681620550157e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',2,'score','OK',5,0.5,'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020',1.79544627688141536711e+09);
INSERT INTO "results" VALUES('ed4526559d9db',2,'score','OK',5,0.5,'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020',1.79544627694574689862e+09);
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
INSERT INTO "scores" VALUES('e035c3bccb8e1',1,'F1',0.5,'{"primary": "F1", "values": {"F1": 0.5}, "official": {"F1": 0.5}, "notes": [], "intervals": {"F1": [0.25, 0.75]}}',1.79544627503378915783e+09,0.25,0.75);
INSERT INTO "scores" VALUES('ec9c0bcecb2a2',1,'F1',0.5,'{"primary": "F1", "values": {"F1": 0.5}, "official": {"F1": 0.5}, "notes": [], "intervals": {"F1": [0.25, 0.75]}}',1.7954462753071095943e+09,0.25,0.75);
INSERT INTO "scores" VALUES('ed4526559d9db',1,'F1',0.5,'{"primary": "F1", "values": {"F1": 0.5}, "official": {"F1": 0.5}, "notes": [], "intervals": {"F1": [0.25, 0.75]}}',1.79544627541945743566e+09,0.25,0.75);
INSERT INTO "scores" VALUES('e035c3bccb8e1',2,'F1',0.7,'{"primary": "F1", "values": {"F1": 0.7}, "official": {"F1": 0.7}, "notes": [], "intervals": {"F1": [0.35, 1.0499999999999998]}}',1.79544627676502871515e+09,0.35,1.04999999999999982236e+00);
INSERT INTO "scores" VALUES('e77a6a095f32f',2,'F1',0.7,'{"primary": "F1", "values": {"F1": 0.7}, "official": {"F1": 0.7}, "notes": [], "intervals": {"F1": [0.35, 1.0499999999999998]}}',1.79544627683238506316e+09,0.35,1.04999999999999982236e+00);
INSERT INTO "scores" VALUES('ec9c0bcecb2a2',2,'F1',0.7,'{"primary": "F1", "values": {"F1": 0.7}, "official": {"F1": 0.7}, "notes": [], "intervals": {"F1": [0.35, 1.0499999999999998]}}',1.79544627690660524364e+09,0.35,1.04999999999999982236e+00);
INSERT INTO "scores" VALUES('ed4526559d9db',2,'F1',0.7,'{"primary": "F1", "values": {"F1": 0.7}, "official": {"F1": 0.7}, "notes": [], "intervals": {"F1": [0.35, 1.0499999999999998]}}',1.79544627696066331863e+09,0.35,1.04999999999999982236e+00);
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
INSERT INTO "settings" VALUES('identity','50bbb49a22d04477bc34d7f19f310099');
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
INSERT INTO "shadows" VALUES('e035c3bccb8e1',2,'r1','cinc2017','',1,'score','done',1.79544627677949619293e+09,1,'',0,'{"cause": "verdict", "verdict": "OK"}','');
INSERT INTO "shadows" VALUES('ec9c0bcecb2a2',2,'r1','cinc2017','',1,'score','done',1.79544627691759467119e+09,1,'',0,'{"cause": "verdict", "verdict": "OK"}','');
INSERT INTO "shadows" VALUES('ed4526559d9db',2,'r1','cinc2017','',1,'score','done',1.79544627697247338293e+09,1,'',0,'{"cause": "verdict", "verdict": "OK"}','');
INSERT INTO "shadows" VALUES('e77a6a095f32f',2,'r1','cinc2017','',1,'score','done',1.79544627684958052636e+09,1,'',0,'{"cause": "verdict", "verdict": "OK"}','');
INSERT INTO "shadows" VALUES('e035c3bccb8e1',3,'r2','cinc2017','',1,'exam','cancelled',1.79544627702460503574e+09,0,'',0,'{"cause": "discarded"}','');
INSERT INTO "shadows" VALUES('ec9c0bcecb2a2',3,'r2','cinc2017','',1,'exam','cancelled',1.79544627702460503574e+09,0,'',0,'{"cause": "discarded"}','');
INSERT INTO "shadows" VALUES('ed4526559d9db',3,'r2','cinc2017','',1,'exam','cancelled',1.79544627702460503574e+09,0,'',0,'{"cause": "discarded"}','');
INSERT INTO "shadows" VALUES('e77a6a095f32f',3,'r2','cinc2017','',1,'exam','cancelled',1.79544627702460503574e+09,0,'',0,'{"cause": "discarded"}','');
INSERT INTO "shadows" VALUES('e035c3bccb8e1',4,'r3','cinc2017','',1,'prep','prep',1.79544627703754854208e+09,0,'',0,'','');
INSERT INTO "shadows" VALUES('ec9c0bcecb2a2',4,'r3','cinc2017','',1,'prep','queued',1.79544627659028077125e+09,0,'',0,'','');
INSERT INTO "shadows" VALUES('ed4526559d9db',4,'r3','cinc2017','',1,'prep','queued',1.79544627659028077125e+09,0,'',0,'','');
INSERT INTO "shadows" VALUES('e77a6a095f32f',4,'r3','cinc2017','',1,'prep','parked',1.79544627705173087117e+09,0,'',0,'{"cause": "challenge", "message": "no score", "stage": "exam"}','');
INSERT INTO "shadows" VALUES('e035c3bccb8e1',5,'r4','cinc2017','',1,'score','queued',1.79544627665568256374e+09,0,'',0,'','');
INSERT INTO "shadows" VALUES('ec9c0bcecb2a2',5,'r4','cinc2017','',1,'score','queued',1.79544627665568256374e+09,0,'',0,'','');
INSERT INTO "shadows" VALUES('ed4526559d9db',5,'r4','cinc2017','',1,'score','queued',1.79544627665568256374e+09,0,'',0,'','');
INSERT INTO "shadows" VALUES('e77a6a095f32f',5,'r4','cinc2017','',1,'score','queued',1.79544627665568256374e+09,0,'',0,'','');
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
INSERT INTO "teams" VALUES('red',1.79544627401309847829e+09);
INSERT INTO "teams" VALUES('Blue',1.79544627406746149064e+09);
INSERT INTO "teams" VALUES('großes Team',1.79544627409654164312e+09);
INSERT INTO "teams" VALUES('green',1.79544627411983561508e+09);
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
COMMIT;
