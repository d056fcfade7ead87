#include "core/summary/stack_key.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <string>
#include <vector>

using namespace highwater::summary;

namespace {

std::string keyText(const std::vector<std::string>& names) {
    std::vector<StackKey> functions;
    for (const auto& name : names)
        functions.push_back(functionKey(name));
    return text(stackKey(functions));
}

/// Stores keep keys, on every machine. Python's hashlib gives the expected ones, by the definition in stack_key.h:
///    sha256(b"".join(sha256(name).digest()[:16] for name in names)).hexdigest()[:32]
class StackKeyTest : public QObject {
    Q_OBJECT

  private slots:
    void neverChanges() {
        QCOMPARE(keyText({}), std::string("00000000000000000000000000000000"));
        QCOMPARE(keyText({"app!main"}), std::string("d5fa9b46e7c2db830853e69b523e8fb9"));
        QCOMPARE(keyText({"libc.so!malloc", "app!Cache::store", "app!main"}),
                 std::string("a2e7cecbf2c8fab3334162858a708bce"));
        QCOMPARE(text(functionKey("app!main")), std::string("e5dce7c4ac95e8d3a9f697f8b02573af"));
    }
    /// Also from Python: sha256(b"app!+0x12\0ab01").hexdigest()[:32].
    void withoutANameTheBuildCounts() {
        QCOMPARE(text(unnamedFunctionKey("app!+0x12", "ab01")), std::string("49c57d621c543d8b771fc7042b4affc5"));
        QVERIFY(unnamedFunctionKey("app!+0x12", "ab01") != unnamedFunctionKey("app!+0x12", "ab02"));
    }
    void orderAndBordersCount() {
        QVERIFY(keyText({"a", "b"}) != keyText({"b", "a"}));
        QVERIFY(keyText({"ab"}) != keyText({"a", "b"}));
        QVERIFY(keyText({"a"}) != keyText({"a", ""}));
    }
};

HIGHWATER_TEST(StackKeyTest);

} // namespace

#include "stack_key_test.moc"
