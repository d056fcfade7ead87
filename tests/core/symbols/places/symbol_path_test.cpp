#include "core/symbols/places/symbol_path.h"

#include "tests/support/test_registry.h"
#include "tests/support/work_ratio.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <map>

using namespace highwater::symbols;
using Kind = SymbolPathEntry::Kind;

namespace {

Environment with(std::map<std::string, std::string> values) {
    return [values = std::move(values)](const std::string& name) -> std::optional<std::string> {
        const auto found = values.find(name);
        if (found == values.end()) return std::nullopt;
        return found->second;
    };
}

} // namespace

class SymbolPathTest : public QObject {
    Q_OBJECT
  private slots:
    void readsEveryKindOfEntry() {
        const auto path = SymbolPath::parse(
            R"(C:\build;cache*C:\cache;srv*C:\Symbols*https://msdl.microsoft.com/download/symbols;SRV**http://a;)"
            R"(srv*\\server\share;!D:\off;/usr/lib/debug/.build-id;build-id:/opt/ids;debuginfod:https://d;https://bare)");
        const std::vector<SymbolPathEntry> expected{
            {Kind::Folder, {}, R"(C:\build)", true},
            {Kind::Cache, {}, R"(C:\cache)", true},
            {Kind::Server, {R"(C:\Symbols)"}, "https://msdl.microsoft.com/download/symbols", true},
            {Kind::Server, {""}, "http://a", true},
            {Kind::Server, {}, R"(\\server\share)", true},
            {Kind::Folder, {}, R"(D:\off)", false},
            {Kind::BuildIdFolder, {}, "/usr/lib/debug/.build-id", true},
            {Kind::BuildIdFolder, {}, "/opt/ids", true},
            {Kind::Debuginfod, {}, "https://d", true},
            {Kind::Server, {}, "https://bare", true},
        };
        QVERIFY(path.entries() == expected);
    }
    void printsWhatItReads() {
        for (const auto* text :
             {R"(C:\build;cache*C:\cache;srv*C:\a*C:\b*https://x/y;srv**http://a;!srv*c*http://a;!D:\off)",
              "/usr/lib/debug/.build-id;build-id:/opt/ids;debuginfod:https://d", "cache*", "srv*", ""}) {
            QCOMPARE(SymbolPath::parse(text).toText(), std::string(text));
            QVERIFY(SymbolPath::parse(SymbolPath::parse(text).toText()) == SymbolPath::parse(text));
        }
        // A different text with the same entries: an entry that looks like another kind states its kind.
        for (const auto* text : {"https://a*b", "build-id:srv*x.build-id", "build-id:!x.build-id"}) {
            QVERIFY2(SymbolPath::parse(SymbolPath::parse(text).toText()) == SymbolPath::parse(text), text);
        }
        QCOMPARE(SymbolPath::parse(" a ;; b;").toText(), std::string("a;b"));
        QCOMPARE(SymbolPath::parse("cache*\t*x;srv* a *b;build-id: c").toText(),
                 std::string("cache*;srv*a*b;build-id:c"));
        QCOMPARE(SymbolPath::parse("SYMSRV*symsrv.dll*c:\\x*http://s").toText(), std::string("srv*c:\\x*http://s"));
    }
    void expandsVariables() {
        const auto environment = with({{"TEMP", "C:\\T"}, {"HOME", "/home/me"}});
        QCOMPARE(expandVariables("%TEMP%\\s", environment), std::string("C:\\T\\s"));
        QCOMPARE(expandVariables("a%NOPE%b%TEMP%", environment), std::string("a%NOPE%bC:\\T"));
        QCOMPARE(expandVariables("100%", environment), std::string("100%"));
        QCOMPARE(expandVariables("%%", environment), std::string("%%"));
        QCOMPARE(expandVariables("~/s", environment), std::string("/home/me/s"));
    }
    void startsWithTheEnvironment() {
        const auto path =
            defaultSymbolPath(with({{"_NT_SYMBOL_PATH", "srv*c*http://s"}, {"DEBUGINFOD_URLS", "http://a http://b"}}));
        const auto text = path.toText();
        QVERIFY(text.starts_with("srv*c*http://s;"));
        QVERIFY(text.ends_with("debuginfod:http://a;debuginfod:http://b"));
    }
    void whatIsLocalAsksNoServerThatNobodyNamed() {
        const auto environment = with({{"_NT_SYMBOL_PATH", "srv*c*http://s"}, {"DEBUGINFOD_URLS", "http://a"}});
        auto expected = SymbolPath::parse("srv*c*http://s");
#ifndef _WIN32
        expected.append(parseSymbolPathEntry("build-id:/usr/lib/debug/.build-id"));
#endif
        QCOMPARE(localSymbolPath(environment).toText(), expected.toText());
        QVERIFY(defaultSymbolPath(environment).toText().starts_with(expected.toText()));
    }
    void knowsWhereToKeepThings() {
        QCOMPARE(
            defaultCacheFolder(with({{"_NT_SYMCACHE_PATH", "%X%/c"}, {"X", "/x"}, {"HOME", "/h"}})).generic_string(),
            std::string("/x/c"));
        QCOMPARE(defaultCacheFolder(with({{"XDG_CACHE_HOME", "/x"}, {"HOME", "/h"}})).generic_string(),
                 std::string("/x/highwater/symbols"));
        QCOMPARE(defaultCacheFolder(with({{"HOME", "/h"}})).generic_string(),
                 std::string("/h/.cache/highwater/symbols"));
        QVERIFY(!defaultCacheFolder(with({})).empty());
    }
    void findsTheFolderBesideTheTrace() {
        QTemporaryDir folder;
        const auto trace = folder.filePath("a.etl").toStdString();
        QVERIFY(!traceSymbolFolder(trace));
        QVERIFY(QDir(folder.path()).mkpath("a.etl.NGENPDB/x.pdb/123"));
        QFile file(folder.filePath("a.etl.NGENPDB/x.pdb/123/x.pdb"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray(1234, 'x'));
        file.close();
        const auto found = traceSymbolFolder(trace);
        QVERIFY(found.has_value());
        QCOMPARE(found->path.filename().string(), std::string("a.etl.NGENPDB"));
        QCOMPARE(found->bytes, std::uint64_t{1234});
    }
    void followsNoLinkBesideTheTrace() {
#ifdef _WIN32
        QSKIP("Making links needs rights of its own there.");
#else
        QTemporaryDir folder;
        QVERIFY(QDir(folder.path()).mkpath("elsewhere"));
        QVERIFY(QDir(folder.path()).mkpath("b.etl.NGENPDB"));
        QFile file(folder.filePath("elsewhere/x"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray(1234, 'x'));
        file.close();
        QVERIFY(QFile::link(folder.filePath("elsewhere"), folder.filePath("a.etl.NGENPDB")));
        QVERIFY(!traceSymbolPath(folder.filePath("a.etl").toStdString()));
        QVERIFY(!traceSymbolFolder(folder.filePath("a.etl").toStdString()));
        QVERIFY(QFile::link(folder.filePath("elsewhere/x"), folder.filePath("b.etl.NGENPDB/x")));
        QVERIFY(QFile::link(folder.filePath("elsewhere"), folder.filePath("b.etl.NGENPDB/y")));
        QCOMPARE(traceSymbolFolder(folder.filePath("b.etl").toStdString())->bytes, std::uint64_t{0});
#endif
    }
    /// Each of them marks the entry as not ticked, however many there are.
    void anyNumberOfMarksIsRead() {
        QCOMPARE(toText(parseSymbolPathEntry("! !!cache*/c")), std::string("!cache*/c"));
        const auto entry = parseSymbolPathEntry(std::string(4'000'000, '!') + "/opt");
        QCOMPARE(entry, (SymbolPathEntry{Kind::Folder, {}, "/opt", false}));
    }
    void workGrowsWithTheList_data() {
        QTest::addColumn<QString>("part");
        for (const auto* part : {"/a/%1;", "srv*/a*https://b/%1;", "!", "%A%", "*", ";", " "})
            QTest::newRow(part) << QString(part);
        QTest::newRow("caches of one server") << QString("srv*") + "/a/%1*";
    }
    void workGrowsWithTheList() {
        QFETCH(QString, part);
        const auto environment = with({{"A", "/home"}});
        const auto ratio = highwater::tests::workRatio(2'000, [&](std::size_t count) {
            auto text = part.startsWith("srv*/a/") ? std::string("srv*") : std::string();
            const auto each = part.startsWith("srv*/a/") ? part.mid(4) : part;
            for (std::size_t i = 0; i < count; ++i)
                text += QString(each).replace("%1", QString::number(i)).toStdString();
            (void)SymbolPath::parse(text).toText();
            (void)expandVariables(text, environment);
        });
        QVERIFY2(ratio < highwater::tests::kMostWorkRatio, qPrintable(QString::number(ratio)));
    }
};
HIGHWATER_TEST(SymbolPathTest);
#include "symbol_path_test.moc"
