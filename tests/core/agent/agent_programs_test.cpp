#include "tests/core/agent/agent_recording.h"
#include "tests/support/test_registry.h"

#include <QDir>
#include <QFile>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace highwater;
using namespace highwater::source;
using namespace highwater::tests;

/// Programs of other projects behave the same with and without the agent.
class AgentProgramsTest : public QObject {
    Q_OBJECT

    /// Same output and exit code; the events of every block in order; nothing lost.
    static AgentRecording compare(const AgentRun& run) {
        const AgentRecording alone = runAlone(run);
        AgentRecording recording = record(run);
        if (!recording.problem.isEmpty()) return recording;
        if (recording.end.exitCode != alone.end.exitCode) recording.problem = "another exit code";
        if (recording.output != alone.output) recording.problem = "another output: " + recording.output.left(2000);
        if (recording.errors != alone.errors) recording.problem = "other errors: " + recording.errors.left(2000);
        if (recording.losses.damagedRings != 0) recording.problem = "damaged rings";
        return recording;
    }

    static bool isInstalled(const QString& program) { return QFile::exists(program); }

  private slots:
    void pythonAllocatesMuch() {
        if (!isInstalled("/usr/bin/python3")) QSKIP("python3 is not installed");
        const AgentRecording recording = compare({"/usr/bin/python3", {"-c", R"(
import json, re, threading
rows = [{"id": i, "text": "x" * (i % 700 + 500)} for i in range(20000)]
text = json.dumps(rows)
def work(n):
    global total
    for row in json.loads(text)[n::4]:
        re.sub("x", "yz", row["text"])
threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
[t.start() for t in threads]; [t.join() for t in threads]
print(len(text), sum(len(r["text"]) for r in rows))
)"}});
        QCOMPARE(recording.problem, QString());
        QVERIFY(recording.count(AgentOp::Allocate) > 50'000);
        if (recording.losses.events == 0 && recording.losses.late == 0) QCOMPARE(recording.contradictions(), 0u);
    }

    void sqliteImportsATable() {
        if (!isInstalled("/usr/bin/sqlite3")) QSKIP("sqlite3 is not installed");
        const AgentRecording recording = compare(
            {"/usr/bin/sqlite3",
             {":memory:", "create table t(a, b); with recursive c(x) as (select 1 union all select x + 1 from c "
                          "where x < 50000) insert into t select x, hex(x * 7919) from c; create index i on "
                          "t(b); select count(*), min(b), max(b) from t;"}});
        QCOMPARE(recording.problem, QString());
        QVERIFY(recording.count(AgentOp::Allocate) > 10'000);
        if (recording.losses.events == 0) QCOMPARE(recording.contradictions(), 0u);
    }

    void sqliteImportsAFile() {
        if (!isInstalled("/usr/bin/sqlite3")) QSKIP("sqlite3 is not installed");
        const QTemporaryDir folder;
        QFile file(folder.filePath("rows.csv"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        for (int i = 0; i < 100'000; ++i)
            file.write(QByteArray::number(i) + ",text " + QByteArray::number(i * 7919LL % 1'000'003) + "\n");
        file.close();
        AgentRun run{"/usr/bin/sqlite3",
                     {":memory:", "create table t(a, b)", ".mode csv", ".import rows.csv t", "create index i on t(b)",
                      "select count(*), sum(a), min(b), max(b) from t"}};
        run.folder = folder.path();
        const AgentRecording recording = compare(run);
        QCOMPARE(recording.problem, QString());
        QVERIFY(recording.count(AgentOp::Allocate) > 100'000);
        if (recording.losses.events == 0 && recording.losses.late == 0) QCOMPARE(recording.contradictions(), 0u);
    }

    void aQtProgramSaysTheSame() {
        const QString program = "/usr/lib/qt6/bin/qdbusxml2cpp";
        if (!isInstalled(program)) QSKIP("the tools of Qt are not installed");
        const QTemporaryDir folder;
        QFile file(folder.filePath("interface.xml"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("<node><interface name=\"org.a\">\n");
        for (int i = 0; i < 500; ++i)
            file.write("<method name=\"call" + QByteArray::number(i) +
                       "\"><arg name=\"a\" type=\"s\" direction=\"in\"/></method>\n");
        file.write("</interface></node>\n");
        file.close();
        AgentRun run{program, {"-p", "-", "interface.xml"}};
        run.folder = folder.path();
        const AgentRecording recording = compare(run);
        QCOMPARE(recording.problem, QString());
        QVERIFY2(recording.output.contains("call499"), recording.output.left(500).constData());
        QVERIFY(recording.count(AgentOp::Allocate) > 1000);
        if (recording.losses.events == 0 && recording.losses.late == 0) QCOMPARE(recording.contradictions(), 0u);
    }

    void opensslMeasuresItsSpeed() {
        if (!isInstalled("/usr/bin/openssl")) QSKIP("openssl is not installed");
        const AgentRecording recording =
            record({"/usr/bin/openssl", {"speed", "-seconds", "1", "-bytes", "1024", "sha256"}});
        QCOMPARE(recording.problem, QString());
        QCOMPARE(recording.end.exitCode, 0);
        QVERIFY(recording.count(AgentOp::Allocate) > 1000);
        if (recording.losses.events == 0) QCOMPARE(recording.contradictions(), 0u);
    }

    void gitPacksARepository() {
        if (!isInstalled("/usr/bin/git")) QSKIP("git is not installed");
        const QTemporaryDir folder;
        const auto git = [&](const QStringList& arguments) {
            AgentRun run{"/usr/bin/git", QStringList{"-c", "user.name=A", "-c", "user.email=a@b"} + arguments,
                         withChildren()};
            run.folder = folder.path();
            return run;
        };
        QCOMPARE(runAlone(git({"init", "-q", "."})).end.exitCode, 0);
        for (int i = 0; i < 30; ++i) {
            QFile file(folder.filePath(QStringLiteral("file%1").arg(i)));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(QByteArray(20'000, 'a').append(QByteArray::number(i)));
            file.close();
            QCOMPARE(runAlone(git({"add", "."})).end.exitCode, 0);
            QCOMPARE(runAlone(git({"commit", "-q", "-m", QString::number(i)})).end.exitCode, 0);
        }
        const AgentRecording recording = record(git({"gc", "-q"}));
        QCOMPARE(recording.problem, QString());
        QCOMPARE(recording.end.exitCode, 0);
        QCOMPARE(recording.errors, QByteArray());
        QVERIFY(recording.count(AgentOp::ProcessStart) > 2); // git starts git
        QCOMPARE(runAlone(git({"fsck", "--strict"})).end.exitCode, 0);
        QVERIFY(QDir(folder.filePath(".git/objects/pack")).entryList({"*.pack"}).size() == 1);
    }

    void aCompilerWithItsChildrenMakesTheSameProgram() {
        if (!isInstalled("/usr/bin/g++")) QSKIP("g++ is not installed");
        const QTemporaryDir folder;
        for (const char* name : {"one.cpp", "two.cpp"}) {
            QFile source(folder.filePath(name));
            QVERIFY(source.open(QIODevice::WriteOnly));
            source.write("#include <map>\n#include <string>\nstd::map<std::string, int> ");
            source.write(name, 3);
            source.write(";\n");
        }
        const auto compile = [&](const char* first, const char* second) {
            const QString command =
                QStringLiteral("g++ -c -O1 -o %1 one.cpp & g++ -c -O1 -o %2 two.cpp & wait").arg(first, second);
            AgentRun run{"/bin/sh", {"-c", command}, withChildren()};
            run.folder = folder.path();
            return run;
        };
        QCOMPARE(runAlone(compile("1.o", "2.o")).end.exitCode, 0);
        const AgentRecording recording = record(compile("3.o", "4.o"));
        QCOMPARE(recording.problem, QString());
        QCOMPARE(recording.errors, QByteArray());
        QVERIFY(recording.count(AgentOp::ProcessStart) >= 7); // sh, and twice g++, cc1plus, as
        QVERIFY(recording.count(AgentOp::Allocate) > 50'000);
        const auto content = [&](const char* name) {
            QFile file(folder.filePath(name));
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        QVERIFY(!content("1.o").isEmpty());
        QCOMPARE(content("3.o"), content("1.o"));
        QCOMPARE(content("4.o"), content("2.o"));
    }

    // A call of the agent would end the program then, so the agent stops before.
    void aProgramThatForbidsItselfSystemCallsLives_data() {
        QTest::addColumn<QString>("program");
        QTest::newRow("strict mode") << "strict";
        QTest::newRow("a filter, for all threads") << "filtered";
    }
    void aProgramThatForbidsItselfSystemCallsLives() {
        QFETCH(const QString, program);
        constexpr std::size_t kBlocks = 50;
        const AgentRecording recording = record(target({program, QString::number(kBlocks)}));
        QCOMPARE(recording.problem, QString());
        QCOMPARE(recording.errors, QByteArray());
        QCOMPARE(recording.end.signal, 0);
        QCOMPARE(recording.end.exitCode, 0);
        QCOMPARE(recording.output, QByteArray("lives\n"));
        QCOMPARE(recording.count(AgentOp::Allocate, 100), kBlocks);
        QCOMPARE(recording.count(AgentOp::Allocate, 200), std::size_t{0});
        QCOMPARE(recording.losses.restricted.size(), std::size_t{1});
        QCOMPARE(recording.losses.restricted[0].pid, recording.pid);
        QVERIFY(recording.losses.restricted[0].timeNs >= recording.all(AgentOp::Allocate).at(0).timeNs);
    }

    // Threads are everywhere in the agent at that moment, some entering it for the first time.
    void noThreadIsInTheMidstOfItThen() {
        for (int i = 0; i < 40; ++i) {
            const AgentRecording recording = record(target({"filtered", "1"}));
            QCOMPARE(recording.end.signal, 0);
            QCOMPARE(recording.output, QByteArray("lives\n"));
        }
    }

    // Its attempt ends what both have started, and it must not make calls meanwhile that the other's filter forbids.
    void aThreadThatTriesTheSameInVainDoesNotMatter_data() {
        QTest::addColumn<QString>("program");
        QTest::newRow("a filter") << "contestedfilter";
        QTest::newRow("a filter, for all threads") << "contestedfilterofall";
    }
    void aThreadThatTriesTheSameInVainDoesNotMatter() {
        QFETCH(const QString, program);
        for (int i = 0; i < 20; ++i) {
            const AgentRecording recording = record(target({program, "50"}));
            QCOMPARE(recording.problem, QString());
            QCOMPARE(recording.errors, QByteArray());
            QCOMPARE(recording.end.signal, 0);
            QCOMPARE(recording.output, QByteArray("lives\n"));
            QCOMPARE(recording.count(AgentOp::Allocate, 100), std::size_t{50});
            QCOMPARE(recording.count(AgentOp::Allocate, 200), std::size_t{0});
            QCOMPARE(recording.losses.restricted.size(), std::size_t{1});
        }
    }

    void aChildThatFirstForbidsItselfSystemCallsLives_data() {
        QTest::addColumn<bool>("asked");
        QTest::newRow("without children") << false;
        QTest::newRow("with children") << true;
    }
    void aChildThatFirstForbidsItselfSystemCallsLives() {
        QFETCH(const bool, asked);
        const AgentRecording recording =
            record(target({"forkedstrict", "50"}, asked ? withChildren() : AgentOptions{}));
        QCOMPARE(recording.problem, QString());
        QCOMPARE(recording.errors, QByteArray());
        QCOMPARE(recording.end.exitCode, 0);
        QCOMPARE(recording.output, QByteArray("lives\n"));
        QCOMPARE(recording.count(AgentOp::Allocate, 100), std::size_t{50});
        QCOMPARE(recording.count(AgentOp::Allocate, 200), std::size_t{0});
    }

    void aProgramThatOnlyAsksForFiltersIsRecordedOn() {
        const AgentRecording recording = record(target({"filterprobe", "50"}));
        QCOMPARE(recording.problem, QString());
        QCOMPARE(recording.errors, QByteArray());
        QCOMPARE(recording.end.exitCode, 0);
        QCOMPARE(recording.count(AgentOp::Allocate, 100), std::size_t{50});
        QVERIFY(recording.losses.restricted.empty());
    }
};
HIGHWATER_TEST(AgentProgramsTest);

#include "agent_programs_test.moc"
