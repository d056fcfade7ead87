#include "core/symbols/elf/elf_variables.h"

#include "tests/support/test_registry.h"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace highwater;
using namespace highwater::symbols;

namespace {

/// A library whose symbol table says more than it has.
constexpr const char* kVariablesSource = R"(
char first[64] = {1};
char last[5000];
static __thread long own = 3;
long use() { return own + first[0] + last[0]; }
asm(".globl too_long\n.type too_long, @object\n.set too_long, last\n.size too_long, 0x7fffffff\n"
    ".globl outside\n.type outside, @object\n.set outside, last + 0x100000\n.size outside, 64\n");
)";

const ElfVariable* variableNamed(const std::vector<ElfVariable>& all, std::string_view name) {
    const auto found = std::ranges::find(all, name, &ElfVariable::name);
    return found == all.end() ? nullptr : &*found;
}

} // namespace

class ElfVariablesTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        QFile source(folder_.filePath("variables.c"));
        QVERIFY(source.open(QIODevice::WriteOnly) && source.write(kVariablesSource) > 0);
        source.close();
        const auto library = folder_.filePath("libvariables.so");
        const int code = QProcess::execute(HIGHWATER_COMPILER,
                                           {"-x", "c", "-shared", "-fPIC", "-O0", "-o", library, source.fileName()});
        QCOMPARE(code, 0);
        found_ = variablesOf(library.toStdString());
    }
    void variablesAreWithinTheWritableData() {
        QVERIFY(found_.dataEnd && *found_.dataEnd > 5000);
        const auto *first = variableNamed(found_.shared, "first"), *last = variableNamed(found_.shared, "last");
        QVERIFY(first != nullptr && last != nullptr);
        QCOMPARE(first->bytes, std::uint64_t{64});
        QCOMPARE(last->bytes, std::uint64_t{5000});
        QVERIFY(last->begin + last->bytes <= *found_.dataEnd);
        QVERIFY(*found_.dataEnd - (last->begin + last->bytes) < 64);
    }
    void aSizeBeyondTheDataIsCut() {
        const auto* tooLong = variableNamed(found_.shared, "too_long");
        QVERIFY(tooLong != nullptr);
        QCOMPARE(tooLong->begin + tooLong->bytes, *found_.dataEnd);
        QVERIFY(variableNamed(found_.shared, "outside") == nullptr);
    }
    void threadLocalVariablesAreApart() {
        QVERIFY(variableNamed(found_.threadLocal, "own") != nullptr);
        QVERIFY(variableNamed(found_.shared, "own") == nullptr);
    }
    void otherFilesHaveNone() {
        QCOMPARE(variablesOf(folder_.filePath("variables.c").toStdString()).dataEnd, std::optional<std::uint64_t>(0));
        QVERIFY(!variablesOf(folder_.filePath("nothing").toStdString()).dataEnd);
    }

  private:
    QTemporaryDir folder_;
    ElfVariables found_;
};

HIGHWATER_TEST(ElfVariablesTest);
#include "elf_variables_test.moc"
