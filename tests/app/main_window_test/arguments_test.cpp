#include "app/recording/elevation.h"
#include "app/recording/record_controller.h"
#include "app/recording/record_requests.h"
#include "app/window/arguments.h"
#include "app/window/manual_page.h"
#include "tests/support/test_registry.h"
#include "ui/format/command_words.h"

#include <QRegularExpression>
#include <QTest>

using namespace highwater;

class ArgumentsTest : public QObject {
    Q_OBJECT
  private slots:
    void takesTracesAndAPicture() {
        const auto parsed = app::parseArguments({"a.etl", "--screenshot", "p.png", "--size", "1000x700", "b.etl"});
        QVERIFY(parsed.hasValue());
        QCOMPARE(parsed.value().traces, (QStringList{"a.etl", "b.etl"}));
        QCOMPARE(parsed.value().screenshot, "p.png");
        QCOMPARE(parsed.value().size, QSize(1000, 700));
    }
    void acceptsViewOptions() {
        const auto parsed = app::parseArguments({"a.etl", "--graph", "heap", "--preset", "Peak by Stack", "--process",
                                                 "app.exe", "--range", "12:22.5", "--select", ":15", "--bottom-up",
                                                 "--expand-hot-path", "--theme", "dark"});
        QVERIFY(parsed.hasValue());
        const auto& view = parsed.value().view;
        QCOMPARE(*view.graph, analysis::Table::Heap);
        QCOMPARE(view.preset, "Peak by Stack");
        QCOMPARE(view.process, "app.exe");
        QCOMPARE(*view.range->start, 12.0);
        QCOMPARE(*view.range->end, 22.5);
        QVERIFY(!view.selection->start && *view.selection->end == 15.0);
        QVERIFY(view.bottomUp && view.opensHotPath);
        QVERIFY(!view.showsLeaks);
        QVERIFY(app::parseArguments({"app.etl", "--leaks"}).value().view.showsLeaks);
        QVERIFY(app::parseArguments({"app.etl", "--flames"}).value().view.showsFlames);
        QVERIFY(app::parseArguments({"app.etl", "--generations"}).value().view.showsGenerations);
        QCOMPARE(app::parseArguments({"--fleet", "fleet.sqlite"}).value().fleet, "fleet.sqlite");
        QVERIFY(!app::parseArguments({"--fleet", ""}).hasValue());
        QVERIFY(!app::parseArguments({"--fleet", "fleet.sqlite", "app.etl"}).hasValue()); // one would hide the other
        QVERIFY(!app::parseArguments({"--fleet", "fleet.sqlite", "--record", "app"}).hasValue());
        QCOMPARE(*parsed.value().theme, app::Theme::Dark);
        const TimeRange whole{TraceTime{0}, TraceTime{34'000'000'000}};
        QCOMPARE(view.selection->within(whole).start, whole.start);
        QCOMPARE(view.range->within(whole).end.ns, 22'500'000'000);
    }
    void asksAgainAfterARestart() {
        QVERIFY(!app::parseArguments({"--theme", "dark"}).value().asksWhatToRecord);
        const auto again = app::argumentsToRecordAgain({"--theme", "dark"});
        const auto parsed = app::parseArguments(again);
        QVERIFY(parsed.hasValue());
        QVERIFY(parsed.value().asksWhatToRecord);
        QCOMPARE(*parsed.value().theme, app::Theme::Dark);
        QCOMPARE(app::argumentsToRecordAgain(again), again);
        const QStringList recording{"--theme", "dark", "--record", "tool", "--ask-what-to-record"};
        QCOMPARE(app::argumentsToRecordAgain(recording), recording);
    }
    void describesTheValueOfAnOption() {
        QVERIFY(!app::parseArguments({"--range", "22:12"}).hasValue());
        for (const auto* turned : {"5:1", "5:5"}) {
            const auto parsed = app::parseArguments({"--range", turned});
            QVERIFY(!parsed.hasValue());
            QCOMPARE(parsed.error().message,
                     std::string("--range expects a range that starts before it ends, not ") + turned + ".");
        }
        QCOMPARE(app::parseArguments({"--select", "2:1"}).error().message,
                 std::string("--select expects a range that starts before it ends, not 2:1."));
        QCOMPARE(app::parseArguments({"--range", "1"}).error().message,
                 std::string("--range expects START:END in seconds, not 1."));
        QVERIFY(!app::parseArguments({"--range", "1:2:3"}).hasValue());
        QVERIFY(!app::parseArguments({"--range", "nan:"}).hasValue());
        QVERIFY(!app::parseArguments({"--graph", "registry"}).hasValue());
        const auto parsed = app::parseArguments({"--theme", "pink"});
        QCOMPARE(parsed.error().message,
                 std::string("--theme expects system, light, dark or high-contrast, not pink."));
        QVERIFY(!app::parseArguments({"--log-level", "loud"}).hasValue());
        QCOMPARE(app::parseArguments({"--log-level", "debug"}).value().logLevel, std::optional(LogLevel::Debug));
        for (const auto* option : {"--log-level", "--graph", "--preset", "--process", "--range", "--select",
                                   "--bottom-up", "--expand-hot-path", "--theme", "--size", "--screenshot"}) {
            QVERIFY2(app::usage().contains(option), option);
        }
    }
    void theManualPageMatchesHelp() {
        QVERIFY(app::parseArguments({"--manual-page"}).value().showsManual);
        const auto page = QString::fromStdString(app::manualPage("1.2")).replace("\\-", "-");
        QVERIFY(page.startsWith(".TH \"HIGHWATER\" 1 \"\" \"Highwater 1.2\""));
        static const QRegularExpression option(QStringLiteral("--[a-z][a-z-]+"));
        int options = 0;
        for (auto found = option.globalMatch(app::usage()); found.hasNext(); ++options)
            QVERIFY(page.contains(found.next().captured()));
        QVERIFY(options >= 12);
        for (const auto& group : app::optionGroups()) {
            for (const auto& [name, meaning] : group.options)
                QVERIFY2(app::usage().contains(QStringLiteral(" %1").arg(meaning)), name);
        }
    }
    void takesEverythingAfterTwoDashesAsAPath() {
        const auto parsed = app::parseArguments({"--", "--screenshot"});
        QVERIFY(parsed.hasValue());
        QCOMPARE(parsed.value().traces, QStringList{"--screenshot"});
    }
    void givesTheProgramToRecordItsOwnOptions() {
        const auto parsed = app::parseArguments({"--theme", "dark", "--record", "app", "--size", "two words", ""});
        QVERIFY(parsed.hasValue());
        QCOMPARE(parsed.value().record, (QStringList{"app", "--size", "two words", ""}));
        QVERIFY(!parsed.value().size.isValid());
        const auto choices = app::choicesOf({"app", "--size", "two words", "say \"no\""});
        QCOMPARE(choices.program, "app");
        QCOMPARE(ui::commandWords(choices.arguments).value(), (QStringList{"--size", "two words", "say \"no\""}));
        QVERIFY(!app::parseArguments({"a.etl", "--record", "app"}).hasValue());
        QVERIFY(!app::parseArguments({"--record"}).hasValue());
        QVERIFY(app::usage().contains("--record"));
    }
    void refusesUnknownArguments() {
        const auto error = [](const QStringList& words) {
            const auto parsed = app::parseArguments(words);
            return parsed.hasValue() ? std::string() : parsed.error().message;
        };
        QCOMPARE(error({"--nonsense"}), std::string("Unknown option --nonsense."));
        QCOMPARE(error({"a.etl", "--screenshot"}), std::string("--screenshot has no value. It expects FILE."));
        QCOMPARE(error({"--range"}), std::string("--range has no value. It expects START:END in seconds."));
        QCOMPARE(error({"--size=1000x700"}), std::string("--size expects WIDTHxHEIGHT as a separate word, without =."));
        QCOMPARE(error({"--record"}), std::string("--record has no value. It expects PROGRAM."));
        QVERIFY(!app::parseArguments({"--size", "big"}).hasValue());
        QCOMPARE(app::parseArguments({"--size", "0x0"}).error().kind, ErrorKind::Usage);
    }
};
HIGHWATER_TEST(ArgumentsTest);
#include "arguments_test.moc"
