#include "core/export/questions/holders_writer.h"

#include "tests/support/test_registry.h"

#include <nlohmann/json.hpp>

#include <QTest>

#include <sstream>

using namespace highwater;
using namespace highwater::exports;
using analysis::Holder, analysis::ProcessHolders;

namespace {

/// A process whose name contains a character that would control a terminal.
std::vector<ProcessHolders> processes() {
    ProcessHolders process;
    process.name = "a\x1B (7)";
    process.time = TraceTime{1'500'000'000};
    process.holders = {{{41 << 10, ByteCount{3} << 30, 1200}, "app!Index::add", {}},
                       {{100, 4096, 1}, "app!\"net\",\x1B", {}},
                       {{99, 0, 5}, "(no stack)", {}}};
    process.all = {42'183, (ByteCount{3} << 30) + 8192, 1206};
    return {process};
}

template <typename Write>
std::string textWrittenBy(Write write) {
    std::ostringstream out;
    write(out);
    return out.str();
}

} // namespace

class HoldersWriterTest : public QObject {
    Q_OBJECT

  private slots:
    void textIsATableAndASentence() {
        const auto text = textWrittenBy([](auto& out) { writeHoldersText(processes(), 2, out); });
        const std::string expected =
            "Heap blocks in RAM of a\uFFFD (7) at 1.500000000 s, by owner\n\n Held Pages     Resident       Blocks  "
            "Owner\n     3.0 GB      41.0 KB        1,200  app!Index::add\n     4.0 KB        100 B            1  "
            "app!\"net\",\uFFFD\n     3.0 GB      41.2 KB        1,206  All owners together\n1 more owner is not "
            "listed; increase --top to list it\n\n41.0 KB in 1,200 blocks of app!Index::add hold 3.0 GB of pages that "
            "contain no other heap blocks.\n";
        QCOMPARE(text, expected);
    }
    void aProcessWithoutHoldersSaysSo() {
        auto none = processes();
        none.front().holders.clear();
        const auto text = textWrittenBy([&](auto& out) { writeHoldersText(none, 2, out); });
        QVERIFY2(text.ends_with("by owner\n\nNo recorded heap block of this process was in RAM.\n"), text.c_str());
    }
    void unknownPagesAreNotZero() {
        auto unknown = processes();
        unknown.front().holders.clear();
        unknown.front().all = {.rowsOnUnknownPages = 3};
        const auto text = textWrittenBy([&](auto& out) { writeHoldersText(unknown, 2, out); });
        QVERIFY2(text.ends_with("by owner\n\nThe numbers leave out 3 blocks because it is unknown which of their pages "
                                "are in RAM.\n"),
                 text.c_str());
        const auto json =
            nlohmann::json::parse(textWrittenBy([&](auto& out) { writeHoldersJson(unknown, 2, {}, out); }));
        const auto& process = json["processes"][0];
        QVERIFY(process["resident_bytes"].is_null() && process["held_pages_bytes"].is_null());
        QCOMPARE(process["complete"].dump(), std::string("false"));
    }
    void csvHasALineForEachOwner() {
        const auto text = textWrittenBy([](auto& out) { writeHoldersCsv(processes(), 2, out); });
        QVERIFY2(text.starts_with("at_s,process,owner,blocks,resident_bytes,held_pages_bytes\n1.5,"), text.c_str());
        QVERIFY2(text.find(",app!Index::add,1200,41984,3221225472\n") != std::string::npos, text.c_str());
        QVERIFY2(text.find(",1,100,4096\n") != std::string::npos, text.c_str());
    }
    void jsonHasTheHolders() {
        const auto text = textWrittenBy([](auto& out) { writeHoldersJson(processes(), 2, {}, out); });
        const auto json = nlohmann::json::parse(text);
        const auto& process = json["processes"][0];
        QCOMPARE(process["at_s"].dump(), std::string("1.5"));
        QCOMPARE(process["blocks"].dump(), std::string("1206"));
        QCOMPARE(process["resident_bytes"].dump(), std::string("42183"));
        QCOMPARE(process["held_pages_bytes"].dump(), std::string("3221233664"));
        QCOMPARE(process["owners"].dump(), std::string("3"));
        QCOMPARE(process["complete"].dump(), std::string("true"));
        QCOMPARE(process["holders"].size(), std::size_t{2});
        QCOMPARE(process["holders"][0].dump(),
                 std::string(R"({"blocks":1200,"held_pages_bytes":3221225472,"owner":"app!Index::add",)"
                             R"("resident_bytes":41984})"));
        QVERIFY(json.contains("health"));
    }
};

HIGHWATER_TEST(HoldersWriterTest);
#include "holders_writer_test.moc"
