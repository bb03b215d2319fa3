BEGIN TRANSACTION;
CREATE TABLE casts (
      match INTEGER NOT NULL,
      id INTEGER NOT NULL,
      agents TEXT NOT NULL,    -- JSON, by player
      cheats TEXT NOT NULL,
      PRIMARY KEY (match, id)
    ) WITHOUT ROWID;
INSERT INTO "casts" VALUES(1,0,'["random", "random"]','[false, false]');
CREATE TABLE decisions (
      "table" TEXT NOT NULL,
      number INTEGER NOT NULL, -- among the decisions of the game, from 0
      player INTEGER NOT NULL,
      place INTEGER NOT NULL,  -- among the legal moves
      text TEXT NOT NULL,
      seconds REAL NOT NULL,
      pace REAL,
      summary TEXT,            -- JSON
      PRIMARY KEY ("table", number)
    ) WITHOUT ROWID;
CREATE TABLE games (
      match INTEGER NOT NULL,
      place INTEGER NOT NULL,
      deal INTEGER NOT NULL,
      deal_seed INTEGER NOT NULL,
      rotation INTEGER NOT NULL,
      "cast" INTEGER NOT NULL,
      payoffs TEXT NOT NULL,   -- JSON, by player
      forfeits TEXT,           -- JSON: player and reason
      flags INTEGER NOT NULL,  -- 1 assisted, 2 consent
      started INTEGER,         -- milliseconds since 1970
      moves BLOB NOT NULL,     -- numbers of words, then microseconds (store/codec.py)
      details BLOB,            -- compressed JSON: what searches reported, what is unlike others
      PRIMARY KEY (match, place)
    ) WITHOUT ROWID;
INSERT INTO "games" VALUES(1,0,0,-8594809431565653991,0,0,'[1.0, -1.0]',NULL,0,1794985072047,X'00000102035500180008000500',NULL);
INSERT INTO "games" VALUES(1,1,0,-8594809431565653991,1,0,'[-1.0, 1.0]',NULL,0,1794985072048,X'00000102040216000E00030005000400',NULL);
INSERT INTO "games" VALUES(1,2,1,2248118130480558529,0,0,'[1.0, -1.0]',NULL,0,1794985072049,X'000100050314000C0003000300',NULL);
INSERT INTO "games" VALUES(1,3,1,2248118130480558529,1,0,'[-2.0, 2.0]',NULL,0,1794985072049,X'000100050410000D0004000300',NULL);
CREATE TABLE matches (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      run INTEGER NOT NULL REFERENCES runs (id),
      place INTEGER NOT NULL,  -- in the run, from 0
      name TEXT NOT NULL,
      game TEXT NOT NULL,
      settings TEXT NOT NULL,
      key TEXT NOT NULL,
      seed TEXT NOT NULL,
      revision TEXT NOT NULL,  -- of the code that decides what is played
      version TEXT NOT NULL,
      machine TEXT NOT NULL,
      wanted INTEGER NOT NULL, -- games
      done INTEGER NOT NULL DEFAULT 0,
      solid INTEGER NOT NULL DEFAULT 0, -- all games below this place are there
      seconds REAL NOT NULL DEFAULT 0,
      begun TEXT NOT NULL,
      finished TEXT,
      result TEXT,             -- JSON
      numbers TEXT,            -- JSON: what else was measured, by the name of the measure
      UNIQUE (run, place)
    );
INSERT INTO "matches" VALUES(1,1,0,'kuhn random*2','kuhn','{"agents": ["random*2"], "clock": null, "duplicate": true, "game": "kuhn", "games": 4}','42ffa931d7fd17215c95624302388332','11','75388fe10adc89aa','0.1.0','{"cores": 2, "numba": "0.68.1", "numpy": "2.4.6", "processor": "AMD EPYC", "python": "3.11.7", "system": "Linux"}',4,4,4,1.53034289996867300942e-02,'2026-11-18T06:57:52+00:00','2026-11-18T06:57:52+00:00','{"game": "kuhn", "seed": 11, "games": 4, "errors": 0, "seconds": 0.0030917979997866496, "duplicate": true, "agents": [{"spec": "random", "wins": 4, "draws": 0, "games": 8, "win_rate": 0.5, "low": 0.5, "high": 0.5, "mean_payoff": 0.0, "standard_error": 0.0, "p_value": 1.0, "cheats": false, "forfeits": {}, "side": null, "isolated": false}], "notes": [], "isolation": null, "test": null}',NULL);
CREATE TABLE models (
      run INTEGER PRIMARY KEY REFERENCES runs (id),
      file TEXT NOT NULL,      -- where it was written, by its name alone
      about TEXT NOT NULL,     -- JSON: what it was learnt from, how well it foretells
      content BLOB NOT NULL    -- the file itself
    );
CREATE TABLE runs (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      kind TEXT NOT NULL,      -- match, play, people, import, paper, learn ...
      name TEXT NOT NULL,      -- in words
      settings TEXT NOT NULL,  -- JSON: all that decides what is played, the seed apart
      key TEXT NOT NULL,       -- a digest of kind and settings
      seed TEXT NOT NULL,      -- a whole number of any size
      version TEXT NOT NULL,   -- of the program
      machine TEXT NOT NULL,   -- JSON
      begun TEXT NOT NULL,
      finished TEXT
    );
INSERT INTO "runs" VALUES(1,'match','kuhn random*2','{"agents": ["random*2"], "clock": null, "duplicate": true, "game": "kuhn", "games": 4}','42ffa931d7fd17215c95624302388332','11','0.1.0','{"cores": 2, "numba": "0.68.1", "numpy": "2.4.6", "processor": "AMD EPYC", "python": "3.11.7", "system": "Linux"}','2026-11-18T06:57:52+00:00','2026-11-18T06:57:52+00:00');
CREATE TABLE tables (
      id TEXT PRIMARY KEY,     -- random, as links have it
      settings TEXT NOT NULL,  -- JSON: the game, who sits where, the seed
      seats TEXT NOT NULL,     -- JSON, by player: what a person is called, a digest of their token
      marks TEXT NOT NULL,     -- JSON: why it counts as assisted
      begun TEXT NOT NULL,
      touched TEXT NOT NULL,
      run INTEGER              -- where its record is, once it is over
    ) WITHOUT ROWID;
CREATE TABLE words (
      match INTEGER NOT NULL,
      id INTEGER NOT NULL,
      player INTEGER NOT NULL, -- -1 is chance
      move INTEGER NOT NULL,
      text TEXT NOT NULL,
      PRIMARY KEY (match, id)
    ) WITHOUT ROWID;
INSERT INTO "words" VALUES(1,0,-1,4,'deal K');
INSERT INTO "words" VALUES(1,1,-1,3,'deal Q');
INSERT INTO "words" VALUES(1,2,0,0,'pass');
INSERT INTO "words" VALUES(1,3,1,0,'pass');
INSERT INTO "words" VALUES(1,4,1,1,'bet');
INSERT INTO "words" VALUES(1,5,0,1,'bet');
CREATE INDEX runs_by_key ON runs (key);
CREATE INDEX matches_by_key ON matches (key);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('runs',1);
INSERT INTO "sqlite_sequence" VALUES('matches',1);
COMMIT;
