#include "app/tools/leaks/page/leak_table_model.h"
#include "tests/support/test_registry.h"

#include <QAbstractItemModelTester>
#include <QFile>
#include <QTest>
#include <QTextDocument>

using namespace highwater;
using namespace highwater::ui;
using analysis::LeakSuspect, analysis::LeakVerdict;

namespace {

LeakSuspect suspect(LeakVerdict verdict, const char* owner, ByteCount bytes) {
    LeakSuspect suspect;
    suspect.verdict = verdict;
    suspect.confidence = 0.9;
    suspect.owner = owner;
    suspect.process = "a.exe (7)";
    suspect.why = std::string("Because of ") + owner + ".";
    suspect.stack = {"libc.so.6!malloc", owner};
    suspect.ownerFrame = 1;
    suspect.outstandingBytes = bytes;
    suspect.outstandingCount = 1234;
    suspect.growth = {1536, 1024, 2048};
    suspect.first = TraceTime{1'500'000'000};
    suspect.last = TraceTime{12'345'000'000};
    suspect.levels = {0, 10, 20};
    suspect.path = {{analysis::Column::Process, 1}, {analysis::Column::StackBottomUp, bytes}};
    return suspect;
}

std::shared_ptr<const LeakAnswer> answer(std::vector<LeakSuspect> suspects) {
    LeakAnswer answer;
    answer.found.count = suspects.size();
    answer.found.suspects = std::move(suspects);
    return std::make_shared<const LeakAnswer>(std::move(answer));
}

} // namespace

class LeakTableModelTest : public QObject {
    Q_OBJECT

    LeakTableModel model_;
    QAbstractItemModelTester tester_{&model_, QAbstractItemModelTester::FailureReportingMode::Fatal};

    QString text(int row, int column) { return model_.index(row, column).data().toString(); }

  private slots:
    void aRowPerSuspectWithUnits() {
        auto start = suspect(LeakVerdict::StartUp, "a.exe!start", 5);
        start.table = analysis::Table::VirtualAlloc;
        model_.setAnswer(answer({suspect(LeakVerdict::Growing, "a.exe!grow", 40'960), start}));
        QCOMPARE(model_.rowCount(), 2);
        QCOMPARE(text(0, LeakTableModel::kRank), QString("1"));
        QCOMPARE(text(0, LeakTableModel::kOwner), QString("a.exe!grow"));
        QCOMPARE(text(0, LeakTableModel::kKind), QString("Heap"));
        QCOMPARE(text(1, LeakTableModel::kKind), QString("VirtualAlloc"));
        QCOMPARE(text(0, LeakTableModel::kVerdict), QString("Still growing"));
        QCOMPARE(text(0, LeakTableModel::kGrowth), QString("1.5 KB/s"));
        QCOMPARE(text(0, LeakTableModel::kOutstanding), QString("40.0 KB"));
        QCOMPARE(text(0, LeakTableModel::kCount), QString("1,234"));
        QCOMPARE(text(0, LeakTableModel::kFirst), QString("1.50 s"));
        QCOMPARE(text(0, LeakTableModel::kProcess), QString("a.exe (7)"));
        QCOMPARE(text(1, LeakTableModel::kVerdict), QString("From startup"));
        QCOMPARE(model_.index(0, LeakTableModel::kTrend).data(LeakTableModel::kLevelsRole).value<QList<qint64>>(),
                 (QList<qint64>{0, 10, 20}));
    }
    void numbersStandToTheRightAndSortAsNumbers() {
        model_.setAnswer(answer({suspect(LeakVerdict::Growing, "a", 9), suspect(LeakVerdict::Growing, "b", 1024)}));
        const auto bytes = model_.index(1, LeakTableModel::kOutstanding);
        QVERIFY(bytes.data(Qt::TextAlignmentRole).toInt() & Qt::AlignRight);
        QVERIFY(bytes.data(LeakTableModel::kSortRole).toULongLong() >
                model_.index(0, LeakTableModel::kOutstanding).data(LeakTableModel::kSortRole).toULongLong());
    }
    void heldPagesAreKnownWithASample() {
        auto held = suspect(LeakVerdict::Kept, "b", 2);
        model_.setAnswer(answer({suspect(LeakVerdict::Growing, "a", 1)}));
        QVERIFY(!model_.hasHeldPages());
        held.held = analysis::HeldMemory{64, 8192, 2};
        model_.setAnswer(answer({suspect(LeakVerdict::Growing, "a", 1), held}));
        QVERIFY(model_.hasHeldPages());
        QCOMPARE(text(0, LeakTableModel::kHeld), QString());
        QCOMPARE(text(1, LeakTableModel::kHeld), QString("8.0 KB"));
        QCOMPARE(model_.index(1, LeakTableModel::kHeld).data(LeakTableModel::kSortRole).toULongLong(), 8192ull);
    }
    void holdersAreKnownWithAPicture() {
        auto held = suspect(LeakVerdict::Growing, "a", 2), leaked = suspect(LeakVerdict::Unreachable, "b", 2);
        held.picture.emplace();
        held.picture->heldBy = {"a.exe!g_sessions", "Session::open"};
        leaked.picture.emplace();
        leaked.picture->unreachable = {3, 8192};
        auto pictured = answer({leaked, held, suspect(LeakVerdict::Kept, "c", 1)});
        model_.setAnswer(pictured);
        QVERIFY(!model_.hasPicture());
        auto found = *pictured;
        found.found.hasPicture = true;
        model_.setAnswer(std::make_shared<const LeakAnswer>(found));
        QVERIFY(model_.hasPicture());
        QCOMPARE(text(0, LeakTableModel::kVerdict), QString("Unreachable"));
        QCOMPARE(text(0, LeakTableModel::kUnreachable), QString("8.0 KB"));
        QCOMPARE(text(0, LeakTableModel::kHeldBy), QString("nothing (unreachable)"));
        QCOMPARE(model_.index(0, LeakTableModel::kUnreachable).data(LeakTableModel::kSortRole).toULongLong(), 8192ull);
        QCOMPARE(text(1, LeakTableModel::kHeldBy), QString("a.exe!g_sessions > Session::open"));
        QCOMPARE(text(1, LeakTableModel::kUnreachable), QString("0 B"));
        QCOMPARE(text(2, LeakTableModel::kUnreachable), QString());
        QCOMPARE(text(2, LeakTableModel::kHeldBy), QString());
    }
    void everyVerdictHasAWord() {
        for (int verdict = 0; verdict <= static_cast<int>(LeakVerdict::LostFrees); ++verdict)
            QVERIFY(!verdictText(suspect(static_cast<LeakVerdict>(verdict), "a", 1)).isEmpty());
        auto likely = suspect(LeakVerdict::Growing, "a", 1);
        likely.confidence = 0.6;
        QCOMPARE(verdictText(likely), QString("Probably growing"));
    }
    void theManualExplainsEveryVerdict() {
        QFile manual(HIGHWATER_DOCS "/manual.md");
        QVERIFY(manual.open(QIODevice::ReadOnly));
        const auto page = QString::fromUtf8(manual.readAll());
        auto likely = suspect(LeakVerdict::Growing, "a", 1);
        likely.confidence = 0.6;
        QStringList labels{verdictText(likely)};
        for (int verdict = 0; verdict <= static_cast<int>(LeakVerdict::LostFrees); ++verdict)
            labels << verdictText(suspect(static_cast<LeakVerdict>(verdict), "a", 1));
        for (const auto& label : labels)
            QVERIFY2(page.contains(QStringLiteral("\n| %1 | ").arg(label)), qPrintable(label));
    }
    void aSuspectIsFoundByItsPath() {
        const auto second = suspect(LeakVerdict::Kept, "b", 2);
        model_.setAnswer(answer({suspect(LeakVerdict::Growing, "a", 1), second}));
        QCOMPARE(model_.rowOf(analysis::Table::Heap, second.path), std::optional(1));
        QCOMPARE(model_.rowOf(analysis::Table::VirtualAlloc, second.path), std::nullopt);
        QCOMPARE(model_.rowOf(analysis::Table::Heap, {}), std::nullopt);
        model_.setAnswer(nullptr);
        QCOMPARE(model_.rowCount(), 0);
        QVERIFY(model_.suspect(0) == nullptr);
    }
    void namesFromTracesAreNoMarkup() {
        model_.setAnswer(answer({suspect(LeakVerdict::Growing, "a!<b>\nx", 1)}));
        QVERIFY(!text(0, LeakTableModel::kOwner).contains('\n'));
        const auto tip = model_.index(0, LeakTableModel::kOwner).data(Qt::ToolTipRole).toString();
        QVERIFY2(!Qt::mightBeRichText(tip) || tip.contains("&lt;b&gt;"), qPrintable(tip));
    }
};

HIGHWATER_TEST(LeakTableModelTest);
#include "leak_table_model_test.moc"
