#include "core/store/measurement_book.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <fmt/format.h>

using namespace highwater;
using namespace highwater::store;

namespace {

SharedResidentSample sampleAt(std::int64_t time, std::uint32_t pid = 7) {
    auto sample = std::make_shared<ResidentSample>();
    sample->time = TraceTime{time};
    sample->pid = pid;
    return sample;
}

/// "7@10 8@20"
std::string listOf(const SharedResidentSamples& samples) {
    std::string text;
    if (!samples) return text;
    for (const auto& sample : *samples)
        text += fmt::format("{}{}@{}", text.empty() ? "" : " ", sample->pid, sample->time.ns);
    return text;
}

} // namespace

class MeasurementBookTest : public QObject {
    Q_OBJECT

  private slots:
    void samplesAreInOrderOfTime() {
        ResidentBook book;
        QVERIFY(!book.published());
        for (const auto time : {3, 1, 2})
            book.add(sampleAt(time));
        QCOMPARE(listOf(book.published()), std::string("7@1 7@2 7@3"));
        QCOMPARE(book.published(), book.published()); // no copy without a change
        book.dropBefore(TraceTime{2});
        QCOMPARE(listOf(book.published()), std::string("7@2 7@3"));
        QVERIFY(book.notes().empty());
    }
    void thinnedOutWhenTooLarge() {
        ResidentBook book(4 * sampleAt(0)->bytes());
        for (int time = 0; time < 3; ++time) {
            book.add(sampleAt(time, 7));
            book.add(sampleAt(time, 8));
        }
        QCOMPARE(listOf(book.published()), std::string("7@0 8@0 7@2 8@2"));
        QCOMPARE(book.notes(), (std::vector<std::string>{"2 samples of resident memory were left out because a trace "
                                                         "can have at most 0.0 MB of them."}));
    }
    void oneSampleIsAlwaysKept() {
        ResidentBook book(1);
        for (int time = 0; time < 5; ++time)
            book.add(sampleAt(time));
        QCOMPARE(listOf(book.published()), std::string("7@0"));
    }
};

HIGHWATER_TEST(MeasurementBookTest);
#include "measurement_book_test.moc"
