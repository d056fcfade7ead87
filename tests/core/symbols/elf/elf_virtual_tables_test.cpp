#include "core/symbols/elf/elf_virtual_tables.h"

#include "core/symbols/elf/elf_variables.h"
#include "tests/support/test_registry.h"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace highwater::symbols;

namespace {

constexpr const char* kClassesSource = R"(
struct Base { virtual ~Base() {} long a = 1; };
struct Other { virtual ~Other() {} virtual void f() {} };
struct Derived : Other, Base {};
struct Diamond : virtual Base {};
namespace { struct Hidden : Base {}; }
template <typename A, typename B> struct Pair : Base {};
Base* variables[] = {new Base, new Derived, new Diamond, new Hidden, new Pair<int, char>};
)";

const ElfVirtualTable* tableOf(const std::vector<ElfVirtualTable>& all, std::string_view type) {
    const auto found = std::ranges::find(all, type, &ElfVirtualTable::type);
    return found == all.end() ? nullptr : &*found;
}

} // namespace

class ElfVirtualTablesTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        QFile source(folder_.filePath("classes.cpp"));
        QVERIFY(source.open(QIODevice::WriteOnly) && source.write(kClassesSource) > 0);
        source.close();
        const auto library = folder_.filePath("libclasses.so");
        QCOMPARE(QProcess::execute(HIGHWATER_COMPILER, {"-shared", "-fPIC", "-O0", "-o", library, source.fileName()}),
                 0);
        found_ = variablesOf(library.toStdString());
    }
    void addressPointsAreBehindTheTypeInformation() {
        for (const auto* type : {"Base", "Derived", "(anonymous namespace)::Hidden", "Pair<int, ...>"}) {
            const auto* table = tableOf(found_.virtualTables, type);
            QVERIFY2(table != nullptr, type);
            QCOMPARE(table->point, table->begin + 16);
            QVERIFY(table->end >= table->begin + 32);
            QVERIFY(!table->isStored);
        }
    }
    void thoseOfClassesWithVirtualBasesAreStored() {
        const auto* table = tableOf(found_.virtualTables, "Diamond");
        QVERIFY(table != nullptr);
        QVERIFY(table->isStored);
        QVERIFY(table->point < table->begin || table->point >= table->end);
    }
    void dataOfClassesIsNoVariable() {
        QVERIFY(std::ranges::any_of(found_.shared, [](const auto& variable) { return variable.name == "variables"; }));
        for (const auto& variable : found_.shared)
            QVERIFY2(!variable.name.starts_with("vtable") && !variable.name.starts_with("typeinfo"),
                     variable.name.c_str());
    }
    /// Only symbols for the dynamic linker remain, which are those of classes that other files can use.
    void strippedFilesHaveThoseOfExportedClasses() {
        const auto stripped = folder_.filePath("libstripped.so");
        if (QProcess::execute("strip", {"-o", stripped, folder_.filePath("libclasses.so")}) != 0)
            QSKIP("strip is missing.");
        const auto found = variablesOf(stripped.toStdString());
        QVERIFY(tableOf(found.virtualTables, "Derived") != nullptr);
        QVERIFY(tableOf(found.virtualTables, "Diamond")->isStored);
        QVERIFY(tableOf(found.virtualTables, "(anonymous namespace)::Hidden") == nullptr);
    }
    void damagedSymbolsAreNoTables() {
        const auto isTable = [](std::uint64_t begin, std::uint64_t bytes) {
            const ElfSymbol symbol{begin, bytes, "_ZTV7Session"};
            return !virtualTablesIn({&symbol, 1}, 0x1000).empty();
        };
        QVERIFY(isTable(0x1000, 24));
        QVERIFY(!isTable(0xFF8, 24));
        QVERIFY(!isTable(0x1000, 16));
        QVERIFY(!isTable(~std::uint64_t{0} - 8, 24));
    }

  private:
    QTemporaryDir folder_;
    ElfVariables found_;
};

HIGHWATER_TEST(ElfVirtualTablesTest);
#include "elf_virtual_tables_test.moc"
