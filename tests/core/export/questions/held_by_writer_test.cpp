#include "core/export/questions/held_by_writer.h"

#include "tests/support/test_registry.h"

#include <nlohmann/json.hpp>

#include <QTest>

#include <sstream>

using namespace highwater;
using namespace highwater::exports;
using analysis::HeldBy, analysis::RootHolder;

namespace {

/// A process with a variable, a stack and leaks, and a name with a character that would control a terminal.
std::vector<HeldBy> heldByVariables() {
    auto picture = std::make_shared<MemoryPicture>();
    picture->time = TraceTime{1'500'000'000};
    picture->blocks.resize(1206);
    picture->types = {"Session"};
    picture->unreadThreads = 1;
    picture->hasUnknownBlocks = true;
    HeldBy answer{ProcessIndex{0}, "a\x1B (7)", picture};
    answer.cautions = {"1 thread could not be stopped.", "Events were lost."};
    answer.untraced = {300, 12'000};
    answer.sums[0] = {1000, 41'000};
    answer.sums[1] = {200, 1000};
    answer.sums[2] = {5, 500};
    answer.sums[3] = {1, 20};
    answer.nodes = {
        {.text = "app!g_sessions"}, {.parent = 0, .text = "app!add", .type = {1, 1050}}, {.parent = 1, .text = "x"}};
    answer.holders.push_back({"app!g_sessions", RootKind::Variable, {1100, 40'000}, 39'000, 0, 0, {1, 2}});
    answer.holders.push_back({"nothing (unreachable)", std::nullopt, {6, 520}, 520, 6, 2, {}});
    answer.holders.push_back({"stack of \"a\",\x1B (9)", RootKind::Stack, {100, 2000}, 10, 40, 1, {}});
    return {answer};
}

template <typename Write>
std::string heldByText(Write write) {
    std::ostringstream out;
    write(out);
    return out.str();
}

} // namespace

class HeldByWriterTest : public QObject {
    Q_OBJECT

  private slots:
    void textHasSumsAndHolders() {
        const auto text = heldByText([](auto& out) { writeHeldByText(heldByVariables(), 2, out); });
        const std::string expected =
            "a\uFFFD (7) at 1.500000000 s: 41.0 KB in 1,200 blocks reachable, 520 B in 6 blocks unreachable\n"
            "  1 thread could not be stopped.\n  Events were lost.\n\n"
            "        Retained              Held        Blocks  Held by\n"
            "          39,000            40,000         1,100  app!g_sessions > app!add (1,050 Session) > x\n"
            "             520               520             6  nothing (unreachable)\n\n"
            "1 more holder with less memory is not listed; increase --top to list it\n";
        QCOMPARE(text, expected);
    }
    void doubtIsThatOfSomeOrOfAllBlocks() {
        const auto textOf = [](std::uint64_t uncertain) {
            auto found = heldByVariables();
            found.front().holders.back().uncertain = uncertain;
            return heldByText([&](auto& out) { writeHeldByText(found, 3, out); });
        };
        QVERIFY(textOf(0).ends_with("stack of \"a\",\uFFFD (9)\n"));
        QVERIFY(textOf(40).ends_with(" (9) (partly uncertain)\n"));
        QVERIFY(textOf(100).ends_with(" (9) (uncertain)\n"));
        const auto text = heldByText([](auto& out) { writeHeldByJson(heldByVariables(), 3, HealthReport(), out); });
        const auto stack = nlohmann::json::parse(text)["processes"].at(0)["holders"].at(2);
        QVERIFY(!stack["certain"].get<bool>());
        QCOMPARE(stack["uncertain_count"].get<int>(), 40);
    }
    /// Without a line, it would look like a function that allocated blocks.
    void framesAreCalledFrames() {
        auto found = heldByVariables();
        found.front().nodes[1].isFrame = true;
        const auto text = heldByText([&](auto& out) { writeHeldByText(found, 1, out); });
        QVERIFY2(text.find("app!g_sessions > frame of app!add (1,050 Session) > x\n") != std::string::npos,
                 text.c_str());
        const auto json = heldByText([&](auto& out) { writeHeldByJson(found, 1, HealthReport(), out); });
        const auto holder = nlohmann::json::parse(json)["processes"].at(0)["holders"].at(0);
        QCOMPARE(holder["path_kinds"].dump(), std::string(R"(["root","frame","owner"])"));
        QCOMPARE(holder["path"].at(1).get<std::string>(), std::string("app!add"));
    }
    void csvHasALinePerHolder() {
        const auto text = heldByText([](auto& out) { writeHeldByCsv(heldByVariables(), 3, out); });
        const std::string expected =
            "process,picture_s,root,kind,count,bytes,retained_bytes,certain,path\n"
            "a\uFFFD (7),1.500000000,app!g_sessions,variable,1100,40000,39000,true,\"app!g_sessions "
            "> app!add (1,050 Session) > x\"\n"
            "a\uFFFD (7),1.500000000,nothing (unreachable),unreachable,6,520,520,false,nothing "
            "(unreachable)\n"
            "a\uFFFD (7),1.500000000,\"stack of \"\"a\"\",\uFFFD (9)\",stack,100,2000,10,false,"
            "\"stack of \"\"a\"\",\uFFFD (9)\"\n";
        QVERIFY2(text == expected, text.c_str());
    }
    void jsonHasSumsAndPaths() {
        const auto text = heldByText([](auto& out) { writeHeldByJson(heldByVariables(), 1, HealthReport(), out); });
        const auto json = nlohmann::json::parse(text);
        const auto& process = json["processes"].at(0);
        QCOMPARE(process["picture_s"].get<double>(), 1.5);
        QCOMPARE(process["reachable_bytes"].get<int>(), 42'000);
        QCOMPARE(process["possible_count"].get<int>(), 200);
        QCOMPARE(process["unreachable_bytes"].get<int>(), 520);
        QCOMPARE(process["leaked_bytes"].get<int>(), 500);
        QCOMPARE(process["untraced_count"].get<int>(), 300);
        QCOMPARE(process["untraced_bytes"].get<int>(), 12'000);
        QVERIFY(process["has_unknown_blocks"].get<bool>());
        QCOMPARE(process["unread_threads"].get<int>(), 1);
        QCOMPARE(process["holder_count"].get<int>(), 3);
        QCOMPARE(process["holders"].size(), std::size_t{1});
        const auto& holder = process["holders"].at(0);
        QCOMPARE(holder["root"].get<std::string>(), std::string("app!g_sessions"));
        QCOMPARE(holder["kind"].get<std::string>(), std::string("variable"));
        QCOMPARE(holder["retained_bytes"].get<int>(), 39'000);
        QVERIFY(holder["certain"].get<bool>());
        QCOMPARE(holder["path"].dump(), std::string(R"(["app!g_sessions","app!add","x"])"));
        QCOMPARE(holder["path_types"].dump(), std::string(R"([null,"Session",null])"));
        QCOMPARE(holder["path_type_counts"].dump(), std::string("[0,1050,0]"));
        QVERIFY(json.contains("health"));
    }
};

HIGHWATER_TEST(HeldByWriterTest);
#include "held_by_writer_test.moc"
