#include "core/source/attach/agent_loading_linux.h"
#include "core/source/systems/copy_checks_linux.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::source;

class CopyChecksTest : public QObject {
    Q_OBJECT

  private slots:
    /// 1.25 GB for each processor and second, or all of a smaller process, and its page tables.
    void aCopyNeedsWhatCanBeWrittenMeanwhile() {
        constexpr ByteCount kGb = ByteCount{1} << 30;
        QCOMPARE(copyNeeds(0, 4, 2), ByteCount{0});
        QCOMPARE(copyNeeds(kGb, 1, 2), kGb + kGb / 512);
        QCOMPARE(copyNeeds(64 * kGb, 2, 2), 5 * kGb + kGb / 8);
        QCOMPARE(copyNeeds(64 * kGb, 2, 4), 10 * kGb + kGb / 8);
    }
    void aProcessThatDoesNotExistIsRefused() {
        for (const auto function : {AgentFunction::TryTrim, AgentFunction::Copy}) {
            const auto checked = checkCopyable(0x3FFFFFFF, function, 4);
            QVERIFY(!checked.hasValue());
            QCOMPARE(checked.error().kind, ErrorKind::NotFound);
        }
    }
};
HIGHWATER_TEST(CopyChecksTest);

#include "copy_checks_test_linux.moc"
