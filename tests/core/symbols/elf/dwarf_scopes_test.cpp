#include "core/symbols/elf/dwarf_scopes.h"

#include "core/symbols/elf/dwarf_entries.h"
#include "core/symbols/elf/elf_contents.h"
#include "tests/core/symbols/symbol_programs.h"
#include "tests/support/test_registry.h"

#include <QFile>
#include <QProcess>
#include <QStringList>
#include <QTemporaryDir>
#include <QTest>

#include <memory>
#include <optional>
#include <vector>

using namespace highwater;
using namespace highwater::symbols;
using namespace highwater::tests;

namespace {

/// All in one file: GCC does not give functions a linker name if other files cannot call them.
constexpr auto kSource = R"(
#define INLINED __attribute__((always_inline)) inline
volatile int sink;
namespace shop {
namespace {
struct Till {
    int sum;
    INLINED void ring(int price);
    struct Drawer { INLINED int open(int coins) { sink = coins; return sink + 1; } };
};
INLINED void Till::ring(int price) { sink = price; sum += sink; }
INLINED int freeOfCharge(int price) { sink = price; return sink; }
}
struct Stock { INLINED int take(int count) { sink = count; return sink - 1; } };
}
INLINED static int alone(int value) { sink = value; return sink; }
extern "C" int entry(int value) {
    shop::Till till{value};
    till.ring(value);
    const auto twice = [](int of) __attribute__((always_inline)) { sink = of; return sink * 2; };
    return till.sum + shop::Till::Drawer().open(value) + shop::freeOfCharge(value) + shop::Stock().take(value) +
           alone(value) + twice(value);
}
)";

} // namespace

/// The debug entries that the build's compiler makes for functions of one file.
class DwarfScopesTest : public QObject {
    Q_OBJECT
  private slots:
    void namesFunctionsByTheirClassesAndNamespaces_data() {
        QTest::addColumn<QStringList>("options");
        QTest::newRow("DWARF 5") << QStringList{"-gdwarf-5"};
        QTest::newRow("DWARF 4") << QStringList{"-gdwarf-4"};
    }
    void namesFunctionsByTheirClassesAndNamespaces() {
        QFETCH(QStringList, options);
        const auto program = compiled(options);
        if (program.isEmpty()) QSKIP("the compiler of the build makes no such program");
        const auto names = namesIn(program);
        const auto all = qPrintable(names.join(", "));
        QVERIFY2(names.contains("entry"), all); // a C function, without a scope
        QVERIFY2(names.contains("shop::(anonymous namespace)::Till::ring"), all);
        QVERIFY2(names.contains("shop::(anonymous namespace)::Till::Drawer::open"), all);
        QVERIFY2(names.contains("shop::(anonymous namespace)::freeOfCharge"), all);
        QVERIFY2(names.contains("alone"), all);
        QVERIFY2(names.contains("_ZN4shop5Stock4takeEi"), all); // from the linker name
        QVERIFY2(names.contains("entry::(unnamed class)::operator()"), all);
    }
    void namesNothingInAProgramOfC() {
        const auto program =
            compiled({"-x", "c"}, "struct s { int a; }; int entry(int v) { struct s x = {v}; return x.a; }");
        if (program.isEmpty()) QSKIP("the compiler of the build makes no such program");
        QCOMPARE(namesIn(program), QStringList{"entry"});
    }

  private:
    /// Empty: it cannot be compiled.
    QString compiled(const QStringList& options, const QString& source = QString::fromLatin1(kSource)) {
        const auto path = folder_.filePath("scopes.so");
        QProcess compiler;
        compiler.start(HIGHWATER_COMPILER, QStringList{"-O2", "-g", "-shared", "-fPIC", "-o", path, "-x", "c++"} +
                                               options + QStringList{"-"});
        compiler.write(source.toUtf8());
        compiler.closeWriteChannel();
        return compiler.waitForFinished(60'000) && compiler.exitCode() == 0 ? path : QString();
    }
    /// For all frames at the addresses of "entry".
    static QStringList namesIn(const QString& program) {
        const auto bytes = bytesOfFile(program);
        const auto contents = std::move(ElfContents::open(bytes)).value();
        if (contents->dwarf() == nullptr) return {};
        DwarfUnits units(*contents->dwarf());
        std::vector<std::uint64_t> addresses;
        for (const auto& symbol : contents->symbols()) {
            for (std::uint64_t i = 0; symbol.name == "entry" && i < symbol.bytes; ++i)
                addresses.push_back(symbol.begin + i);
        }
        if (addresses.empty()) return {};
        DwarfScopesOfUnits scopes;
        DwarfEntries entries(units, *units.withCodeAt(addresses.front()), scopes);
        StringIds texts;
        QStringList names;
        for (const auto& frame : entries.framesAt(addresses).frames)
            names << QString::fromStdString(std::string(entries.functionName(frame.entry, texts)));
        names.removeDuplicates();
        return names;
    }

    QTemporaryDir folder_;
};
HIGHWATER_TEST(DwarfScopesTest);
#include "dwarf_scopes_test.moc"
