#include "core/summary/stack_key.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <array>
#include <string>
#include <vector>

using namespace highwater::summary;

namespace {

std::string keyText(const std::vector<std::string>& names) { return text(stackKey(names)); }

/// Stores keep keys, on every machine. The expected ones are those of Python's hashlib, by the words of stack_key.h:
///   k = bytes(16)
///   for name in reversed(names): k = sha256(k + sha256(name).digest()[:16]).digest()[:16]
class StackKeyTest : public QObject {
    Q_OBJECT

  private slots:
    void neverChanges() {
        QCOMPARE(keyText({}), std::string("00000000000000000000000000000000"));
        QCOMPARE(keyText({"app!main"}), std::string("322c136a7576adda1f1ed8b893866735"));
        QCOMPARE(keyText({"libc.so!malloc", "app!Cache::store", "app!main"}),
                 std::string("35250ac411000f32edb78d9be09d46ed"));
        QCOMPARE(text(functionKey("app!main")), std::string("e5dce7c4ac95e8d3a9f697f8b02573af"));
    }
    void orderAndBordersCount() {
        QVERIFY(keyText({"a", "b"}) != keyText({"b", "a"}));
        QVERIFY(keyText({"ab"}) != keyText({"a", "b"}));
        QVERIFY(keyText({"a"}) != keyText({"a", ""}));
    }
    void growsCallByCall() {
        const std::vector<std::string> names{"inner", "middle", "outer"};
        auto key = stackKey(std::array<std::string, 1>{"outer"});
        for (const auto* name : {"middle", "inner"})
            key = calledFrom(key, functionKey(name));
        QVERIFY(key == stackKey(names));
    }
};

HIGHWATER_TEST(StackKeyTest);

} // namespace

#include "stack_key_test.moc"
