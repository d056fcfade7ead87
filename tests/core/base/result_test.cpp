#include "core/base/result.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <memory>
#include <optional>

using namespace highwater;

namespace {

Result<std::unique_ptr<int>> made(int value, int& calls) {
    ++calls;
    if (value < 0) return Error{ErrorKind::NotFound, "There is none."};
    return std::make_unique<int>(value);
}

Result<void> checked(int value) {
    if (value > 9) return Error{ErrorKind::Usage, "At most 9."};
    return {};
}

Result<int> doubled(int value, int& calls) {
    TRY(checked(value));
    const auto number = TRY(made(value, calls));
    return *number * 2;
}

std::optional<Error> whyNot(int value) {
    TRY(checked(value));
    return std::nullopt;
}

} // namespace

class ResultTest : public QObject {
    Q_OBJECT
  private slots:
    void tryTakesTheValueOut() {
        int calls = 0;
        QCOMPARE(doubled(4, calls).value(), 8); // a type that cannot be copied
        QCOMPARE(calls, 1);
    }
    void tryReturnsTheErrorAndGoesNoFurther() {
        int calls = 0;
        const auto none = doubled(-1, calls);
        QVERIFY(!none.hasValue());
        QCOMPARE(none.error().kind, ErrorKind::NotFound);
        QCOMPARE(none.error().message, std::string("There is none."));
        QCOMPARE(calls, 1);
        const auto many = doubled(10, calls);
        QCOMPARE(many.error().kind, ErrorKind::Usage);
        QCOMPARE(calls, 1);
    }
    void tryReturnsAnErrorAsWhateverTakesOne() {
        QVERIFY(!whyNot(9));
        QCOMPARE(whyNot(10)->message, std::string("At most 9."));
    }
    void tryTwiceInOneScope() {
        const auto sum = []() -> Result<int> {
            int calls = 0;
            const auto a = TRY(doubled(1, calls));
            auto b = TRY(doubled(2, calls));
            b = TRY(doubled(a, calls));
            return a + b + calls;
        };
        QCOMPARE(sum().value(), 2 + 4 + 3);
    }
};

HIGHWATER_TEST(ResultTest);
#include "result_test.moc"
