#include "core/symbols/demangling/rust_name.h"

#include "tests/support/test_registry.h"

#include <QTest>

#include <string>

using namespace highwater::symbols;

namespace {

/// a::f::<(i8, i8), ((i8, i8), (i8, i8)), ...>: each part is twice the previous one.
std::string doubledTuples(int times) {
    const std::string digits = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    std::string name = "_RINvC1a1fTaaE";
    std::size_t last = 8;
    for (int i = 0; i < times; ++i) {
        const auto n = last - 1;
        const auto number = (n < 62 ? "" : std::string(1, digits[n / 62])) + digits[n % 62];
        last = name.size() - 2;
        name += "TB" + number + "_B" + number + "_E";
    }
    return name + "E";
}

/// a::f::<&&&...i8>
std::string references(std::size_t depth) { return "_RINvC1a1f" + std::string(depth, 'R') + "aE"; }

} // namespace

/// Names are judged by their demangled size; unknown syntax is refused.
class RustNameTest : public QObject {
    Q_OBJECT
  private slots:
    void letsPassWhatProgramsHave() {
        for (const auto* name :
             {"_RNvCs1234_7mycrate3foo", "_RNvXs_C7mycrateINtB4_3FooiENtB4_5Trait3bar", "_RINvC1a1fTaaEE",
              "_RNCNvC7mycrate3foo0", "_RNvC7mycrateu8gdel_5qa", "_RNvCs1234_7mycrate3foo.llvm.1234",
              // the largest 64-bit hash, as rustc writes it: less one, in base 62
              "_RNvCslYGhA16ahye_2lk4keep"})
            QVERIFY2(isBoundedRustName(name), name);
    }
    void refusesWhatGrowsByPowers() {
        QVERIFY(isBoundedRustName(doubledTuples(4)));
        QVERIFY(!isBoundedRustName(doubledTuples(30)));
    }
    void refusesWhatIsTooDeep() {
        QVERIFY(isBoundedRustName(references(100)));
        QVERIFY(!isBoundedRustName(references(1000)));
        QVERIFY(!isBoundedRustName(references(1'000'000))); // without a stack of that depth
    }
    void refusesWhatItDoesNotUnderstand() {
        for (const auto* name : {"", "_R", "_RX", "_RNv", "_RNvC", "_RNvC9mycrate3foo", "_RNvC1a", "_RINvC1a1fTaa"})
            QVERIFY2(!isBoundedRustName(name), name);
    }
    void refusesReferencesThatLeadNowhere() {
        QVERIFY(!isBoundedRustName("_RNvB_3foo"));     // to itself
        QVERIFY(!isBoundedRustName("_RNvBzzzz_3foo")); // beyond the end
        QVERIFY(!isBoundedRustName("_RINvC1a1fBa_E")); // to itself, a little further in
    }
};
HIGHWATER_TEST(RustNameTest);
#include "rust_name_test.moc"
