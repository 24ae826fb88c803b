BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0006');
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
INSERT INTO "entries" VALUES('e035c3bccb8e1',1,'cinc2017','red','0.zip','5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9',2,'','done',2,1,1.79544624509641146661e+09,1.79544624780008411401e+09,'old:1',0,'{"cause": "verdict", "verdict": "OK"}','');
INSERT INTO "entries" VALUES('ec9c0bcecb2a2',2,'cinc2017','Blue','1.zip','6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b',2,'','done',2,1,1.79544624516363167769e+09,1.79544624780008411401e+09,'old:1',0,'{"cause": "verdict", "verdict": "OK"}','');
INSERT INTO "entries" VALUES('ed4526559d9db',3,'cinc2017','großes Team','2.zip','d4735e3a265e16eee03f59718b9b5d03019c07d8b6c51f90da3a666eec13ab35',2,'','done',2,1,1.79544624518346166612e+09,1.79544624780008411401e+09,'old:1',0,'{"cause": "verdict", "verdict": "OK"}','');
INSERT INTO "entries" VALUES('eee3a0e44c60b',4,'cinc2017','green','3.zip','4e07408562bedb8b60ce05c1decfe3ad16b72230967de01f640b7e4729b49fce',2,'','done',1,0,1.79544624521574735639e+09,1.79544624631824588779e+09,'old:1',0,'{"cause": "verdict", "verdict": "PREP_ERROR"}','');
INSERT INTO "entries" VALUES('e227944ae22bd',5,'cinc2017','red','4.zip','4b227777d4dd1fc61c6f884f48641d02b4d121d3fd328cb08b5531fcacdabf8a',2,'','done',1,0,1.79544624524765563007e+09,1.79544624638552045826e+09,'old:1',0,'{"cause": "verdict", "verdict": "WRONG_ANSWER"}','');
INSERT INTO "entries" VALUES('e77a6a095f32f',6,'cinc2017','Blue','5.zip','ef2d127de37b942baad06145e54b0c619a1f22327b2ebbcfbec78f5564afe39d',2,'','done',2,1,1.79544624526738023752e+09,1.79544624780008411401e+09,'old:1',0,'{"cause": "verdict", "verdict": "OK"}','');
INSERT INTO "entries" VALUES('ead9741ba7ef7',7,'cinc2017','großes Team','6.zip','e7f6c011776e8db7cd330b54174fd76f7d0216b612387a5ffcfb81e6f0919683',2,'','prep',1,0,1.79544624529980516433e+09,1.79544624566126179696e+09,'old:1',0,'','');
INSERT INTO "entries" VALUES('e0bd1e43fabe9',8,'cinc2017','green','7.zip','7902699be42c8a8e46fbbb4501726517e86b22c56a189f7625a6da49081b2451',2,'','quiz',1,0,1.79544624532552504541e+09,1.79544624655207347863e+09,'old:1',0,'','');
INSERT INTO "entries" VALUES('e85c1da521b94',9,'cinc2017','red','8.zip','2c624232cdd221771294dfbb310aca000a0df6ac8b66b696d90ef06fdefb64a3',2,'','exam',1,1,1.79544624535550928108e+09,1.79544624726427149777e+09,'old:1',0,'{"cause": "retry", "message": "try 2 in 30 s: SandboxFault: the guest is gone", "stage": "exam"}','');
INSERT INTO "entries" VALUES('e22ff431ca677',10,'cinc2017','Blue','9.zip','19581e27de7ced00ff1ce50b2047e7a567c76b1cbaebabe5ef03f7c3017bb5b7',2,'','score',1,1,1.79544624539643287658e+09,1.795446246741298914e+09,'old:1',0,'','');
INSERT INTO "entries" VALUES('e7add14e2aec9',11,'cinc2017','großes Team','10.zip','4a44dc15364204a80fe80e9039455cc1608281820fe2b24f1e5233ade6af1dd5',2,'','parked',1,1,1.79544624542344212533e+09,1.79544624686565089223e+09,'old:1',0,'{"cause": "infrastructure", "message": "exam: SandboxFault: the guest is gone", "stage": "exam"}','');
INSERT INTO "entries" VALUES('ec0d639a96d4d',12,'cinc2017','green','11.zip','4fc82b26aecb47d2868c4efbe3581732a3e7cbcc6c2efb32062c08170a05eeb8',2,'','parked',1,1,1.79544624544047379493e+09,1.79544624707223343844e+09,'old:1',0,'{"cause": "infrastructure", "message": "exam: SandboxFault: the guest is gone", "stage": "exam"}','');
INSERT INTO "entries" VALUES('e61cdec782e70',13,'cinc2017','red','12.zip','6b51d431df5d7f141cbececcf79edf3dd861c3b4069f0b11661a3eefacbba918',2,'','queued',2,1,1.795446245467432499e+09,1.79544624718150115007e+09,'',0,'','');
INSERT INTO "entries" VALUES('e7a6bd6a6224d',14,'cinc2017','Blue','13.zip','3fdba35f04dc8c462986c992bcf875546257113072a909c162f7e470e581e278',2,'','cancelled',1,1,1.79544624548457574849e+09,1.79544624724832868577e+09,'old:1',0,'{"cause": "organiser"}','');
INSERT INTO "entries" VALUES('e064d0cbd2a30',15,'cinc2017','großes Team','14.zip','8527a891e224136950ff32ca212b45bc93f69fbb801c3b1ebedac52775f99e61',2,'','queued',1,0,1.79544624551812648767e+09,1.79544624551812648767e+09,'',0,'','');
INSERT INTO "entries" VALUES('eb5291caf82f0',16,'cinc2017','green','15.zip','e629fa6598d732768f7c726b4b621285f9c3b85303900aa912017db7617d8bdb',2,'','queued',1,0,1.79544624554811477657e+09,1.79544624554811477657e+09,'',0,'','');
INSERT INTO "entries" VALUES('ef20ae2707c46',17,'cinc2017','red','16.zip','b17ef6d19c7a5b1ee83b907c595526dcb1eb06db8227d650d5dda0a9f4ce8cd9',2,'','queued',1,0,1.79544624555802631374e+09,1.79544624555802631374e+09,'',0,'','');
INSERT INTO "entries" VALUES('e835ab6e28104',18,'cinc2017','Blue','17.zip','4523540f1504cd17100c4835e85b7eefd49911580f8efff0599a8f283be6b9e3',2,'','queued',1,0,1.79544624556801295277e+09,1.79544624556801295277e+09,'',0,'','');
INSERT INTO "entries" VALUES('e815f3f78e740',19,'cinc2017','großes Team','18.zip','4ec9599fc203d176a301536c2e091a19bc852759b255bd6818810a42c5fed14a',2,'','queued',1,0,1.79544624557949876789e+09,1.79544624557949876789e+09,'',0,'','');
INSERT INTO "entries" VALUES('e40da5beb8578',20,'cinc2017','green','19.zip','9400f1b21cb527d7fa3d3eabba93557a18ebe7a2ca4e471cfe5e4c5b4ca7f767',2,'','queued',1,0,1.79544624560367870329e+09,1.79544624560367870329e+09,'',0,'','');
INSERT INTO "entries" VALUES('eb19e260aa4a6',21,'cinc2017','red','20.zip','f5ca38f748a1d6eaf726b8a42fb575c3c71f1864a8143301782de13da2d9202b',2,'','cancelled',1,0,1.79544624560968780514e+09,1.79544624727666974066e+09,'',0,'{"cause": "organiser"}','');
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
INSERT INTO "journal" VALUES(1,1.79544624509641146661e+09,'e035c3bccb8e1','submitted','{"challenge": "cinc2017", "team": "red", "name": "0.zip", "sha256": "5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9", "bytes": 2, "commit": "", "number": 1}','561e9ac1a7dc70d8b5a358d89d090992816e452aff3207cdc50070f656e89944');
INSERT INTO "journal" VALUES(2,1.79544624516363167769e+09,'ec9c0bcecb2a2','submitted','{"challenge": "cinc2017", "team": "Blue", "name": "1.zip", "sha256": "6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b", "bytes": 2, "commit": "", "number": 2}','9a22300b9fc363f30851345580d559554cdb46ae8fc38212899ae5945bc6a924');
INSERT INTO "journal" VALUES(3,1.79544624518346166612e+09,'ed4526559d9db','submitted','{"challenge": "cinc2017", "team": "gro\u00dfes Team", "name": "2.zip", "sha256": "d4735e3a265e16eee03f59718b9b5d03019c07d8b6c51f90da3a666eec13ab35", "bytes": 2, "commit": "", "number": 3}','0ef2de2116d4c96a71893ea58b4b52fdaa5f2b8cb458b64f8da91630beab6d33');
INSERT INTO "journal" VALUES(4,1.79544624521574735639e+09,'eee3a0e44c60b','submitted','{"challenge": "cinc2017", "team": "green", "name": "3.zip", "sha256": "4e07408562bedb8b60ce05c1decfe3ad16b72230967de01f640b7e4729b49fce", "bytes": 2, "commit": "", "number": 4}','8e4e81dc5d611a191f8b4f51a38b566d8eeee42f869823c074ec39ca86b10920');
INSERT INTO "journal" VALUES(5,1.79544624524765563007e+09,'e227944ae22bd','submitted','{"challenge": "cinc2017", "team": "red", "name": "4.zip", "sha256": "4b227777d4dd1fc61c6f884f48641d02b4d121d3fd328cb08b5531fcacdabf8a", "bytes": 2, "commit": "", "number": 5}','051090546cd6aab28c17e3e6c7d998e28649bad77e84d60ab1d35f7d8f9a5bc9');
INSERT INTO "journal" VALUES(6,1.79544624526738023752e+09,'e77a6a095f32f','submitted','{"challenge": "cinc2017", "team": "Blue", "name": "5.zip", "sha256": "ef2d127de37b942baad06145e54b0c619a1f22327b2ebbcfbec78f5564afe39d", "bytes": 2, "commit": "", "number": 6}','d8c87924635752b8e19a55f5a43bb1c78ca733133a498474b8d202366ccdfa82');
INSERT INTO "journal" VALUES(7,1.79544624529980516433e+09,'ead9741ba7ef7','submitted','{"challenge": "cinc2017", "team": "gro\u00dfes Team", "name": "6.zip", "sha256": "e7f6c011776e8db7cd330b54174fd76f7d0216b612387a5ffcfb81e6f0919683", "bytes": 2, "commit": "", "number": 7}','361ec42c4acdcf780df6f6f0b986789c009b0250ce9aa5885096b15bbebd5d64');
INSERT INTO "journal" VALUES(8,1.79544624532552504541e+09,'e0bd1e43fabe9','submitted','{"challenge": "cinc2017", "team": "green", "name": "7.zip", "sha256": "7902699be42c8a8e46fbbb4501726517e86b22c56a189f7625a6da49081b2451", "bytes": 2, "commit": "", "number": 8}','9a8a88b40f5e5d9a61bc06f4ea9ab28cd3d03d2f273c7370272de8bd2e7c2b40');
INSERT INTO "journal" VALUES(9,1.79544624535550928108e+09,'e85c1da521b94','submitted','{"challenge": "cinc2017", "team": "red", "name": "8.zip", "sha256": "2c624232cdd221771294dfbb310aca000a0df6ac8b66b696d90ef06fdefb64a3", "bytes": 2, "commit": "", "number": 9}','0fbc7967256930c2348013b7a60566e2833bade553b7b8c931dccb3f334f53df');
INSERT INTO "journal" VALUES(10,1.79544624539643287658e+09,'e22ff431ca677','submitted','{"challenge": "cinc2017", "team": "Blue", "name": "9.zip", "sha256": "19581e27de7ced00ff1ce50b2047e7a567c76b1cbaebabe5ef03f7c3017bb5b7", "bytes": 2, "commit": "", "number": 10}','aa1998d3c6dfc7da854d0736d231dc947042fdbf8dfd9273126eaecd923d4b10');
INSERT INTO "journal" VALUES(11,1.79544624542344212533e+09,'e7add14e2aec9','submitted','{"challenge": "cinc2017", "team": "gro\u00dfes Team", "name": "10.zip", "sha256": "4a44dc15364204a80fe80e9039455cc1608281820fe2b24f1e5233ade6af1dd5", "bytes": 2, "commit": "", "number": 11}','2fa5fba29b0e28b9eeea54010bd6283f0fa9d2dae0374ece24d0ae0d8753187b');
INSERT INTO "journal" VALUES(12,1.79544624544047379493e+09,'ec0d639a96d4d','submitted','{"challenge": "cinc2017", "team": "green", "name": "11.zip", "sha256": "4fc82b26aecb47d2868c4efbe3581732a3e7cbcc6c2efb32062c08170a05eeb8", "bytes": 2, "commit": "", "number": 12}','6ac8fb99db36bebc663e8dd9e0f4900adb0127d060a9580b1c8afc0831bb31fb');
INSERT INTO "journal" VALUES(13,1.795446245467432499e+09,'e61cdec782e70','submitted','{"challenge": "cinc2017", "team": "red", "name": "12.zip", "sha256": "6b51d431df5d7f141cbececcf79edf3dd861c3b4069f0b11661a3eefacbba918", "bytes": 2, "commit": "", "number": 13}','ed0a2f623e3ae9debe88a00e33030124da2ab7bb37feb3839489e088dd10c525');
INSERT INTO "journal" VALUES(14,1.79544624548457574849e+09,'e7a6bd6a6224d','submitted','{"challenge": "cinc2017", "team": "Blue", "name": "13.zip", "sha256": "3fdba35f04dc8c462986c992bcf875546257113072a909c162f7e470e581e278", "bytes": 2, "commit": "", "number": 14}','db5ef303eea829308f6f9bfef87f9c8e0e05219b192ccde7ffcaf2feed3a1bb4');
INSERT INTO "journal" VALUES(15,1.79544624551812648767e+09,'e064d0cbd2a30','submitted','{"challenge": "cinc2017", "team": "gro\u00dfes Team", "name": "14.zip", "sha256": "8527a891e224136950ff32ca212b45bc93f69fbb801c3b1ebedac52775f99e61", "bytes": 2, "commit": "", "number": 15}','b9f4aebaae526cb9cb12ae1ab0958f23d42b8412193e8c171727d290cca9a7c5');
INSERT INTO "journal" VALUES(16,1.79544624554811477657e+09,'eb5291caf82f0','submitted','{"challenge": "cinc2017", "team": "green", "name": "15.zip", "sha256": "e629fa6598d732768f7c726b4b621285f9c3b85303900aa912017db7617d8bdb", "bytes": 2, "commit": "", "number": 16}','dc80135ff1695e454990c3304dab564c4bbed0d70709089c66b98cc11767d922');
INSERT INTO "journal" VALUES(17,1.79544624555802631374e+09,'ef20ae2707c46','submitted','{"challenge": "cinc2017", "team": "red", "name": "16.zip", "sha256": "b17ef6d19c7a5b1ee83b907c595526dcb1eb06db8227d650d5dda0a9f4ce8cd9", "bytes": 2, "commit": "", "number": 17}','3bc0fae79b50a62a2088f450561449da8e4101ea694f863c381bc7fa0325dfb6');
INSERT INTO "journal" VALUES(18,1.79544624556801295277e+09,'e835ab6e28104','submitted','{"challenge": "cinc2017", "team": "Blue", "name": "17.zip", "sha256": "4523540f1504cd17100c4835e85b7eefd49911580f8efff0599a8f283be6b9e3", "bytes": 2, "commit": "", "number": 18}','214a33c9b55c7e1fd16a9b950f21284aeb362b9de4d5443b4b6a752c50326b05');
INSERT INTO "journal" VALUES(19,1.79544624557949876789e+09,'e815f3f78e740','submitted','{"challenge": "cinc2017", "team": "gro\u00dfes Team", "name": "18.zip", "sha256": "4ec9599fc203d176a301536c2e091a19bc852759b255bd6818810a42c5fed14a", "bytes": 2, "commit": "", "number": 19}','0af995a6ef1f359e5e1e837e50aed115f03d11c9f8b34711b1bb0397817e3803');
INSERT INTO "journal" VALUES(20,1.79544624560367870329e+09,'e40da5beb8578','submitted','{"challenge": "cinc2017", "team": "green", "name": "19.zip", "sha256": "9400f1b21cb527d7fa3d3eabba93557a18ebe7a2ca4e471cfe5e4c5b4ca7f767", "bytes": 2, "commit": "", "number": 20}','ed9f8002f9c7289379a2bf33c7d3a27ff641bda081e98589997483156a5cc5ae');
INSERT INTO "journal" VALUES(21,1.79544624560968780514e+09,'eb19e260aa4a6','submitted','{"challenge": "cinc2017", "team": "red", "name": "20.zip", "sha256": "f5ca38f748a1d6eaf726b8a42fb575c3c71f1864a8143301782de13da2d9202b", "bytes": 2, "commit": "", "number": 21}','dddcf80b23658800be8790c45dfbe7c11d7c9a6915af00405af84b587da2efdc');
INSERT INTO "journal" VALUES(22,1.79544624562536239619e+09,'e035c3bccb8e1','moved','{"to": "prep", "reason": {}, "charged": null}','0783c48f47d6466af6ea50a22c62ba4d98e3db8163d2f89e9a04a6490835db33');
INSERT INTO "journal" VALUES(23,1.79544624563415741919e+09,'ec9c0bcecb2a2','moved','{"to": "prep", "reason": {}, "charged": null}','75b7ef6d09d200d910f5bf5a04e29cf7bc339071b1e39ab4ad65d6a86cae3977');
INSERT INTO "journal" VALUES(24,1.79544624564040088653e+09,'ed4526559d9db','moved','{"to": "prep", "reason": {}, "charged": null}','94fef57d305b2c4ea3162b0a1d15ddb6cf75c0a74acc4a7147b5e8d3545af916');
INSERT INTO "journal" VALUES(25,1.79544624564216780656e+09,'eee3a0e44c60b','moved','{"to": "prep", "reason": {}, "charged": null}','39fa6cc43e4a3b57889915ed134585a30d3eadcc8b13b67ac98ea63eb43adcb6');
INSERT INTO "journal" VALUES(26,1.79544624565325117108e+09,'e227944ae22bd','moved','{"to": "prep", "reason": {}, "charged": null}','f313dde2dcca69062c8625c36f01643dfb8b2dcfc08c44b04f9e94c6f9197f03');
INSERT INTO "journal" VALUES(27,1.79544624565943288798e+09,'e77a6a095f32f','moved','{"to": "prep", "reason": {}, "charged": null}','e73fad1100592409b57095e050d2b0839bdad9bf07c5d3008766094d97005559');
INSERT INTO "journal" VALUES(28,1.79544624566126179696e+09,'ead9741ba7ef7','moved','{"to": "prep", "reason": {}, "charged": null}','dc72912c785f677b7bf9be7e05603c1afd48508fd4c4d75578773cfe63673862');
INSERT INTO "journal" VALUES(29,1.79544624566287016869e+09,'e0bd1e43fabe9','moved','{"to": "prep", "reason": {}, "charged": null}','67ea2eb17417316055aefd99bfcdfd93e4ee7449ed6659514d4ba1dd6a4f598b');
INSERT INTO "journal" VALUES(30,1.79544624567470383642e+09,'e85c1da521b94','moved','{"to": "prep", "reason": {}, "charged": null}','c6b166e72517dafa2176cd0adfd3fffedfca02ebbff6e48d3d5023ddde4d2753');
INSERT INTO "journal" VALUES(31,1.79544624567785930636e+09,'e22ff431ca677','moved','{"to": "prep", "reason": {}, "charged": null}','8c919fa8326aa743770a35446fb749d7db48954b3030584cb4cb576cb151347a');
INSERT INTO "journal" VALUES(32,1.79544624569036912918e+09,'e7add14e2aec9','moved','{"to": "prep", "reason": {}, "charged": null}','fee48d5c721a8fd5e7c2f9a8b1fd3c76060891b6ceec0f35d1d1393d9325e4fe');
INSERT INTO "journal" VALUES(33,1.79544624570481300357e+09,'ec0d639a96d4d','moved','{"to": "prep", "reason": {}, "charged": null}','11ee41372f775c45f09bc99edad303ca0c7699f4f640b92a9ff27d0092bf6304');
INSERT INTO "journal" VALUES(34,1.79544624571629333502e+09,'e61cdec782e70','moved','{"to": "prep", "reason": {}, "charged": null}','cfd2750002687ca470ff9477768a6ab544b062f68b7449f3d74e119baaae8162');
INSERT INTO "journal" VALUES(35,1.79544624573438405985e+09,'e7a6bd6a6224d','moved','{"to": "prep", "reason": {}, "charged": null}','1ca7e42f8e3fa87c11e090f528c43cc1baeef62132856450c1b941192da39925');
INSERT INTO "journal" VALUES(36,1.79544624576998496055e+09,'e035c3bccb8e1','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','0a4b3ccedb4afb924d86c941f9f151fafbd8fd766bc3f034515e76529dee93ca');
INSERT INTO "journal" VALUES(37,1.79544624581249785428e+09,'e035c3bccb8e1','moved','{"to": "quiz", "reason": {}, "charged": null}','6a5c7e5fd516f5d33e32e1d7d7c0e6f24a4492d9fb7f1aa6a0d4a9958963ea5d');
INSERT INTO "journal" VALUES(38,1.79544624583480048182e+09,'e035c3bccb8e1','result','{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}','28df86fa7f1a0afee50916db62fa6fd5a14576711f501c3cfa93144c579023c0');
INSERT INTO "journal" VALUES(39,1.79544624585233736045e+09,'e035c3bccb8e1','moved','{"to": "exam", "reason": {}, "charged": null}','5b935c99913dc085ca3211c0978129fa03d783a6e1f31ffc5522a2b273d53de8');
INSERT INTO "journal" VALUES(40,1.79544624586441683771e+09,'e035c3bccb8e1','charged','{"charged": true}','2f6d93f094466b16249d8cea1a1b39d8adb789d62bad403639979b02ced7b102');
INSERT INTO "journal" VALUES(41,1.79544624588616800304e+09,'e035c3bccb8e1','result','{"stage": "exam", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4"}','5b3238a8eda019b4a328338e3f9acb0ae5baec4d146d015638991009b8bfeeb1');
INSERT INTO "journal" VALUES(42,1.79544624590342187875e+09,'e035c3bccb8e1','moved','{"to": "score", "reason": {}, "charged": null}','71d8de569d83cb69017dd82a095d496319fdd30333280c2f054b9c0fd6f2326e');
INSERT INTO "journal" VALUES(43,1.79544624592044115059e+09,'e035c3bccb8e1','result','{"stage": "score", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}','2a3ba7427587c559996fa66ba988fb48b2a631fdd4eac1356a92bedeab88b876');
INSERT INTO "journal" VALUES(44,1.79544624593379449845e+09,'e035c3bccb8e1','score','{"attempt": 1, "key": "F1", "value": 0.5, "low": 0.25, "high": 0.75, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.5}, \"official\": {\"F1\": 0.5}, \"notes\": [], \"intervals\": {\"F1\": [0.25, 0.75]}}"}','7126e9c7af1d34189e7ee26139f810cee72df62e5b2e63c539081a506c16638c');
INSERT INTO "journal" VALUES(45,1.79544624594804954524e+09,'e035c3bccb8e1','moved','{"to": "done", "reason": {"cause": "verdict", "verdict": "OK"}, "charged": null}','b2c161a31fa845fb21603b3a7146d00ffb6c49e7f1fc53685ff6a9cbb0a4ca0f');
INSERT INTO "journal" VALUES(46,1.7954462459728753567e+09,'ec9c0bcecb2a2','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','180294ef9d3d72bb0a0b3e882b812c967a409428d4c4c321b5cc922429e6c4d9');
INSERT INTO "journal" VALUES(47,1.79544624598527169227e+09,'ec9c0bcecb2a2','moved','{"to": "quiz", "reason": {}, "charged": null}','d4300b9074bc111a77b3c0ee422ed038cd725a43f58ef1425800e31dcb1fa1a4');
INSERT INTO "journal" VALUES(48,1.79544624600307321541e+09,'ec9c0bcecb2a2','result','{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}','f61111a14835e906c9fe810a571749c6a64e188f13f3f0337144980791cc5261');
INSERT INTO "journal" VALUES(49,1.79544624601829099657e+09,'ec9c0bcecb2a2','moved','{"to": "exam", "reason": {}, "charged": null}','e32ebdbcff51168aa36c41edcd7140ef3cf9b3d00e90282dc48b283527fa3ead');
INSERT INTO "journal" VALUES(50,1.79544624602361917488e+09,'ec9c0bcecb2a2','charged','{"charged": true}','0dae09c11d426f91414dcfc0185a3f135aa02058bec15d9bf2ecdda152c70c44');
INSERT INTO "journal" VALUES(51,1.7954462460320107937e+09,'ec9c0bcecb2a2','result','{"stage": "exam", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4"}','b98ea1104f00fe7cb109668eff55a2be60aad35c38cb54edcf6e4f221ba28810');
INSERT INTO "journal" VALUES(52,1.79544624604957389832e+09,'ec9c0bcecb2a2','moved','{"to": "score", "reason": {}, "charged": null}','d883c4eed5071dd467181583227b544bb1d05e7cb52a39be620547fd5dec0e14');
INSERT INTO "journal" VALUES(53,1.79544624606470370293e+09,'ec9c0bcecb2a2','result','{"stage": "score", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}','b6aec6d5c005285cb9740d43370c4d972a747dd2d3380b46370b6e063b1b0381');
INSERT INTO "journal" VALUES(54,1.79544624607924270627e+09,'ec9c0bcecb2a2','score','{"attempt": 1, "key": "F1", "value": 0.5, "low": 0.25, "high": 0.75, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.5}, \"official\": {\"F1\": 0.5}, \"notes\": [], \"intervals\": {\"F1\": [0.25, 0.75]}}"}','6d21c86213bbaddc1eae329ce5576439924edb3ce30179a730f8ff805ff41ab1');
INSERT INTO "journal" VALUES(55,1.79544624608886933328e+09,'ec9c0bcecb2a2','moved','{"to": "done", "reason": {"cause": "verdict", "verdict": "OK"}, "charged": null}','adcbdaf7003e886bee4b45858bede32228ffebcb53a98d9e659643822cf0fc7b');
INSERT INTO "journal" VALUES(56,1.79544624611270141603e+09,'ed4526559d9db','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','542db90ec689765565151926bbea3dec25e1daadbaac3bc7023d085718957aff');
INSERT INTO "journal" VALUES(57,1.79544624613607454294e+09,'ed4526559d9db','moved','{"to": "quiz", "reason": {}, "charged": null}','ea9bc3c7c2a9aeb73ac657e7fe052ff9da18cf2ee6791c49e328446571b759a5');
INSERT INTO "journal" VALUES(58,1.79544624616024780269e+09,'ed4526559d9db','result','{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}','2f7740fb9967f3ca34a9f4242961e42bf776f42d071b533cff2ef677c2f8d8ee');
INSERT INTO "journal" VALUES(59,1.7954462461767895222e+09,'ed4526559d9db','moved','{"to": "exam", "reason": {}, "charged": null}','bf99dc5d75638f661560d4cc4335d950b41871d2ad19d23888aeb27619f85ce8');
INSERT INTO "journal" VALUES(60,1.79544624619122362139e+09,'ed4526559d9db','charged','{"charged": true}','838cea27bd01e5cd7006b345280438f2a6ebac669ef9ede35bc106cbbad2e88e');
INSERT INTO "journal" VALUES(61,1.79544624621981763843e+09,'ed4526559d9db','result','{"stage": "exam", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4"}','3ef62de508848b602536d68fc74d2cdea9578729795121e6ee74973323cd640c');
INSERT INTO "journal" VALUES(62,1.79544624623872590063e+09,'ed4526559d9db','moved','{"to": "score", "reason": {}, "charged": null}','c57e094544956b01820dce7d583c5ce2352fb7d09aa2620d916048cd343b23b7');
INSERT INTO "journal" VALUES(63,1.79544624624786233898e+09,'ed4526559d9db','result','{"stage": "score", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}','c875bfc335fe848dd6de0685f211d73a86f6b82e004c1b15c20def65072a02aa');
INSERT INTO "journal" VALUES(64,1.79544624626446819304e+09,'ed4526559d9db','score','{"attempt": 1, "key": "F1", "value": 0.5, "low": 0.25, "high": 0.75, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.5}, \"official\": {\"F1\": 0.5}, \"notes\": [], \"intervals\": {\"F1\": [0.25, 0.75]}}"}','4b213a10bb86ecb7b5bde65707fe8af8c1d30826a5fb5af4545960399ff94bb7');
INSERT INTO "journal" VALUES(65,1.7954462462800722122e+09,'ed4526559d9db','moved','{"to": "done", "reason": {"cause": "verdict", "verdict": "OK"}, "charged": null}','21f2ef6961495561cb65a357ade7390ca544a7d4d09a1e9e2cedf9a087be02d0');
INSERT INTO "journal" VALUES(66,1.79544624630382013323e+09,'eee3a0e44c60b','result','{"stage": "prep", "attempt": 1, "verdict": "PREP_ERROR", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:1507d3acde2ad05b52c105667aa22926b12e2664ceb959e1def1ef40760af46e"}','47558358e7aa9e6df5e952f15a61f5acc3280deb61ae04511c08055c35ba87be');
INSERT INTO "journal" VALUES(67,1.79544624631824588779e+09,'eee3a0e44c60b','moved','{"to": "done", "reason": {"cause": "verdict", "verdict": "PREP_ERROR"}, "charged": null}','a6b38a4b7c793cb31f0ea82484cf1e2cfcc894d38d86ec5d11145d6a3f32d3cc');
INSERT INTO "journal" VALUES(68,1.79544624633809661866e+09,'e227944ae22bd','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','7a707707b3166202665c18c5cd4191a624e25e5fb9b2f96a3317661f0cb71e87');
INSERT INTO "journal" VALUES(69,1.79544624635248613354e+09,'e227944ae22bd','moved','{"to": "quiz", "reason": {}, "charged": null}','cbc8f06694d8a07f6c127381a8a0c13629c51f2b61618be13ca3762da89fbed5');
INSERT INTO "journal" VALUES(70,1.79544624637236285204e+09,'e227944ae22bd','result','{"stage": "quiz", "attempt": 1, "verdict": "WRONG_ANSWER", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:4fe242bb787729374237cf7e5b948646ff64d1d1322ce53b54366dade8351acd"}','321c5f2dd2587efc634a034da52c6ee460deb102e017808cdee63abc35250e93');
INSERT INTO "journal" VALUES(71,1.79544624638552045826e+09,'e227944ae22bd','moved','{"to": "done", "reason": {"cause": "verdict", "verdict": "WRONG_ANSWER"}, "charged": null}','7df5a2d38ff929ce37c5653866c5f6b63d16354521b339ad1d58a7e77425ddad');
INSERT INTO "journal" VALUES(72,1.79544624641008782389e+09,'e77a6a095f32f','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','20522f98349db6869d126a7c36e84452b40bd129a2b0ddbc8c0af5d29e17d289');
INSERT INTO "journal" VALUES(73,1.79544624642379546165e+09,'e77a6a095f32f','moved','{"to": "quiz", "reason": {}, "charged": null}','f60a2aede5a3f49741127e8fdaadee3fb47c12f7290e709c7fcf835e1c13cf4d');
INSERT INTO "journal" VALUES(74,1.79544624643718981745e+09,'e77a6a095f32f','result','{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}','ae4ebae87773bcc086fd9987ff33dc924b3be85e243bf85714bdac7832552378');
INSERT INTO "journal" VALUES(75,1.79544624645800232889e+09,'e77a6a095f32f','moved','{"to": "exam", "reason": {}, "charged": null}','510ed7215ce0aeb6fa2c0c24d9e1327fb590c61c60e06b8189488098aeac4129');
INSERT INTO "journal" VALUES(76,1.79544624648013210295e+09,'e77a6a095f32f','charged','{"charged": true}','d726d0e70dc59e9c2405ff39fec785b190173b9d16c86397ae0d61a2d9daedb9');
INSERT INTO "journal" VALUES(77,1.79544624648713493347e+09,'e77a6a095f32f','result','{"stage": "exam", "attempt": 1, "verdict": "TIME_LIMIT", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:665f52e08e7257c76de2b5472e0fc32f6f3ca726106bc46624d1723a15e712ab"}','44c82719645bb6281a54612bb97f0d68ec6df2a851bdf1a82b6b2bb8cf84db07');
INSERT INTO "journal" VALUES(78,1.79544624651676964759e+09,'e77a6a095f32f','moved','{"to": "done", "reason": {"cause": "verdict", "verdict": "TIME_LIMIT"}, "charged": null}','42f885763cc7dcea4b089c6e38adcb63d0b1c6450502a082f40eb47da8fd73e1');
INSERT INTO "journal" VALUES(79,1.79544624653065252304e+09,'e0bd1e43fabe9','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','0c10273bc2d1b4cb597952c5ad13ccf07910f81394ef6a1fffea7bb86857d69c');
INSERT INTO "journal" VALUES(80,1.79544624655207347863e+09,'e0bd1e43fabe9','moved','{"to": "quiz", "reason": {}, "charged": null}','a702329617ea89752f84ea3c28ad2e39d00f73aed18ea17dc8c1e1ca5efdb080');
INSERT INTO "journal" VALUES(81,1.79544624657022404675e+09,'e85c1da521b94','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','cccdc74cb6c8a95e625b977a3f52aad4768653c653dbf4f0b692c4ea195b4945');
INSERT INTO "journal" VALUES(82,1.79544624658245277407e+09,'e85c1da521b94','moved','{"to": "quiz", "reason": {}, "charged": null}','236f133098058f512f7c96e2ef7bfa5659affd8df20961c7f52b5c7aa0d6a5bd');
INSERT INTO "journal" VALUES(83,1.79544624660117626193e+09,'e85c1da521b94','result','{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}','4e8b74da577f50b784b8ee5e6960f801d2a49a58976a6252ae895bba0fbbe740');
INSERT INTO "journal" VALUES(84,1.79544624661153531071e+09,'e85c1da521b94','moved','{"to": "exam", "reason": {}, "charged": null}','97638bf338e8309adb3e8a1b1ec84945827505d4f4fb4aeb0bd006312f1ff7f2');
INSERT INTO "journal" VALUES(85,1.79544624662031555178e+09,'e85c1da521b94','charged','{"charged": true}','6b3e731047155059e7b70a03618efa441a4a367531f0db37a1c64b7e00ba5573');
INSERT INTO "journal" VALUES(86,1.79544624663248777391e+09,'e22ff431ca677','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','591e180cc48df7005458c00e569c1c569e3e689fd2f82c42506617712c2b2605');
INSERT INTO "journal" VALUES(87,1.79544624665260982515e+09,'e22ff431ca677','moved','{"to": "quiz", "reason": {}, "charged": null}','6c011db7e0555bd75d626fcf2f4ce0952cd997885fda6f26f14531e88c10d504');
INSERT INTO "journal" VALUES(88,1.79544624666917634015e+09,'e22ff431ca677','result','{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}','00dbda44d0d6ac4e567fff59f3bf0088528d427473ec62a1d03bd3ba5708f8d9');
INSERT INTO "journal" VALUES(89,1.79544624668248295785e+09,'e22ff431ca677','moved','{"to": "exam", "reason": {}, "charged": null}','20bbdee9bf8aec52770eb7863f7863c769a4da7abf150008e3c092d59dae4a15');
INSERT INTO "journal" VALUES(90,1.79544624670854210848e+09,'e22ff431ca677','charged','{"charged": true}','7405807a940625e731f35d38bb3b5929a48f0578203f6b1d9e4986082daedff4');
INSERT INTO "journal" VALUES(91,1.7954462467203741074e+09,'e22ff431ca677','result','{"stage": "exam", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4"}','b79ad28c199c4aebfc0828a241675d0de26df3e4df3f4466aa59c2b3e67dbcac');
INSERT INTO "journal" VALUES(92,1.795446246741298914e+09,'e22ff431ca677','moved','{"to": "score", "reason": {}, "charged": null}','bae77862f61bc208038e18375d79bcee0ce5993bbb399648bbe8528b8cb5f7aa');
INSERT INTO "journal" VALUES(93,1.79544624676045107844e+09,'e7add14e2aec9','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','ebe8b5553111288dc4bb87c93bb60196e54c7571dfb7b85550daccce8e1de623');
INSERT INTO "journal" VALUES(94,1.79544624678108572955e+09,'e7add14e2aec9','moved','{"to": "quiz", "reason": {}, "charged": null}','12a9fbffabc1af44dfc189a74a7bba6cb973471b13169c6694e8bd8872f2631a');
INSERT INTO "journal" VALUES(95,1.79544624680067181586e+09,'e7add14e2aec9','result','{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}','7388c198f5933923bb5753d9752d6f3fff73d945424978d7c3414912d1c7703e');
INSERT INTO "journal" VALUES(96,1.79544624682309842105e+09,'e7add14e2aec9','moved','{"to": "exam", "reason": {}, "charged": null}','48d7908e061d2a702c2449cc2a1ecfd473ad986665780ac3d0c3a4ae85abd86e');
INSERT INTO "journal" VALUES(97,1.79544624684755229956e+09,'e7add14e2aec9','charged','{"charged": true}','05a223ec040444ed10a7c9d957512694851ec7bf6665fd0e4a8d372e08f3f0ff');
INSERT INTO "journal" VALUES(98,1.79544624686565089223e+09,'e7add14e2aec9','moved','{"to": "parked", "reason": {"cause": "infrastructure", "stage": "exam", "message": "exam: SandboxFault: the guest is gone"}, "charged": null}','c08057f5f7008597c63d763c9a9be6571c11fd6ead69adc4d2f0c4f0e01e477c');
INSERT INTO "journal" VALUES(99,1.7954462468867745399e+09,'ec0d639a96d4d','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','0718e28733c430db2be13d211d85916d2375c695465c65f71939863689444a98');
INSERT INTO "journal" VALUES(100,1.79544624692200422292e+09,'ec0d639a96d4d','moved','{"to": "quiz", "reason": {}, "charged": null}','a64726945e7ce082aee62b367e296d3ead773d243234e10784249a379a06e306');
INSERT INTO "journal" VALUES(101,1.79544624695353674881e+09,'ec0d639a96d4d','result','{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}','bb4a78c3e94b53ef8a98c3de5eabd7b70fa8213f8405bf19188502c78267ca01');
INSERT INTO "journal" VALUES(102,1795446247.01759,'ec0d639a96d4d','moved','{"to": "exam", "reason": {}, "charged": null}','d84ad475b2af0fc4fdb285a3c20ebe3c91dc644f8a3590263ab5ee09af6ca178');
INSERT INTO "journal" VALUES(103,1795446247.05648,'ec0d639a96d4d','charged','{"charged": true}','55d5b6e3ae971d6578f5d15ff0319eea29c78ff0ac34e518b57bbfd3f65d2251');
INSERT INTO "journal" VALUES(104,1.79544624707223343844e+09,'ec0d639a96d4d','moved','{"to": "parked", "reason": {"cause": "infrastructure", "stage": "exam", "message": "exam: SandboxFault: the guest is gone"}, "charged": null}','291655745f8d124946176d4a74e9838e97268ef0859de1bc0a9f019034e2fcfa');
INSERT INTO "journal" VALUES(105,1.79544624710067844391e+09,'e61cdec782e70','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','4132aa10b53fd41872d13be1e1928d86784fc30be5fba068bebc3449de33d611');
INSERT INTO "journal" VALUES(106,1.79544624712254333488e+09,'e61cdec782e70','moved','{"to": "quiz", "reason": {}, "charged": null}','795c325b33b895e433b5a09b9205d4d7d14e0b1450bac3fda86162ccfbd2be29');
INSERT INTO "journal" VALUES(107,1.7954462471360149384e+09,'e61cdec782e70','result','{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}','44a2cd771d50c9bd955ddd4c5de8eb49dafa781dd98df446e3207dffa1bf5b92');
INSERT INTO "journal" VALUES(108,1.79544624714235210422e+09,'e61cdec782e70','moved','{"to": "exam", "reason": {}, "charged": null}','30b09ff0aab2554c2e360cdbfd580174f837313bf3472c62c28a58e10ab0d062');
INSERT INTO "journal" VALUES(109,1.79544624715786838532e+09,'e61cdec782e70','charged','{"charged": true}','275a595a2c45e7d6c01b8c745d8b0c5972706ca334f3fd785069b78ff06aa96e');
INSERT INTO "journal" VALUES(110,1.79544624716521787643e+09,'e61cdec782e70','moved','{"to": "parked", "reason": {"cause": "infrastructure", "stage": "exam", "message": "exam: SandboxFault: the guest is gone"}, "charged": null}','18270e1254e945609fcc9912b4d94be2900406a96d6347c76b006ad51a0723eb');
INSERT INTO "journal" VALUES(111,1.79544624718150115007e+09,'e61cdec782e70','retried','{"attempt": 2}','c226b11d133fd715c77003ee5f71d800a9ca00f39aed43802c2bb507e5115724');
INSERT INTO "journal" VALUES(112,1.79544624720186114311e+09,'e7a6bd6a6224d','result','{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}','d085d49c9c2c5131020004980bfa144d196c6d06bd8633dd78b31b9cbac3c7dd');
INSERT INTO "journal" VALUES(113,1.79544624722370719906e+09,'e7a6bd6a6224d','moved','{"to": "quiz", "reason": {}, "charged": null}','3d1038dbc2faebf17157af29c898df7e2c2ad182429ab0bea6f28a3aaca3f246');
INSERT INTO "journal" VALUES(114,1.79544624723815464967e+09,'e7a6bd6a6224d','result','{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}','7a48d17a91fdb13d2bb0289377c5dd9c7f2cba857a29cd01325f4a530e5ca35d');
INSERT INTO "journal" VALUES(115,1.79544624724123024935e+09,'e7a6bd6a6224d','moved','{"to": "exam", "reason": {}, "charged": null}','ba4e799519b399bf11455ff764fcc6b2770eb268f8d60f91305c0fce437895f1');
INSERT INTO "journal" VALUES(116,1.79544624724313378336e+09,'e7a6bd6a6224d','charged','{"charged": true}','2fee9cc3298fc9a362a2ae1f45b2e82af0d44cd0ff5398cad56434b5bfdcc4a4');
INSERT INTO "journal" VALUES(117,1.79544624724832868577e+09,'e7a6bd6a6224d','moved','{"to": "cancelled", "reason": {"cause": "organiser"}, "charged": null}','253f7bcdbb25786dafff1bca6d4a74b72a5a9a3fbbc52106ab1302554c053e61');
INSERT INTO "journal" VALUES(118,1.79544624726427149777e+09,'e85c1da521b94','moved','{"to": "exam", "reason": {"cause": "retry", "stage": "exam", "message": "try 2 in 30 s: SandboxFault: the guest is gone"}, "charged": null}','fed545e2f5d962e735a02ec8a10134eac0c6b15fac162f6d8c30452da93faada');
INSERT INTO "journal" VALUES(119,1.79544624727666974066e+09,'eb19e260aa4a6','moved','{"to": "cancelled", "reason": {"cause": "organiser"}, "charged": null}','e8a620ba2e84ab23c4907c39219026bd0e15807279d45dc36b9198d86d3a1671');
INSERT INTO "journal" VALUES(120,1.79544624735603427882e+09,'e035c3bccb8e1','shadowed','{"attempt": 2, "purpose": "r1", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}','0c84300ec807dcb82aa18b5d3228cba411df187d22cca32c4743b254bd95dc61');
INSERT INTO "journal" VALUES(121,1.79544624735603427882e+09,'ec9c0bcecb2a2','shadowed','{"attempt": 2, "purpose": "r1", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}','1f847f738b7336e2651676857ad863ba1979bf66775dd158819123e47d163e54');
INSERT INTO "journal" VALUES(122,1.79544624735603427882e+09,'ed4526559d9db','shadowed','{"attempt": 2, "purpose": "r1", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}','0f459a18d993a23b1beaef521243cc1bb4b263737f22ffea9584d128a89368a8');
INSERT INTO "journal" VALUES(123,1.79544624735603427882e+09,'e77a6a095f32f','shadowed','{"attempt": 2, "purpose": "r1", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}','8cc5ac8e6a056a3bd3ad905521481236dfd41e6d0f6ee646d18e303c264120f6');
INSERT INTO "journal" VALUES(124,1.79544624741855311398e+09,'e035c3bccb8e1','shadowed','{"attempt": 3, "purpose": "r2", "challenge": "cinc2017", "references": "", "base": 1, "first": "exam"}','dcfb7e1e0705963671598bbace8b85d5b9913f1c22300fb305c44314ed04ed51');
INSERT INTO "journal" VALUES(125,1.79544624741855311398e+09,'ec9c0bcecb2a2','shadowed','{"attempt": 3, "purpose": "r2", "challenge": "cinc2017", "references": "", "base": 1, "first": "exam"}','ee237faedbdf61600fb8180c85d82f1e56f65be1a3c8e966e1cecd930f9b1ee7');
INSERT INTO "journal" VALUES(126,1.79544624741855311398e+09,'ed4526559d9db','shadowed','{"attempt": 3, "purpose": "r2", "challenge": "cinc2017", "references": "", "base": 1, "first": "exam"}','3585cc3380d3d95604350cae16e71dd6183ec6ee168f87a33717b69012d15cd0');
INSERT INTO "journal" VALUES(127,1.79544624741855311398e+09,'e77a6a095f32f','shadowed','{"attempt": 3, "purpose": "r2", "challenge": "cinc2017", "references": "", "base": 1, "first": "exam"}','b0a678eaa0544880d12372c66559ca93ba41675552c8fe159b788fb556b4ba64');
INSERT INTO "journal" VALUES(128,1.79544624745658779139e+09,'e035c3bccb8e1','shadowed','{"attempt": 4, "purpose": "r3", "challenge": "cinc2017", "references": "", "base": 1, "first": "prep"}','f52cdb25ff626f4cc52389c7889e3f6a5d37a3172153a09f24c1e02e7b503a3e');
INSERT INTO "journal" VALUES(129,1.79544624745658779139e+09,'ec9c0bcecb2a2','shadowed','{"attempt": 4, "purpose": "r3", "challenge": "cinc2017", "references": "", "base": 1, "first": "prep"}','79bc241dba11b06489588d6912539efa7e9d6b12234cb35c9f32231e29415e11');
INSERT INTO "journal" VALUES(130,1.79544624745658779139e+09,'ed4526559d9db','shadowed','{"attempt": 4, "purpose": "r3", "challenge": "cinc2017", "references": "", "base": 1, "first": "prep"}','bd0e26cd1009e312fad672933b407f35bc9f530eaafb6ea34374752572283595');
INSERT INTO "journal" VALUES(131,1.79544624745658779139e+09,'e77a6a095f32f','shadowed','{"attempt": 4, "purpose": "r3", "challenge": "cinc2017", "references": "", "base": 1, "first": "prep"}','db5fabfdfba47cd7588a97869f030cc978a81279d06a556dd495dad5121c7a5b');
INSERT INTO "journal" VALUES(132,1.79544624750061106686e+09,'e035c3bccb8e1','shadowed','{"attempt": 5, "purpose": "r4", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}','2b55489a43b79bd990549fbb4062fd352821f329cf6aa5f7e799920f1620a1d5');
INSERT INTO "journal" VALUES(133,1.79544624750061106686e+09,'ec9c0bcecb2a2','shadowed','{"attempt": 5, "purpose": "r4", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}','b46e43c62548b97de843a0545d76b7658265a08062897f2347c545084016562a');
INSERT INTO "journal" VALUES(134,1.79544624750061106686e+09,'ed4526559d9db','shadowed','{"attempt": 5, "purpose": "r4", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}','a1635d41da3d2c8b0c063dbc0544e5db8c3c97034b305593b5248f7e4fe09c90');
INSERT INTO "journal" VALUES(135,1.79544624750061106686e+09,'e77a6a095f32f','shadowed','{"attempt": 5, "purpose": "r4", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}','3a82ad9b632a33765a12220855ef9ee6e5f98dceddf7cd3001e89591abadb5db');
INSERT INTO "journal" VALUES(136,1.79544624753759860988e+09,'e035c3bccb8e1','shadow-moved','{"attempt": 2, "to": "score", "reason": {}}','e44eed33da2967a6febc2c8a181c41a6b1ce274897d17b02e4750270b7fc1562');
INSERT INTO "journal" VALUES(137,1.79544624754474806786e+09,'e035c3bccb8e1','result','{"stage": "score", "attempt": 2, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}','128c6e05acfcb4255134a27c37813a3b853b3fe3b160e3d9c7f3ba1eaa473409');
INSERT INTO "journal" VALUES(138,1.79544624756444025034e+09,'e035c3bccb8e1','score','{"attempt": 2, "key": "F1", "value": 0.7, "low": 0.35, "high": 1.0499999999999998, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.7}, \"official\": {\"F1\": 0.7}, \"notes\": [], \"intervals\": {\"F1\": [0.35, 1.0499999999999998]}}"}','cdf4e2be333175cf3315b4a4caac226dda7823937995864dbb8b6dd85e9fd2f3');
INSERT INTO "journal" VALUES(139,1.79544624757920861244e+09,'e035c3bccb8e1','shadow-moved','{"attempt": 2, "to": "done", "reason": {"cause": "verdict", "verdict": "OK"}}','0e2a0fb3cd8bbeee0284e54584504286648d91ee4a90230a0b97fd2f8892e5b5');
INSERT INTO "journal" VALUES(140,1.79544624760750913617e+09,'e77a6a095f32f','shadow-moved','{"attempt": 2, "to": "score", "reason": {}}','03a4faf8b9db5d7907bc849b3379f370c4e7d78d4c9d5bae193fc85d31b983eb');
INSERT INTO "journal" VALUES(141,1.79544624762244200708e+09,'e77a6a095f32f','result','{"stage": "score", "attempt": 2, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}','7a642d7105409457ca0dec2c329b04145e1596ae5eebdb0e8d2bab0f1416bbfa');
INSERT INTO "journal" VALUES(142,1.79544624764070320128e+09,'e77a6a095f32f','score','{"attempt": 2, "key": "F1", "value": 0.7, "low": 0.35, "high": 1.0499999999999998, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.7}, \"official\": {\"F1\": 0.7}, \"notes\": [], \"intervals\": {\"F1\": [0.35, 1.0499999999999998]}}"}','065b3c1344b95741c922cd8feeab742b72e5258123ab626156455fa9e7a0426e');
INSERT INTO "journal" VALUES(143,1.79544624765336155889e+09,'e77a6a095f32f','shadow-moved','{"attempt": 2, "to": "done", "reason": {"cause": "verdict", "verdict": "OK"}}','c3653939009b77e4e3c39fa9f3cc51874ae4a6c9f901561749a89afaa830b184');
INSERT INTO "journal" VALUES(144,1.79544624767213034633e+09,'ec9c0bcecb2a2','shadow-moved','{"attempt": 2, "to": "score", "reason": {}}','21a0308b1197074ae9b2eba086a4c1edc58c96c44995f576baa9975266e2a728');
INSERT INTO "journal" VALUES(145,1.79544624768291211126e+09,'ec9c0bcecb2a2','result','{"stage": "score", "attempt": 2, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}','ce4c1d461a57a07d33e270f6a6f321fe30b1878510db8f425d34ee408c545b17');
INSERT INTO "journal" VALUES(146,1.7954462477121593952e+09,'ec9c0bcecb2a2','score','{"attempt": 2, "key": "F1", "value": 0.7, "low": 0.35, "high": 1.0499999999999998, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.7}, \"official\": {\"F1\": 0.7}, \"notes\": [], \"intervals\": {\"F1\": [0.35, 1.0499999999999998]}}"}','a6e1108a88bb279468066a0c5eaca5bff4d48d8e6864ab857ee1976e1dca411a');
INSERT INTO "journal" VALUES(147,1.7954462477158985138e+09,'ec9c0bcecb2a2','shadow-moved','{"attempt": 2, "to": "done", "reason": {"cause": "verdict", "verdict": "OK"}}','a9188872447121ae7714560ff1c5c6c73ebe24e07a6a77244d908860a27a16ef');
INSERT INTO "journal" VALUES(148,1.79544624773963618275e+09,'ed4526559d9db','shadow-moved','{"attempt": 2, "to": "score", "reason": {}}','1cfcd376b07e6bf51e3a090c4d24af66a36826a4794d74e4df0175aea768efbf');
INSERT INTO "journal" VALUES(149,1.79544624774575567243e+09,'ed4526559d9db','result','{"stage": "score", "attempt": 2, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}','05451036ef07153104db67412b276c5e7aadb3e10086f9b28aea5fedb125fb07');
INSERT INTO "journal" VALUES(150,1.79544624777127528186e+09,'ed4526559d9db','score','{"attempt": 2, "key": "F1", "value": 0.7, "low": 0.35, "high": 1.0499999999999998, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.7}, \"official\": {\"F1\": 0.7}, \"notes\": [], \"intervals\": {\"F1\": [0.35, 1.0499999999999998]}}"}','f4f48a8881e33b40bfb42f2eb96c8b17871ad2037b6a671aad71c7d11538dae5');
INSERT INTO "journal" VALUES(151,1.79544624777805709838e+09,'ed4526559d9db','shadow-moved','{"attempt": 2, "to": "done", "reason": {"cause": "verdict", "verdict": "OK"}}','89788eeb30befec4a33319b04fa0cfb5a300cb844015a169a020230735684ab5');
INSERT INTO "journal" VALUES(152,1.79544624780008411401e+09,'e035c3bccb8e1','adopted','{"attempt": 2}','08ecdbcefc103a56acd5c7b966620bca7ee2723d45482eed80544ecc67833cc9');
INSERT INTO "journal" VALUES(153,1.79544624780008411401e+09,'ec9c0bcecb2a2','adopted','{"attempt": 2}','81684411699b7ce9c99e2d6075a52952a8a7b2c08c40d8328f77e23ac114b513');
INSERT INTO "journal" VALUES(154,1.79544624780008411401e+09,'ed4526559d9db','adopted','{"attempt": 2}','94a1f07be35e282f43f11ffcb243b1f61c581f806794ff4512bf991b31845978');
INSERT INTO "journal" VALUES(155,1.79544624780008411401e+09,'e77a6a095f32f','adopted','{"attempt": 2}','738fb8b7f1e6bedac3eb2d05a7fbc0e238c52aa7aa481fb7af196fb8cbc4bbda');
INSERT INTO "journal" VALUES(156,1.79544624782057976727e+09,'e035c3bccb8e1','shadow-moved','{"attempt": 3, "to": "cancelled", "reason": {"cause": "discarded"}}','cafdce600032e1bdca35d515a5ada2a1230bcb3c50c7bea52c0c7816a52242c5');
INSERT INTO "journal" VALUES(157,1.79544624782057976727e+09,'ec9c0bcecb2a2','shadow-moved','{"attempt": 3, "to": "cancelled", "reason": {"cause": "discarded"}}','b4e8a3c09ad5bde8a7f6f4685484745945789d990ceff1af4e430c4101ab81da');
INSERT INTO "journal" VALUES(158,1.79544624782057976727e+09,'ed4526559d9db','shadow-moved','{"attempt": 3, "to": "cancelled", "reason": {"cause": "discarded"}}','c9b7a138bbeaed4aa457d4dfcca584656046bf80384652a92f67c67ec59bf6bd');
INSERT INTO "journal" VALUES(159,1.79544624782057976727e+09,'e77a6a095f32f','shadow-moved','{"attempt": 3, "to": "cancelled", "reason": {"cause": "discarded"}}','b55fcaf2ab781b60ad5d3be88bca7b659c84e8a2dc1eea8926be9565f7d50511');
INSERT INTO "journal" VALUES(160,1.79544624783267712598e+09,'e035c3bccb8e1','shadow-moved','{"attempt": 4, "to": "prep", "reason": {}}','093bdaa130b5e35883fe48e2d91cef1449e2d469d67c4dfc3772313350a53bec');
INSERT INTO "journal" VALUES(161,1795446247.84613,'e77a6a095f32f','shadow-moved','{"attempt": 4, "to": "parked", "reason": {"cause": "challenge", "stage": "exam", "message": "no score"}}','5bc2e5ca6bbad2223c4ba6c0cd4c616f13fc4187c0b5bedbd7f9a579d432cc0e');
CREATE TABLE journal_parts (
	first INTEGER NOT NULL, 
	last INTEGER NOT NULL, 
	chain VARCHAR(64) NOT NULL, 
	lines TEXT NOT NULL, 
	PRIMARY KEY (first)
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
INSERT INTO "results" VALUES('e035c3bccb8e1',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79544624576998496055e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',1,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79544624583480048182e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',1,'exam','OK',5,0.5,'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4',1.79544624588616800304e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',1,'score','OK',5,0.5,'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020',1.79544624592044115059e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.7954462459728753567e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',1,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79544624600307321541e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',1,'exam','OK',5,0.5,'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4',1.7954462460320107937e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',1,'score','OK',5,0.5,'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020',1.79544624606470370293e+09);
INSERT INTO "results" VALUES('ed4526559d9db',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79544624611270141603e+09);
INSERT INTO "results" VALUES('ed4526559d9db',1,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79544624616024780269e+09);
INSERT INTO "results" VALUES('ed4526559d9db',1,'exam','OK',5,0.5,'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4',1.79544624621981763843e+09);
INSERT INTO "results" VALUES('ed4526559d9db',1,'score','OK',5,0.5,'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020',1.79544624624786233898e+09);
INSERT INTO "results" VALUES('eee3a0e44c60b',1,'prep','PREP_ERROR',5,0.5,'sha256:1507d3acde2ad05b52c105667aa22926b12e2664ceb959e1def1ef40760af46e',1.79544624630382013323e+09);
INSERT INTO "results" VALUES('e227944ae22bd',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79544624633809661866e+09);
INSERT INTO "results" VALUES('e227944ae22bd',1,'quiz','WRONG_ANSWER',5,0.5,'sha256:4fe242bb787729374237cf7e5b948646ff64d1d1322ce53b54366dade8351acd',1.79544624637236285204e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79544624641008782389e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',1,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79544624643718981745e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',1,'exam','TIME_LIMIT',5,0.5,'sha256:665f52e08e7257c76de2b5472e0fc32f6f3ca726106bc46624d1723a15e712ab',1.79544624648713493347e+09);
INSERT INTO "results" VALUES('e0bd1e43fabe9',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79544624653065252304e+09);
INSERT INTO "results" VALUES('e85c1da521b94',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79544624657022404675e+09);
INSERT INTO "results" VALUES('e85c1da521b94',1,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79544624660117626193e+09);
INSERT INTO "results" VALUES('e22ff431ca677',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79544624663248777391e+09);
INSERT INTO "results" VALUES('e22ff431ca677',1,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79544624666917634015e+09);
INSERT INTO "results" VALUES('e22ff431ca677',1,'exam','OK',5,0.5,'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4',1.7954462467203741074e+09);
INSERT INTO "results" VALUES('e7add14e2aec9',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79544624676045107844e+09);
INSERT INTO "results" VALUES('e7add14e2aec9',1,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79544624680067181586e+09);
INSERT INTO "results" VALUES('ec0d639a96d4d',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.7954462468867745399e+09);
INSERT INTO "results" VALUES('ec0d639a96d4d',1,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79544624695353674881e+09);
INSERT INTO "results" VALUES('e61cdec782e70',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79544624710067844391e+09);
INSERT INTO "results" VALUES('e61cdec782e70',1,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.7954462471360149384e+09);
INSERT INTO "results" VALUES('e7a6bd6a6224d',1,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79544624720186114311e+09);
INSERT INTO "results" VALUES('e7a6bd6a6224d',1,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79544624723815464967e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',2,'exam','OK',5,0.5,'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4',1.79544624588616800304e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',2,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79544624576998496055e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',2,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79544624583480048182e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',2,'exam','OK',5,0.5,'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4',1.7954462460320107937e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',2,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.7954462459728753567e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',2,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79544624600307321541e+09);
INSERT INTO "results" VALUES('ed4526559d9db',2,'exam','OK',5,0.5,'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4',1.79544624621981763843e+09);
INSERT INTO "results" VALUES('ed4526559d9db',2,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79544624611270141603e+09);
INSERT INTO "results" VALUES('ed4526559d9db',2,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79544624616024780269e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',2,'exam','TIME_LIMIT',5,0.5,'sha256:665f52e08e7257c76de2b5472e0fc32f6f3ca726106bc46624d1723a15e712ab',1.79544624648713493347e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',2,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79544624641008782389e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',2,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79544624643718981745e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',3,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79544624576998496055e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',3,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79544624583480048182e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',3,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.7954462459728753567e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',3,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79544624600307321541e+09);
INSERT INTO "results" VALUES('ed4526559d9db',3,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79544624611270141603e+09);
INSERT INTO "results" VALUES('ed4526559d9db',3,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79544624616024780269e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',3,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79544624641008782389e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',3,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79544624643718981745e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',5,'exam','OK',5,0.5,'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4',1.79544624588616800304e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',5,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79544624576998496055e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',5,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79544624583480048182e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',5,'exam','OK',5,0.5,'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4',1.7954462460320107937e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',5,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.7954462459728753567e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',5,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79544624600307321541e+09);
INSERT INTO "results" VALUES('ed4526559d9db',5,'exam','OK',5,0.5,'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4',1.79544624621981763843e+09);
INSERT INTO "results" VALUES('ed4526559d9db',5,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79544624611270141603e+09);
INSERT INTO "results" VALUES('ed4526559d9db',5,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79544624616024780269e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',5,'exam','TIME_LIMIT',5,0.5,'sha256:665f52e08e7257c76de2b5472e0fc32f6f3ca726106bc46624d1723a15e712ab',1.79544624648713493347e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',5,'prep','OK',5,0.5,'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437',1.79544624641008782389e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',5,'quiz','OK',5,0.5,'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f',1.79544624643718981745e+09);
INSERT INTO "results" VALUES('e035c3bccb8e1',2,'score','OK',5,0.5,'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020',1.79544624754474806786e+09);
INSERT INTO "results" VALUES('e77a6a095f32f',2,'score','OK',5,0.5,'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020',1.79544624762244200708e+09);
INSERT INTO "results" VALUES('ec9c0bcecb2a2',2,'score','OK',5,0.5,'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020',1.79544624768291211126e+09);
INSERT INTO "results" VALUES('ed4526559d9db',2,'score','OK',5,0.5,'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020',1.79544624774575567243e+09);
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
INSERT INTO "scores" VALUES('e035c3bccb8e1',1,'F1',0.5,'{"primary": "F1", "values": {"F1": 0.5}, "official": {"F1": 0.5}, "notes": [], "intervals": {"F1": [0.25, 0.75]}}',1.79544624593379449845e+09,0.25,0.75);
INSERT INTO "scores" VALUES('ec9c0bcecb2a2',1,'F1',0.5,'{"primary": "F1", "values": {"F1": 0.5}, "official": {"F1": 0.5}, "notes": [], "intervals": {"F1": [0.25, 0.75]}}',1.79544624607924270627e+09,0.25,0.75);
INSERT INTO "scores" VALUES('ed4526559d9db',1,'F1',0.5,'{"primary": "F1", "values": {"F1": 0.5}, "official": {"F1": 0.5}, "notes": [], "intervals": {"F1": [0.25, 0.75]}}',1.79544624626446819304e+09,0.25,0.75);
INSERT INTO "scores" VALUES('e035c3bccb8e1',2,'F1',0.7,'{"primary": "F1", "values": {"F1": 0.7}, "official": {"F1": 0.7}, "notes": [], "intervals": {"F1": [0.35, 1.0499999999999998]}}',1.79544624756444025034e+09,0.35,1.04999999999999982236e+00);
INSERT INTO "scores" VALUES('e77a6a095f32f',2,'F1',0.7,'{"primary": "F1", "values": {"F1": 0.7}, "official": {"F1": 0.7}, "notes": [], "intervals": {"F1": [0.35, 1.0499999999999998]}}',1.79544624764070320128e+09,0.35,1.04999999999999982236e+00);
INSERT INTO "scores" VALUES('ec9c0bcecb2a2',2,'F1',0.7,'{"primary": "F1", "values": {"F1": 0.7}, "official": {"F1": 0.7}, "notes": [], "intervals": {"F1": [0.35, 1.0499999999999998]}}',1.7954462477121593952e+09,0.35,1.04999999999999982236e+00);
INSERT INTO "scores" VALUES('ed4526559d9db',2,'F1',0.7,'{"primary": "F1", "values": {"F1": 0.7}, "official": {"F1": 0.7}, "notes": [], "intervals": {"F1": [0.35, 1.0499999999999998]}}',1.79544624777127528186e+09,0.35,1.04999999999999982236e+00);
CREATE TABLE settings (
	"key" VARCHAR(200) NOT NULL, 
	value TEXT NOT NULL, 
	PRIMARY KEY ("key")
);
INSERT INTO "settings" VALUES('times-exact-after','0');
INSERT INTO "settings" VALUES('identity','3ffdd0c6219f447bac31fb984736d176');
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
INSERT INTO "shadows" VALUES('e035c3bccb8e1',2,'r1','cinc2017','',1,'score','done',1.79544624757920861244e+09,1,'',0,'{"cause": "verdict", "verdict": "OK"}','');
INSERT INTO "shadows" VALUES('ec9c0bcecb2a2',2,'r1','cinc2017','',1,'score','done',1.7954462477158985138e+09,1,'',0,'{"cause": "verdict", "verdict": "OK"}','');
INSERT INTO "shadows" VALUES('ed4526559d9db',2,'r1','cinc2017','',1,'score','done',1.79544624777805709838e+09,1,'',0,'{"cause": "verdict", "verdict": "OK"}','');
INSERT INTO "shadows" VALUES('e77a6a095f32f',2,'r1','cinc2017','',1,'score','done',1.79544624765336155889e+09,1,'',0,'{"cause": "verdict", "verdict": "OK"}','');
INSERT INTO "shadows" VALUES('e035c3bccb8e1',3,'r2','cinc2017','',1,'exam','cancelled',1.79544624782057976727e+09,0,'',0,'{"cause": "discarded"}','');
INSERT INTO "shadows" VALUES('ec9c0bcecb2a2',3,'r2','cinc2017','',1,'exam','cancelled',1.79544624782057976727e+09,0,'',0,'{"cause": "discarded"}','');
INSERT INTO "shadows" VALUES('ed4526559d9db',3,'r2','cinc2017','',1,'exam','cancelled',1.79544624782057976727e+09,0,'',0,'{"cause": "discarded"}','');
INSERT INTO "shadows" VALUES('e77a6a095f32f',3,'r2','cinc2017','',1,'exam','cancelled',1.79544624782057976727e+09,0,'',0,'{"cause": "discarded"}','');
INSERT INTO "shadows" VALUES('e035c3bccb8e1',4,'r3','cinc2017','',1,'prep','prep',1.79544624783267712598e+09,0,'',0,'','');
INSERT INTO "shadows" VALUES('ec9c0bcecb2a2',4,'r3','cinc2017','',1,'prep','queued',1.79544624745658779139e+09,0,'',0,'','');
INSERT INTO "shadows" VALUES('ed4526559d9db',4,'r3','cinc2017','',1,'prep','queued',1.79544624745658779139e+09,0,'',0,'','');
INSERT INTO "shadows" VALUES('e77a6a095f32f',4,'r3','cinc2017','',1,'prep','parked',1795446247.84613,0,'',0,'{"cause": "challenge", "message": "no score", "stage": "exam"}','');
INSERT INTO "shadows" VALUES('e035c3bccb8e1',5,'r4','cinc2017','',1,'score','queued',1.79544624750061106686e+09,0,'',0,'','');
INSERT INTO "shadows" VALUES('ec9c0bcecb2a2',5,'r4','cinc2017','',1,'score','queued',1.79544624750061106686e+09,0,'',0,'','');
INSERT INTO "shadows" VALUES('ed4526559d9db',5,'r4','cinc2017','',1,'score','queued',1.79544624750061106686e+09,0,'',0,'','');
INSERT INTO "shadows" VALUES('e77a6a095f32f',5,'r4','cinc2017','',1,'score','queued',1.79544624750061106686e+09,0,'',0,'','');
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
INSERT INTO "teams" VALUES('red',1.79544624509641146661e+09);
INSERT INTO "teams" VALUES('Blue',1.79544624516363167769e+09);
INSERT INTO "teams" VALUES('großes Team',1.79544624518346166612e+09);
INSERT INTO "teams" VALUES('green',1.79544624521574735639e+09);
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
COMMIT;
