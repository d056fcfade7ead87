#include "tests/support/test_registry.h"
#include "tests/ui/support/small_names.h"
#include "tests/ui/support/small_trace.h"
#include "ui/state/table/table_answer.h"

#include <QTest>

using namespace highwater;
using namespace highwater::ui;
using namespace highwater::tests;
using analysis::Column;
using analysis::KeyPath;

namespace {

constexpr Address kApp = 0x400000;
constexpr Address kLib = 0x500000;

/// app!main (from 0) > app!work (from 0x100), called at two places each, > lib!alloc (from 0) or lib!other (0x80).
struct PathRenewalStage {
    SmallTrace trace;
    std::shared_ptr<SmallNames> names = std::make_shared<SmallNames>();
    std::shared_ptr<analysis::FrameLabels> labels = std::make_shared<analysis::FrameLabels>(names);
    std::shared_ptr<const store::PublishedTrace> published;
    TableRequest request;

    explicit PathRenewalStage(Column stack = Column::Stack) {
        trace.process(1, "a.exe").image(1, kApp, 0x1000, "app").image(1, kLib, 0x1000, "lib");
        trace.commit(100, 1, 0x10000, 8 * kPage, {kLib + 0x10, kApp + 0x110, kApp + 0x10});
        trace.commit(200, 1, 0x90000, 4 * kPage, {kLib + 0x90, kApp + 0x120, kApp + 0x20});
        published = trace.publish(1000);
        request = {published, labels, {}, {}};
        request.query.interval = {ms(0), ms(1000)};
        request.query.keys = {stack};
        request.query.columns = {Column::Size};
    }
    void nameApp() { names->name(*published, "app", {{0, "main"}, {0x100, "work"}}); }
    void nameLib() { names->name(*published, "lib", {{0, "alloc"}, {0x80, "other"}}); }
    std::shared_ptr<const TableAnswer> answer() { return answerTable(request, {}).value(); }

    /// The path of the row with these texts, in an answer in which all is open.
    KeyPath path(const QStringList& texts) {
        const auto opened = openRows(*answer(), {.mode = OpenMode::Levels}, {}).value();
        KeyPath path;
        const auto* row = &opened;
        for (const auto& text : texts) {
            const auto next =
                std::find_if(row->rows.begin(), row->rows.end(), [&](const auto& r) { return r.text == text; });
            if (next == row->rows.end()) return {};
            path.push_back(next->step);
            row = &*next;
        }
        return path;
    }
    /// The texts of open rows, each before those below it; expanded ones in parentheses.
    static QString opened(const TableRow& row) {
        QStringList texts;
        for (const auto& child : row.rows) {
            texts << child.text + (child.isOpen && !child.rows.empty() ? "(" + opened(child) + ")" : QString());
        }
        return texts.join(' ');
    }
};

} // namespace

