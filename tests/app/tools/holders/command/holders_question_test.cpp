#include "tests/app/cli/cli_runner.h"
#include "tests/fixtures/trace_builder.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::tests;

namespace {

constexpr std::uint32_t kPicturedPid = 70;
constexpr Address kPicturedHeap = 0x10000000;

/// Three blocks of 1000 bytes: a table, a session that only the table refers to, and a leak. At 2 s, the table is held
/// by g_sessions, at 4 s by g_archive.
MemoryPicture pictureAt(double time, const std::string& variable) {
    MemoryPicture picture;
    picture.time = fixtures::seconds(time);
    picture.pid = kPicturedPid;
    picture.names = {variable};
    picture.roots.push_back({});
    picture.roots.front().kind = RootKind::Variable;
    for (const Address at : {0, 0x1000, 0x2000})
        picture.blocks.push_back({.address = kPicturedHeap + at, .bytes = 1000});
    picture.blocks[0].reachability = picture.blocks[1].reachability = Reachability::Reachable;
    picture.blocks[0].holder = picture.blocks[0].dominator = 3; // the root
    picture.blocks[1].holder = picture.blocks[1].dominator = 0;
    return picture;
}

std::string picturedTrace() {
    static const auto path = [] {
        fixtures::TraceShape shape;
        shape.recorder = fixtures::Recorder::Agent;
        fixtures::TraceBuilder trace(shape);
        trace.endsAt(fixtures::seconds(6));
        trace.processStarts(fixtures::seconds(1), {.pid = kPicturedPid, .name = "server"});
        for (const Address at : {0, 0x1000, 0x2000})
            trace.heapAlloc({fixtures::seconds(1.5), kPicturedPid, kPicturedPid}, 1, {kPicturedHeap + at, 1000});
        trace.picture(pictureAt(2, "server!g_sessions"));
        trace.picture(pictureAt(4, "server!g_archive"));
        auto file = temporaryPath("pictured.etl");
        if (!trace.writeTo(file).hasValue()) qFatal("cannot write");
        return file;
    }();
    return path;
}

Answer holders(std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"holders", picturedTrace()});
    return runCli(more);
}

} // namespace

class HoldersQuestionTest : public QObject {
    Q_OBJECT

  private slots:
    void theNewestPictureIsAnswered() {
        const auto json = holders({"--format", "json"}).json();
        QCOMPARE(json["processes"].size(), std::size_t{1});
        const auto& process = json["processes"].at(0);
        QCOMPARE(process["picture_s"].get<double>(), 4.0);
        QCOMPARE(process["reachable_bytes"].get<int>(), 2000);
        QCOMPARE(process["unreachable_count"].get<int>(), 1);
        const auto& first = process["holders"].at(0);
        QCOMPARE(first["root"].get<std::string>(), std::string("server!g_archive"));
        QCOMPARE(first["retained_bytes"].get<int>(), 2000);
    }
    void anotherPictureCanBeChosen() {
        QVERIFY(has(holders({"--picture", "1"}).answers, "server!g_sessions"));
        QVERIFY(has(holders({"--range", ":3"}).answers, "server!g_sessions"));
        const auto missing = holders({"--picture", "3"});
        QVERIFY2(has(missing.messages, "--picture 3 does not exist. The trace has 2 pictures."),
                 missing.messages.c_str());
    }
    void anIntervalWithoutPicturesIsRefused() {
        QVERIFY(has(holders({"--range", "5:"}).messages, "The interval contains no picture of memory"));
    }
    void columnsHaveTheValuesOfThePicture() {
        const auto csv = runCli({"table", picturedTrace(), "--table", "heap", "--by", "Holder,Reachability", "--columns",
                                 "Retained,Count", "--no-symbols", "--format", "csv"});
        QVERIFY2(has(csv.answers, "server!g_archive,,2000,2,1"), csv.answers.c_str());
        QVERIFY2(has(csv.answers, "nothing (unreachable),Unreachable,1000,1,2"), csv.answers.c_str());
    }
    void emptyColumnsHaveAReason() {
        const auto table = runCli({"table", picturedTrace(), "--table", "heap", "--by", "Holder", "--range", "5:"});
        QVERIFY2(has(table.messages, "no picture of memory was taken in the interval"), table.messages.c_str());
    }
};

HIGHWATER_TEST(HoldersQuestionTest);
#include "holders_question_test.moc"
