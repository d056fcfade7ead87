#include "app/cli/arguments/amount_ranges.h"
#include "tests/app/cli/cli_runner.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::cli;
using namespace highwater::tests;
using analysis::Table;

/// --lifetime and --size: the equivalent queries, and the rows that match.
class AmountRangesTest : public QObject {
    Q_OBJECT

    static constexpr TimeRange kUnknown{TraceTime{0}, kNever};
    static constexpr TimeRange kWhole{TraceTime{0}, TraceTime{34'000'000'000}};

    /// Count of the whole table.
    static std::int64_t count(const std::string& table, std::vector<std::string> more) {
        std::vector<std::string> arguments{
            "table", exercise2File("plain"), "--table", table, "--by", "FreeType", "--format", "json"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const auto answer = runCli(arguments);
        if (answer.exitCode != 0) qWarning("%s", answer.messages.c_str());
        std::int64_t all = 0;
        const auto json = answer.json();
        for (const auto& row : json["rows"])
            all += row["values"]["Count"].get<std::int64_t>();
        return all;
    }
    static std::string refusal(const std::vector<std::string>& option) {
        std::vector<std::string> arguments{"table", exercise2File("plain"), "--table", "heap", "--by", "Process"};
        arguments.insert(arguments.end(), option.begin(), option.end());
        const auto answer = runCli(arguments);
        return answer.exitCode == 1 && answer.answers.empty() ? answer.messages : std::string("not refused");
    }

  private slots:
    void theyAreShorthandsOfQueries() {
        QCOMPARE(sizeQuery(Table::Heap, "1KB:64KB").value(),
                 std::string("[Allocation Size]:>=1KB AND [Allocation Size]:<64KB"));
        QCOMPARE(sizeQuery(Table::Heap, " 10MB : ").value(), std::string("[Allocation Size]:>=10MB"));
        QCOMPARE(sizeQuery(Table::Heap, ":").value(), std::string());
        QCOMPARE(lifeTimeQuery(Table::VirtualAlloc, ":4.5ms", kWhole).value(), std::string("[Commit LifeTime]:<4.5ms"));
        QCOMPARE(lifeTimeQuery(Table::Heap, "1s:", kUnknown).value(), std::string("[LifeTime]:>=1s"));
        QCOMPARE(lifeTimeQuery(Table::Frees, "1s:", kWhole).value(), std::string("[LifeTime]:>=1s"));
    }
    void sidesAreFromAndBelow() {
        // Sizes of the heap: 5000 of 64, 957 of 40, 242 of 390, 100 of 1000 and of 256, 100, 200 and 460.
        QCOMPARE(count("heap", {"--size", "64:390"}), count("heap", {"--filter", "Size:>=64 AND Size:<390"}));
        QCOMPARE(count("heap", {"--size", "390:391"}), std::int64_t{242});
        QCOMPARE(count("heap", {"--size", "64:64.5"}), std::int64_t{5000});
        QCOMPARE(count("heap", {"--size", ":"}), std::int64_t{6342});
    }
    void theyAreJoinedWithTheFilterByAnd() {
        QCOMPARE(count("heap", {"--size", "1000:", "--filter", "Process:chrome OR Process:MemoryTestApp"}),
                 std::int64_t{0}); // the 100 of 1000 are explorer's
        QCOMPARE(
            count("heap", {"--size", "390:391", "--filter", "FreeType:Free OR [FreeTime]:=[]", "--lifetime", "30s:"}),
            count("heap", {"--filter", "Size:=390 [FreeTime]:=[] [AllocTime]:<=4s"}));
    }
    /// A block that has lived 10 s and is still alive may be the leak that the user looks for.
    void livingBlocksHaveTheirLifetimeSoFar() {
        QCOMPARE(count("heap", {"--lifetime", "10s:"}), // nothing that was freed lived for 10 s
                 count("heap", {"--filter", "[FreeTime]:=[] AND [AllocTime]:<=24s"}));
        QCOMPARE(count("heap", {"--lifetime", "10s:"}), std::int64_t{1052});
        QCOMPARE(count("heap", {"--lifetime", "0.5s:"}),
                 count("heap", {"--filter", "LifeTime:>=0.5s OR [FreeTime]:=[] AND [AllocTime]:<=33.5s"}));
        QCOMPARE(count("heap", {"--lifetime", "35s:"}), std::int64_t{0}); // longer than the trace
    }
    void livingBlocksAreInNoBoundedRange() {
        QCOMPARE(count("heap", {"--lifetime", "10s:1000min"}), std::int64_t{0});
        QCOMPARE(count("heap", {"--lifetime", ":1000min"}), std::int64_t{5002}); // freed blocks
    }
    void timelinesKnowThemToo() {
        const auto answer = runCli({"timeline", exercise2File("plain"), "--table", "heap", "--lifetime",
                                    "10s:", "--size", "390:391", "--points", "1", "--format", "json"});
        QCOMPARE(answer.exitCode, 0);
        const auto most = answer.json()["series"][0]["points"][0][1].get<std::int64_t>();
        QVERIFY(most > 0 && most % 390 == 0);
    }
    void amountsAreNotNegative() {
        QCOMPARE(parseBytes("--smallest", "2KB").value(), ByteCount{2048});
        QCOMPARE(parseBytes("--smallest", "0").value(), ByteCount{0});
        for (const auto* text : {"-5", "-100MB", " -1", "-0.5", "-9TB"}) {
            const auto refused = parseBytes("--smallest", text);
            QVERIFY2(!refused.hasValue(), text);
            QCOMPARE(refused.error().kind, ErrorKind::Usage);
            QVERIFY2(has(refused.error().message, "--smallest must not be negative."), refused.error().message.c_str());
        }
        const auto file = exercise2File("plain");
        for (const std::string option : {"--smallest", "--fail-above"}) {
            for (const auto& typed : {std::vector<std::string>{option, "-5"}, {option + "=-100MB"}}) {
                std::vector<std::string> arguments{"diff", file, "--range", "0:17", "--with-range", "17:34"};
                arguments.insert(arguments.end(), typed.begin(), typed.end());
                const auto answer = runCli(arguments);
                QCOMPARE(answer.exitCode, 1);
                QVERIFY2(has(answer.messages, option + " must not be negative."), answer.messages.c_str());
            }
        }
        const auto growth =
            runCli({"record", "-o", temporaryPath("no.etl"), "--snapshot-on-growth", "-5", "--", "/bin/true"});
        QCOMPARE(growth.exitCode, 1);
        QVERIFY2(has(growth.messages, "--snapshot-on-growth must not be negative."), growth.messages.c_str());
    }
    void errorsPointAtTheMistake() {
        QCOMPARE(refusal({"--lifetime", "1s:4.5MB"}),
                 std::string("highwater-cli: The unit MB cannot be used in this column. Use ns, us, ms, s or min.\n  "
                             "--lifetime 1s:4.5MB\n                ^~~~~\n"));
        QCOMPARE(refusal({"--size", " x :1KB"}),
                 std::string("highwater-cli: \"x\" is not a number. Write it like 20MB or 0.5GB.\n"
                             "  --size  x :1KB\n"
                             "          ^\n"));
        QVERIFY(has(refusal({"--size", "1KB"}), "--size expects FROM:TO"));
        QVERIFY(has(refusal({"--lifetime", "1:2:3"}), "--lifetime expects FROM:TO"));
        QVERIFY(has(refusal({"--lifetime", "10s:5s"}), "This range is empty"));
        QVERIFY(has(refusal({"--lifetime", "5s:5s"}), "This range is empty"));
        QVERIFY(has(refusal({"--size", ":0"}), "This range is empty"));
        QVERIFY(has(refusal({"--size", "99999999999999999999TB:"}), "number is too large"));
        QVERIFY(has(refusal({"--size", "1:2", "--filter", "[Proces]:=x"}), "  [Proces]:=x\n  ^~~~~~~~"));
    }
};
HIGHWATER_TEST(AmountRangesTest);
#include "amount_ranges_test.moc"
