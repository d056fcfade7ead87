#include "app/tools/generations/page/generations_model.h"
#include "tests/support/test_registry.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>
#include <QTextDocument>

using namespace highwater;
using namespace highwater::ui;
using analysis::Generation, analysis::GenerationStack;

namespace {

GenerationStack stackOf(const char* owner, std::uint64_t key) {
    GenerationStack stack;
    stack.owner = owner;
    stack.process = "a.exe (7)";
    stack.stack = {owner, "a.exe!main"};
    stack.numbers = {static_cast<SignedByteCount>(key) * 1024, key, key * 1024};
    stack.path = {{analysis::Column::Process, 1}, {analysis::Column::StackBottomUp, key}};
    return stack;
}

/// Ends after this many seconds, which are its key.
Generation generationOf(const char* text, std::int64_t seconds) {
    Generation generation;
    generation.text = text;
    generation.key = static_cast<std::uint64_t>(seconds);
    generation.end = TraceTime{seconds * 1'000'000'000};
    return generation;
}

/// Two marks and the end, the first with more stacks than are named.
std::shared_ptr<const GenerationsAnswer> answerWith(const char* second) {
    GenerationsAnswer answer;
    auto& report = answer.found;
    report.marks = 2;
    report.generations.resize(3);
    auto& warm = report.generations[0];
    warm = generationOf("1. before warm", 1);
    warm.mark = "warm";
    warm.ticks = 10;
    warm.numbers = {-2048, 12, 3072};
    warm.stackCount = 4;
    warm.stacks = {stackOf("a.exe!first", 2), stackOf("a.exe!second", 1)};
    warm.others = {-5120, 9, 0};
    auto& full = report.generations[1];
    full = generationOf("2. warm to full", 2);
    full.mark = second;
    full.ticks = 20;
    report.generations[2] = generationOf("3. after full", 3);
    return std::make_shared<const GenerationsAnswer>(std::move(answer));
}

} // namespace

class GenerationsModelTest : public QObject {
    Q_OBJECT

    GenerationsModel model_;
    QAbstractItemModelTester tester_{&model_, QAbstractItemModelTester::FailureReportingMode::Fatal};

    QString text(const QModelIndex& index, int column) { return index.siblingAtColumn(column).data().toString(); }

  private slots:
    void listsMarksThenStacksThenFrames() {
        model_.setAnswer(answerWith("full"));
        QCOMPARE(model_.rowCount(), 3);
        const auto warm = model_.index(0, 0);
        QCOMPARE(text(warm, GenerationsModel::kName), QString("warm"));
        QCOMPARE(text(warm, GenerationsModel::kTime), QString("1.000000 s"));
        QCOMPARE(text(warm, GenerationsModel::kGrowth), QString("\u22122.0 KB"));
        QCOMPARE(text(warm, GenerationsModel::kPersistent), QString("12"));
        QCOMPARE(text(warm, GenerationsModel::kBytes), QString("3.0 KB"));
        QCOMPARE(text(warm, GenerationsModel::kGeneration), QString("1. before warm"));
        QCOMPARE(text(model_.index(2, 0), GenerationsModel::kName), QString("(end of the interval)"));
        QCOMPARE(model_.rowCount(warm), 3);
        const auto first = model_.index(0, 0, warm);
        QCOMPARE(text(first, GenerationsModel::kName), QString("a.exe!first"));
        QCOMPARE(text(first, GenerationsModel::kGrowth), QString("+2.0 KB"));
        QCOMPARE(text(first, GenerationsModel::kProcess), QString("a.exe (7)"));
        QCOMPARE(model_.rowCount(first), 2);
        QCOMPARE(text(model_.index(1, 0, first), GenerationsModel::kName), QString("a.exe!main"));
        QCOMPARE(text(model_.index(1, 0, first), GenerationsModel::kGrowth), QString());
        // Unnamed stacks are summed up in one row.
        const auto more = model_.index(2, 0, warm);
        QCOMPARE(text(more, GenerationsModel::kName), QString("(2 more)"));
        QCOMPARE(text(more, GenerationsModel::kPersistent), QString("9"));
        QCOMPARE(model_.rowCount(more), 0);
    }
    void rowsStandForRowsOfTheTable() {
        model_.setAnswer(answerWith("full"));
        const auto warm = model_.index(0, 0);
        const auto first = model_.index(0, 0, warm);
        const analysis::KeyPath ofMark{{analysis::Column::Generation, 1}};
        const analysis::KeyPath ofStack{
            {analysis::Column::Process, 1}, {analysis::Column::StackBottomUp, 2}, {analysis::Column::Generation, 1}};
        QCOMPARE(model_.path(warm), ofMark);
        QCOMPARE(model_.path(first), ofStack);
        QCOMPARE(model_.path(model_.index(1, 0, first)), ofStack); // a frame belongs to its stack
        QVERIFY(model_.path(model_.index(2, 0, warm)).empty());
        QVERIFY(model_.path({}).empty());
        QCOMPARE(model_.indexOf(ofMark), warm);
        QCOMPARE(model_.indexOf(ofStack), first);
        QVERIFY(!model_.indexOf({{analysis::Column::Generation, 99}}).isValid());
        QVERIFY(!model_.indexOf({}).isValid());
    }
    void onlyMarksHaveNamesToChange() {
        model_.setAnswer(answerWith("full"));
        QSignalSpy renamed(&model_, &GenerationsModel::renameWanted);
        const auto full = model_.index(1, 0);
        QCOMPARE(full.data(Qt::EditRole).toString(), QString("full"));
        QVERIFY(model_.setData(full, "  loaded ", Qt::EditRole));
        QCOMPARE(renamed.size(), 1);
        QCOMPARE(renamed[0], (QVariantList{qint64{20}, "loaded"}));
        QVERIFY(!model_.setData(full, "   ", Qt::EditRole));
        QVERIFY(!model_.setData(model_.index(2, 0), "the end", Qt::EditRole));
        QVERIFY(!model_.setData(model_.index(0, 0, model_.index(0, 0)), "a stack", Qt::EditRole));
        QVERIFY(!model_.setData(full.siblingAtColumn(1), "a time", Qt::EditRole));
        QCOMPARE(renamed.size(), 1);
    }
    void numbersStandToTheRight() {
        model_.setAnswer(answerWith("full"));
        for (const auto column : {GenerationsModel::kGrowth, GenerationsModel::kPersistent, GenerationsModel::kBytes}) {
            QVERIFY(model_.index(0, column).data(Qt::TextAlignmentRole).toInt() & Qt::AlignRight);
            QVERIFY(model_.headerData(column, Qt::Horizontal, Qt::TextAlignmentRole).toInt() & Qt::AlignRight);
        }
    }
    void namesAreNotMarkup() {
        model_.setAnswer(answerWith("<b>two</b>\nlines"));
        QCOMPARE(text(model_.index(1, 0), GenerationsModel::kName), QString("<b>two</b>[U+000A]lines"));
        const auto tip = model_.index(1, 0).data(Qt::ToolTipRole).toString();
        QTextDocument shown;
        shown.setHtml(tip);
        QVERIFY2(shown.toPlainText().contains("<b>two</b>"), qPrintable(tip));
    }
    void nothingIsNotARow() {
        model_.setAnswer(nullptr);
        QCOMPARE(model_.rowCount(), 0);
        QVERIFY(!model_.index(0, 0).isValid());
    }
};
HIGHWATER_TEST(GenerationsModelTest);
#include "generations_model_test.moc"