class PathRenewalTest : public QObject {
    Q_OBJECT
  private slots:
    void leavesPathsAloneWhileNothingIsNamed() {
        PathRenewalStage stage;
        const auto main = stage.path({"app!+0x10"});
        stage.request.kept.expanded = {main};
        stage.request.kept.selected = {main};
        const auto answer = stage.answer();
        QVERIFY(!answer->kept().isRenamed);
        QCOMPARE(answer->kept().selected, RowViewState::Paths{main});
        QCOMPARE(PathRenewalStage::opened(answer->total()), "app!+0x10(app!+0x110) app!+0x20");
    }
    void joinsRowsThatBecameOneFunction() {
        PathRenewalStage stage;
        stage.request.kept.expanded = {stage.path({"app!+0x10"}), stage.path({"app!+0x20"}),
                                       stage.path({"app!+0x20", "app!+0x120"})};
        stage.request.kept.selected = {stage.path({"app!+0x10", "app!+0x110"}),
                                       stage.path({"app!+0x20", "app!+0x120"})};
        stage.request.kept.current = {stage.path({"app!+0x20", "app!+0x120", "lib!+0x90"})};
        stage.nameApp();
        const auto answer = stage.answer();
        const auto& kept = answer->kept();
        QVERIFY(kept.isRenamed);
        QCOMPARE(PathRenewalStage::opened(answer->total()), "app!main(app!work(lib!+0x10 lib!+0x90))");
        QCOMPARE(kept.expanded.size(), std::size_t{2});
        QCOMPARE(kept.selected, (RowViewState::Paths{stage.path({"app!main", "app!work"})}));
        QCOMPARE(kept.current, (RowViewState::Paths{stage.path({"app!main", "app!work", "lib!+0x90"})}));
    }
    /// The user still sees the frame itself open, so frames that were inlined into it are open as well.
    void expandsFramesThatTurnOutToBeInlined() {
        PathRenewalStage stage(Column::StackBottomUp);
        stage.request.kept.expanded = {stage.path({"lib!+0x10"}), stage.path({"lib!+0x10", "app!+0x110"})};
        stage.request.kept.current = {stage.path({"lib!+0x10", "app!+0x110", "app!+0x10"})};
        stage.names->nameInlined(*stage.published, "app", {{0, "main"}, {0x100, "work"}}, "push");
        const auto answer = stage.answer();
        const auto& kept = answer->kept();
        QCOMPARE(PathRenewalStage::opened(answer->total()),
                 "lib!+0x10(app!push [inlined](app!work(app!push [inlined]))) lib!+0x90");
        const auto inlined = stage.path({"lib!+0x10", "app!push [inlined]"});
        const auto work = stage.path({"lib!+0x10", "app!push [inlined]", "app!work"});
        QVERIFY(!inlined.empty() && !work.empty());
        QCOMPARE(kept.expanded, (RowViewState::Paths{{inlined.front()}, inlined, work}));
    }
    void findsAllRowsOfAFunctionWhoseNameWasTakenBack() {
        PathRenewalStage stage;
        stage.nameApp();
        stage.request.kept.expanded = {stage.path({"app!main"}), stage.path({"app!main", "app!work"})};
        stage.request.kept.painted = {stage.path({"app!main", "app!work"})};
        stage.names->forget(*stage.published, "app");
        const auto answer = stage.answer();
        QCOMPARE(PathRenewalStage::opened(answer->total()),
                 "app!+0x10(app!+0x110(lib!+0x10)) app!+0x20(app!+0x120(lib!+0x90))");
        QCOMPARE(answer->kept().expanded.size(), std::size_t{4});
        QCOMPARE(answer->kept().painted, (RowViewState::Paths{stage.path({"app!+0x10", "app!+0x110"}),
                                                              stage.path({"app!+0x20", "app!+0x120"})}));
    }
    void keepsRowsThatTheTableDoesNotHaveByTheirNewName() {
        PathRenewalStage stage;
        const auto other = stage.path({"app!+0x20", "app!+0x120", "lib!+0x90"});
        stage.request.kept.selected = {other};
        stage.request.kept.expanded = {KeyPath(other.begin(), other.end() - 1)};
        stage.nameLib();
        const auto renamed = stage.path({"app!+0x20", "app!+0x120", "lib!other"});
        stage.request.query.interval = {ms(0), ms(150)};
        stage.request.query.filter.clauses = {{analysis::RowFilter::Clause::Mode::Keep, {stage.path({"app!+0x10"})}}};
        const auto answer = stage.answer();
        QCOMPARE(PathRenewalStage::opened(answer->total()), "app!+0x10");
        QCOMPARE(answer->kept().selected, RowViewState::Paths{renamed});
        QCOMPARE(answer->kept().expanded, (RowViewState::Paths{KeyPath(renamed.begin(), renamed.end() - 1)}));
    }
    void leavesOutAllocatorFramesThatGotTheirName() {
        PathRenewalStage stage(Column::StackBottomUp);
        stage.request.query.allocatorFrames = std::make_shared<analysis::AllocatorFrames>("lib!alloc\n");
        stage.request.kept.expanded = {stage.path({"lib!+0x10"})};
        stage.request.kept.current = {stage.path({"lib!+0x10", "app!+0x110"})};
        stage.nameLib();
        const auto answer = stage.answer();
        QCOMPARE(PathRenewalStage::opened(answer->total()), "app!+0x110 lib!other");
        QCOMPARE(answer->kept().current, (RowViewState::Paths{stage.path({"app!+0x110"})}));
    }
    void answersForOtherRowsWithoutAskingTheTableAgain() {
        PathRenewalStage stage;
        const auto work = stage.path({"app!+0x10", "app!+0x110"});
        stage.nameApp();
        const auto first = stage.answer();
        RowViewState kept;
        kept.version = 7;
        kept.expanded = {KeyPath(work.begin(), work.end() - 1)};
        kept.selected = {work};
        const auto second = answerRows({first, kept}, {}).value();
        QCOMPARE(second->source(), first->source());
        QCOMPARE(second->kept().version, std::uint64_t{7});
        QCOMPARE(PathRenewalStage::opened(second->total()), "app!main(app!work)");
        QCOMPARE(second->kept().selected, (RowViewState::Paths{stage.path({"app!main", "app!work"})}));
    }
    void opensTheWayToARowByItsOldName() {
        PathRenewalStage stage;
        const auto work = stage.path({"app!+0x20", "app!+0x120"});
        stage.nameApp();
        const auto opened = openRows(*stage.answer(), {.mode = OpenMode::AlongPath, .path = work}, {});
        QVERIFY(opened.hasValue());
        QCOMPARE(PathRenewalStage::opened(opened.value()), "app!main(app!work(lib!+0x10 lib!+0x90))");
        QVERIFY(opened.value().rows[0].isHot && opened.value().rows[0].rows[0].isHot);
    }
};
HIGHWATER_TEST(PathRenewalTest);
#include "path_renewal_test.moc"
