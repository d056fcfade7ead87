#include "tests/support/test_registry.h"
#include "tests/ui/session/session_stage.h"
#include "ui/session/session.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace highwater;
using namespace highwater::tests;
using namespace highwater::ui;

class SessionReaderTest : public QObject {
    Q_OBJECT
  private slots:
    void refusesInASentence_data() {
        const auto whole = sessionToJson(fullSession("/x/a.etl"), "/x/s");
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("word");
        QTest::newRow("nothing") << QByteArray() << "damaged";
        QTest::newRow("text") << QByteArray("hello") << "damaged";
        QTest::newRow("half") << whole.left(whole.size() / 2) << "damaged";
        QTest::newRow("presets") << QByteArray("{\"format\":\"highwater-presets\",\"version\":1}")
                                 << "not a Highwater session";
        QTest::newRow("newer") << QByteArray(whole).replace("\"version\": 1", "\"version\": 2") << "newer version";
        QTest::newRow("no trace") << sessionToJson({}, "/x/s") << "does not name a trace";
        QTest::newRow("large") << QByteArray(kLargestSession + 1, ' ') << "too large";
    }
    void refusesInASentence() {
        QFETCH(const QByteArray, bytes);
        QFETCH(const QString, word);
        const auto read = sessionFromJson(bytes, "/x/s");
        QVERIFY(!read.session);
        QVERIFY2(read.refusal.contains(word), qPrintable(read.refusal));
    }
    void reportsUnknownContentAndReadsTheRest() {
        auto bytes = sessionToJson(fullSession("/x/a.etl"), "/x/s");
        bytes.replace("\"column\": \"Stack\"", "\"column\": \"Pile\"")
            .replace("\"table\": \"frees\"", "\"table\": \"leaks\"");
        const auto read = sessionFromJson(bytes, "/x/s");
        QVERIFY(read.session);
        QCOMPARE(read.leftOut, (QStringList{"Peak: column Pile", "Whole: column Pile", "a note on leaks: why?"}));
        QCOMPARE(read.session->tabs.size(), 2u);
        QCOMPARE(read.session->tabs[0].graphs[0].preset.layout.keyColumns().size(), 1u);
        QVERIFY(read.session->notes.empty());
    }
    void filesOfDefinitionsGoWithTheSession() {
        QTemporaryDir folder;
        const auto tags = folder.filePath("mine.stacktags");
        QFile file(tags);
        QVERIFY(file.open(QIODevice::WriteOnly));
        auto session = fullSession("/x/a.etl");
        session.stackTags = QStringList{"built-in", "/gone/mine.stacktags", "/gone/other.stacktags"};
        session.suppressions = QStringList{};
        auto bytes = sessionToJson(session, "/gone/s.highwater");
        const auto read = sessionFromJson(bytes, folder.filePath("s.highwater"));
        QCOMPARE(read.session->stackTags, (QStringList{"built-in", tags, "/gone/other.stacktags"}));
        QCOMPARE(read.session->suppressions, QStringList{});
        // Older versions do not store it.
        auto json = QJsonDocument::fromJson(bytes).object();
        json.remove("stackTags");
        QVERIFY(!sessionFromJson(QJsonDocument(json).toJson(), "/x/s").session->stackTags);
    }
    /// If there are far more than anyone opens, the first are used, and the others counted.
    void reportsExcessEntries() {
        auto json = QJsonDocument::fromJson(sessionToJson(fullSession("/x/a.etl"), "/x/s")).object();
        const auto tab = json["tabs"].toArray()[0];
        QJsonArray tabs;
        for (int i = 0; i < 103; ++i)
            tabs << tab;
        json["tabs"] = tabs;
        const auto read = sessionFromJson(QJsonDocument(json).toJson(), "/x/s");
        QCOMPARE(read.session->tabs.size(), 100u);
        QCOMPARE(read.leftOut, (QStringList{"3 tabs after the first 100"}));
    }
    void reportsUnknownPresets() {
        auto json = QJsonDocument::fromJson(sessionToJson(fullSession("/x/a.etl"), "/x/s")).object();
        json["presets"] = QJsonArray{QJsonObject{{"name", "Odd"}, {"table", "piles"}}};
        const auto read = sessionFromJson(QJsonDocument(json).toJson(), "/x/s");
        QCOMPARE(read.leftOut, (QStringList{"preset Odd of the table piles"}));
    }
    void aGraphWithoutAKnownKeyIsGroupedAsUsual() {
        auto bytes = sessionToJson(fullSession("/x/a.etl"), "/x/s");
        bytes.replace("\"column\": \"Stack\"", "\"column\": \"Pile\"")
            .replace("\"column\": \"Process\"", "\"column\": \"Job\"");
        const auto read = sessionFromJson(bytes, "/x/s");
        QVERIFY(!read.session->tabs.at(0).graphs.at(0).preset.layout.keys.empty());
    }
    /// Another number would be another instant.
    void leavesOutMarksThatAreNowhere() {
        for (const auto* with : {"1e30", "-1e30", "0.5", "\"soon\"", "null"}) {
            auto json = QJsonDocument::fromJson(sessionToJson(fullSession("/x/a.etl"), "/x/s")).object();
            auto marks = json["marks"].toObject();
            auto made = marks["made"].toArray();
            const auto whole = made.size();
            auto odd = QJsonDocument::fromJson("[" + QByteArray(with) + "]").array();
            made.append(QJsonObject{{"ns", odd[0]}, {"name", "odd"}});
            marks["made"] = made;
            json["marks"] = marks;
            const auto read = sessionFromJson(QJsonDocument(json).toJson(), "/x/s");
            QCOMPARE(static_cast<qsizetype>(read.session->marks.made.size()), whole);
            QCOMPARE(read.leftOut, (QStringList{"the mark odd, which has an invalid time"}));
        }
    }
    void findsATraceThatMovedTogetherWithIt() {
        QTemporaryDir before, after;
        const auto trace = before.filePath("a.etl"), moved = after.filePath("a.etl");
        QFile file(moved);
        QVERIFY(file.open(QIODevice::WriteOnly));
        const auto bytes = sessionToJson(fullSession(trace), before.filePath("s.highwater"));
        QCOMPARE(sessionFromJson(bytes, after.filePath("s.highwater")).session->files.at(0).path, moved);
        // If it is not there, its original place is reported.
        QCOMPARE(sessionFromJson(bytes, before.filePath("s.highwater")).session->files.at(0).path, trace);
    }
    void hasEachGraphOfATabOnce() {
        auto session = fullSession("/x/a.etl");
        session.tabs[0].graphs.push_back(session.tabs[0].graphs[0]);
        const auto read = sessionFromJson(sessionToJson(session, "/x/s"), "/x/s");
        QCOMPARE(read.session->tabs.at(0).graphs.size(), 1u);
    }
    void survivesValuesOfAnyKind() {
        auto bytes = sessionToJson(fullSession("/x/a.etl"), "/x/s");
        for (const auto* with : {"null", "-1", "[]", "{}", "\"\"", "1e300", "[[[[]]]]"}) {
            for (const auto* name : {"tabs", "marks", "notes", "snapshots", "presets", "trace", "currentTab"}) {
                auto json = QJsonDocument::fromJson(bytes).object();
                json[QLatin1String(name)] = QJsonDocument::fromJson("[" + QByteArray(with) + "]").array()[0];
                const auto read = sessionFromJson(QJsonDocument(json).toJson(), "/x/s");
                QCOMPARE(read.session.has_value(), read.refusal.isEmpty());
                if (read.session) QVERIFY(read.session->currentTab >= 0);
            }
        }
    }
};

HIGHWATER_TEST(SessionReaderTest);
#include "session_reader_test.moc"
