#include "ui/profiles/wpa_profile.h"

#include "tests/support/test_registry.h"
#include "tests/ui/support/wpa_profile_text.h"

#include <QStringConverter>
#include <QTest>

using namespace highwater::tests;
using namespace highwater::ui;

class WpaProfileTest : public QObject {
    Q_OBJECT
  private slots:
    void readsViewsGraphsPresetsAndColumns() {
        const auto read = readWpaProfile(virtualAllocProfile());
        QVERIFY2(read.profile, qPrintable(read.refusal));
        QCOMPARE(read.profile->views.size(), 1u);
        const auto& view = read.profile->views[0];
        QCOMPARE(view.title, QString("Commits"));
        QCOMPARE(view.graphs.size(), 2u);
        QCOMPARE(view.graphs[0].guid, kWpaVirtualAlloc);
        const auto& preset = view.graphs[0].presets.at(0);
        QCOMPARE(preset.name, QString("Commits by Size"));
        QCOMPARE(preset.chart, QString("StackedLine"));
        QCOMPARE(preset.gold.value(), 8);
        QCOMPARE(preset.blue.value(), 15);
        QCOMPARE(preset.columns.size(), 15u);
        QCOMPARE(preset.columns[5].stackMode, QString("StackTag"));
        QCOMPARE(preset.columns[12].aggregation, QString("Peak"));
        QCOMPARE(preset.columns[12].sortOrder, QString("Descending"));
        QCOMPARE(preset.columns[12].sortPriority, 0);
        QCOMPARE(preset.columns[12].cellFormat, QString("MB"));
        QVERIFY(!preset.columns[13].isVisible);
        QCOMPARE(read.profile->tagFiles, QStringList("our.stacktags"));
        QVERIFY(read.profile->trouble.isEmpty());
    }
    void readsUtf16_data() {
        QTest::addColumn<int>("encoding");
        QTest::addColumn<bool>("isDeclared");
        for (const bool isDeclared : {true, false}) {
            QTest::addRow("little endian, %d", isDeclared) << int(QStringConverter::Utf16LE) << isDeclared;
            QTest::addRow("big endian, %d", isDeclared) << int(QStringConverter::Utf16BE) << isDeclared;
        }
    }
    /// As Windows' own editors save text.
    void readsUtf16() {
        QFETCH(int, encoding);
        QFETCH(bool, isDeclared);
        auto text = QString::fromUtf8(virtualAllocProfile());
        if (text.startsWith("<?xml")) text.remove(0, text.indexOf("?>") + 2);
        if (isDeclared) text.prepend("<?xml version=\"1.0\" encoding=\"utf-16\"?>");
        QStringEncoder encoder(static_cast<QStringConverter::Encoding>(encoding), QStringConverter::Flag::WriteBom);
        const QByteArray bytes = encoder.encode(text);
        const auto read = readWpaProfile(bytes);
        QVERIFY2(read.profile, qPrintable(read.refusal));
        QVERIFY2(read.profile->trouble.isEmpty(), qPrintable(read.profile->trouble));
        QCOMPARE(read.profile->views.at(0).graphs.at(0).presets.at(0).columns.size(), 15u);
    }
    void readsTheFirstForm() {
        const auto read = readWpaProfile(oldProfile());
        QVERIFY2(read.profile, qPrintable(read.refusal));
        const auto& view = read.profile->views.at(0);
        QCOMPARE(view.title, QString("Old View"));
        QCOMPARE(view.graphs.at(0).guid, QString("CommitLifetimeGraphTreeItem"));
        QCOMPARE(view.graphs.at(0).presets.at(0).columns.size(), 6u);
        QVERIFY(!view.graphs.at(0).presets.at(0).columns[1].isVisible);
    }
    void refusesInvalidProfiles_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("nothing") << QByteArray();
        QTest::newRow("text") << QByteArray("once upon a time");
        QTest::newRow("other XML") << QByteArray("<html><body/></html>");
        QTest::newRow("binary") << QByteArray("\0\1\2\3<", 5);
    }
    void refusesInvalidProfiles() {
        QFETCH(const QByteArray, bytes);
        const auto read = readWpaProfile(bytes);
        QVERIFY(!read.profile);
        QVERIFY(!read.refusal.isEmpty());
    }
    /// The classic attack: ten names of ten names ... of a text.
    void refusesEntities() {
        const QByteArray bomb =
            "<?xml version=\"1.0\"?><!DOCTYPE p [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;\">]>"
            "<WpaProfileContainer Version=\"2\"><Content Title=\"&b;\"/></WpaProfileContainer>";
        const auto read = readWpaProfile(bomb);
        QVERIFY(!read.profile);
        QVERIFY2(read.refusal.contains("entities"), qPrintable(read.refusal));
    }
    void readsThePartBeforeDamage() {
        auto bytes = virtualAllocProfile();
        bytes.truncate(bytes.indexOf("Commits over Time"));
        const auto read = readWpaProfile(bytes);
        QVERIFY(read.profile);
        QCOMPARE(read.profile->views.at(0).graphs.at(0).presets.size(), 1u);
        QVERIFY2(read.profile->trouble.startsWith("It could only be read up to line"),
                 qPrintable(read.profile->trouble));
    }
    /// No truncation of it crashes, and each is either read or refused.
    void survivesEveryCut() {
        const auto whole = heapProfile();
        for (qsizetype length = 0; length < whole.size(); length += 7) {
            const auto read = readWpaProfile(whole.left(length));
            QCOMPARE(read.profile.has_value(), read.refusal.isEmpty());
            if (read.profile) QVERIFY(!read.profile->trouble.isEmpty());
        }
    }
    void limitsItsInput() {
        QString deep = "<WpaProfileContainer>";
        for (int i = 0; i < 1000; ++i)
            deep += "<a>";
        QVERIFY(!readWpaProfile(deep.toUtf8()).profile);
        QString wide;
        for (int i = 0; i < 600; ++i)
            wide += "<Column Guid=\"1\" Name=\"x\" IsVisible=\"true\"/>";
        QVERIFY(
            !readWpaProfile(wpaProfile("v", wpaGraph(kWpaHeap, "<Preset Name=\"p\">" + wide + "</Preset>"))).profile);
        QVERIFY(!readWpaProfile(QByteArray(kLargestProfile + 1, ' ')).profile);
    }
    void cutsNamesThatAreTooLong() {
        const auto name = QString(10'000, 'n');
        const auto read =
            readWpaProfile(wpaProfile(name, wpaGraph(kWpaHeap, "<Preset Name=\"" + name + "\"></Preset>")));
        QCOMPARE(read.profile->views.at(0).title.size(), 256);
        QCOMPARE(read.profile->views.at(0).graphs.at(0).presets.at(0).name.size(), 256);
    }
    void survivesGraphsInGraphs() {
        const auto nested =
            wpaGraph(kWpaHeap, wpaGraph(kWpaHeap, "<Preset Name=\"a\"><Preset Name=\"b\"><View Title=\"v\">"
                                                  "<Column Guid=\"1\"/></View></Preset></Preset>"));
        QVERIFY(readWpaProfile(wpaProfile("v", nested)).profile);
    }
    void reportsAnUnknownVersion() {
        auto bytes = heapProfile();
        bytes.replace("Version=\"2\"", "Version=\"3\"");
        const auto read = readWpaProfile(bytes);
        QVERIFY(read.profile);
        QVERIFY2(read.profile->trouble.contains("(3)"), qPrintable(read.profile->trouble));
    }
    /// The library compares each attribute with all others: a file of 16 MB would take days.
    void refusesEndlessElements() {
        QByteArray attributes;
        for (int i = 0; attributes.size() < 15'000'000; ++i)
            attributes += " a" + QByteArray::number(i) + "='='";
        for (const QByteArray& before : {QByteArray(), QByteArray("<!-- it's -->"), QByteArray("<![CDATA[<a ']]>")}) {
            const auto read =
                readWpaProfile("<WpaProfileContainer>" + before + "<View" + attributes + "/></WpaProfileContainer>");
            QCOMPARE(read.refusal, QString("it is too large or too deeply nested to be a profile"));
        }
    }
    void readsValuesWithManySigns() {
        const QByteArray query(3'000, '=');
        const auto read = readWpaProfile("<WpaProfileContainer><View Title=\"" + query + "\"/></WpaProfileContainer>");
        QVERIFY2(read.profile, qPrintable(read.refusal));
        QCOMPARE(read.profile->views.size(), 1u);
    }
};

HIGHWATER_TEST(WpaProfileTest);
#include "wpa_profile_test.moc"
