#include "core/symbols/demangling/itanium_name.h"

#include "tests/support/test_registry.h"

#include <QTest>

#include <string>

using namespace highwater::symbols;

namespace {

/// f(A, B<A, A>, C<B<A, A>, B<A, A>>, ...): each parameter is twice the previous one.
std::string doubledClasses(int times) {
    const auto digit = [](int n) { return std::string(1, static_cast<char>(n < 10 ? '0' + n : 'A' + n - 10)); };
    std::string name = "_Z1f1A1BIS_S_E";
    for (int i = 0; i < times; ++i) {
        const auto last = 2 * i + 1;
        const auto number = last < 36 ? digit(last) : "1" + digit(last - 36);
        name += "1CIS" + number + "_S" + number + "_E";
    }
    return name;
}

} // namespace

/// Readable names, within bounds.
class ItaniumNameTest : public QObject {
    Q_OBJECT
  private slots:
    void readsNames() {
        QCOMPARE(demangleItanium("_Z3foov").value_or(""), std::string("foo()"));
        QCOMPARE(demangleItanium("_ZNSt6vectorIiSaIiEE9push_backERKi").value_or(""),
                 std::string("std::vector<int, std::allocator<int>>::push_back(int const&)"));
        QCOMPARE(demangleItanium("_Z1f1A1BIS_S_E").value_or(""), std::string("f(A, B<A, A>)"));
    }
    void saysNothingOfOtherTexts() {
        for (const auto* name : {"", "main", "_Z", "_ZN", "_Z3fo", "?f@@YAXXZ", "_RNvC1a1f"})
            QVERIFY2(!demangleItanium(name), name);
    }
    void writesWhatIsLongButNotTooLong() {
        const auto name = demangleItanium(doubledClasses(10));
        QVERIFY(name.has_value());
        QVERIFY(name->size() > 20'000);
        QVERIFY(name->starts_with("f(A, B<A, A>, C<B<A, A>, B<A, A>>"));
    }
    void givesUpWhereTooMuchWouldCome() { QVERIFY(!demangleItanium(doubledClasses(35))); }
    void givesUpWhereItIsTooDeep() {
        const auto pointers = [](std::size_t depth) { return "_Z1f" + std::string(depth, 'P') + "i"; };
        QCOMPARE(demangleItanium(pointers(3)).value_or(""), std::string("f(int***)"));
        QVERIFY(!demangleItanium(pointers(100'000)));
    }
};
HIGHWATER_TEST(ItaniumNameTest);
#include "itanium_name_test.moc"
