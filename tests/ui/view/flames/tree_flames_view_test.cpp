#include "ui/view/flames/tree_flames_view.h"

#include "core/analysis/flames/flame_search.h"
#include "tests/support/test_registry.h"
#include "ui/view/flames/flame_canvas.h"
#include "ui/view/parts/elided_label.h"

#include <QApplication>
#include <QClipboard>
#include <QFile>
#include <QFileDialog>
#include <QImage>
#include <QLineEdit>
#include <QMenu>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include <array>
#include <optional>
#include <utility>

using namespace highwater;
using namespace highwater::ui;
using analysis::Column, analysis::FlameNode, analysis::FlameTree;

namespace {

FlameNode frameOf(std::uint64_t begin, std::uint64_t width, std::uint32_t parent, std::uint32_t label) {
    FlameNode node;
    node.begin = begin;
    node.width = width;
    node.now = static_cast<SignedByteCount>(width);
    node.count = 1;
    node.parent = parent;
    node.label = label;
    return node;
}

/// a.exe (100) with a!reads (60), in it a!loads (40), and two others (40) that are drawn as one.
std::shared_ptr<const FlameAnswer> flamesOfReads() {
    FlameAnswer answer;
    auto& tree = answer.tree;
    tree.labels = {{Column::Process, 1, "a.exe"}, {Column::Stack, 2, "a!reads"}, {Column::Stack, 3, "a!loads"}};
    tree.nodes = {frameOf(0, 100, 0, 0), frameOf(0, 100, 0, 0), frameOf(0, 60, 1, 1),
                  frameOf(60, 40, 1, FlameNode::kMore), frameOf(0, 40, 2, 2)};
    const std::array<std::pair<std::uint32_t, std::uint32_t>, 5> children{{{1, 1}, {2, 2}, {4, 1}, {0, 0}, {0, 0}}};
    const std::array<std::uint32_t, 5> depths{0, 1, 2, 2, 3};
    const std::array<std::uint64_t, 5> frames{6, 5, 2, 2, 1};
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
        tree.nodes[i].firstChild = children[i].first;
        tree.nodes[i].childCount = children[i].second;
        tree.nodes[i].depth = depths[i];
        tree.nodes[i].frames = frames[i];
    }
    tree.depth = 3;
    tree.hasBefore = true;
    tree.valueName = "Outstanding";
    return std::make_shared<const FlameAnswer>(std::move(answer));
}

constexpr std::uint32_t kProcess = 1, kReads = 2, kMore = 3, kLoads = 4;

struct DifferenceFlamesStage {
    std::shared_ptr<const FlameAnswer> answer = flamesOfReads();
    TreeFlamesView view{{"differenceFlame", "Differences as a flame graph", "Difference flames"}};
    FlameCanvas& canvas = view.canvas();
    QSignalSpy searched{&view, &TreeFlamesView::searchWanted};
    QSignalSpy rows{&view, &TreeFlamesView::rowWanted};
    QSignalSpy filtered{&view, &TreeFlamesView::filterWanted};

    DifferenceFlamesStage() {
        view.resize(800, 300);
        view.show();
        (void)QTest::qWaitForWindowExposed(&view);
        view.setAnswer(answer);
    }
    QLineEdit& search() { return *view.findChild<QLineEdit*>("differenceFlameSearch"); }
    QString label(const char* name) { return view.findChild<ElidedLabel*>(name)->text(); }
    QToolButton& all() { return *view.findChild<QToolButton*>("differenceFlameAll"); }
    /// As the finder answers.
    void findTyped() {
        const auto text = search().text().trimmed();
        view.setSearch(std::make_shared<const FlameSearch>(
            FlameSearch{answer, text, analysis::findInFlames(answer->tree, text.toStdString())}));
    }
    QMenu* menuOf(std::uint32_t node) {
        emit canvas.menuWanted(node, view.mapToGlobal(QPoint(5, 5)));
        return view.findChild<QMenu*>("differenceFlameMenu");
    }
    /// The action of the open menu whose text starts with this.
    static QAction* actionOf(QMenu* menu, const QString& text) {
        for (auto* action : menu->actions()) {
            if (action->text().startsWith(text)) return action;
        }
        return nullptr;
    }
};

} // namespace

/// The flame graph of a difference, by mouse, keys and menu.
class TreeFlamesViewTest : public QObject {
    Q_OBJECT
  private slots:
    void withoutAnAnswerNothingCanBeAsked() {
        DifferenceFlamesStage stage;
        stage.view.setAnswer(nullptr);
        QVERIFY(!stage.all().isEnabled());
        QTest::keyClicks(&stage.search(), "reads");
        QCOMPARE(stage.searched.size(), 0);
        QCOMPARE(stage.label("differenceFlameMatches"), QString());
        stage.view.setAnswer(stage.answer); // the text that was typed meanwhile is searched for now
        QCOMPARE(stage.searched.size(), 1);
        QCOMPARE(stage.searched.front().front().toString(), QString("reads"));
    }
    void sayHowMuchMatches() {
        DifferenceFlamesStage stage;
        stage.search().setText(" a! ");
        QCOMPARE(stage.searched.back().front().toString(), QString("a!"));
        stage.findTyped();
        QCOMPARE(stage.label("differenceFlameMatches"), QString("2 frames, 60.0 % of all"));
        stage.search().setText("loads");
        stage.findTyped();
        QCOMPARE(stage.label("differenceFlameMatches"), QString("1 frame, 40.0 % of all"));
        stage.search().setText("nobody");
        stage.findTyped();
        QCOMPARE(stage.label("differenceFlameMatches"), QString("No frame matches"));
        stage.search().clear();
        QCOMPARE(stage.label("differenceFlameMatches"), QString());
    }
    void anAnswerToWordsThatAreGoneIsNotShown() {
        DifferenceFlamesStage stage;
        stage.search().setText("loads");
        const auto late = std::make_shared<const FlameSearch>(
            FlameSearch{stage.answer, "loads", analysis::findInFlames(stage.answer->tree, "loads")});
        stage.search().setText("reads");
        stage.view.setSearch(late);
        QCOMPARE(stage.label("differenceFlameMatches"), QString());
        stage.findTyped();
        QCOMPARE(stage.label("differenceFlameMatches"), QString("1 frame, 60.0 % of all"));
    }
    void returnGoesFromMatchToMatch() {
        DifferenceFlamesStage stage;
        stage.search().setText("a!");
        stage.findTyped();
        QTest::keyClick(&stage.search(), Qt::Key_Return);
        QCOMPARE(stage.canvas.current(), std::optional(kReads));
        QTest::keyClick(&stage.search(), Qt::Key_Return);
        QCOMPARE(stage.canvas.current(), std::optional(kLoads));
    }
    void escapeLeavesTheSearch() {
        DifferenceFlamesStage stage;
        stage.view.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&stage.view));
        stage.canvas.setFocus();
        QTest::keyClick(&stage.canvas, Qt::Key_Slash);
        QVERIFY(stage.search().hasFocus());
        QTest::keyClicks(&stage.search(), "loads");
        QTest::keyClick(&stage.search(), Qt::Key_Escape);
        QVERIFY(stage.search().text().isEmpty() && stage.canvas.hasFocus());
    }
    void showAllLeavesTheZoom() {
        DifferenceFlamesStage stage;
        QVERIFY(!stage.all().isEnabled());
        stage.canvas.zoomTo(kReads);
        QVERIFY(stage.all().isEnabled());
        QTest::mouseClick(&stage.all(), Qt::LeftButton);
        QCOMPARE(stage.canvas.zoom(), FlameTree::kRoot);
        QVERIFY(!stage.all().isEnabled());
    }
    void tellsWhatIsPointedAt() {
        DifferenceFlamesStage stage;
        stage.canvas.setCurrent(kLoads);
        QVERIFY2(stage.label("differenceFlameWords").contains("a!loads"),
                 qPrintable(stage.label("differenceFlameWords")));
    }
    void hangsFromTheTopWhereStacksBeginWithTheirLeaf() {
        DifferenceFlamesStage stage;
        const auto isBelow = [&] { return stage.canvas.rectOf(kLoads).top() > stage.canvas.rectOf(kProcess).top(); };
        QVERIFY(!isBelow());
        stage.view.setBottomUp(true);
        QCOMPARE(stage.canvas.root(), FlameRoot::Top);
        QVERIFY(isBelow());
        stage.view.setBottomUp(false);
        QVERIFY(!isBelow());
    }
    void rowsAreNamedByTheTextsOfTheirPath() {
        DifferenceFlamesStage stage;
        emit stage.canvas.rowWanted(kLoads);
        QCOMPARE(stage.rows.back().front().toStringList(), QStringList({"a.exe", "a!reads", "a!loads"}));
        emit stage.canvas.rowWanted(kMore); // which of them?
        QCOMPARE(stage.rows.back().front().toStringList(), QStringList());
    }
    void theMenuOfAFrame() {
        DifferenceFlamesStage stage;
        auto* menu = stage.menuOf(kReads);
        QVERIFY(menu);
        QVERIFY(!stage.actionOf(menu, "&Back")->isEnabled() && !stage.actionOf(menu, "Show &All")->isEnabled());
        stage.actionOf(menu, "&Go to Row")->trigger();
        QCOMPARE(stage.rows.back().front().toStringList(), QStringList({"a.exe", "a!reads"}));
        stage.actionOf(menu, "&Filter to This")->trigger();
        QCOMPARE(stage.filtered.back().front().toStringList(), QStringList({"a.exe", "a!reads"}));
        stage.actionOf(menu, "&Copy Name")->trigger();
        QCOMPARE(QApplication::clipboard()->text(), QString("a!reads"));
        stage.actionOf(menu, "&Zoom In")->trigger();
        QCOMPARE(stage.canvas.zoom(), kReads);
        delete menu;
        menu = stage.menuOf(kReads);
        QVERIFY(!stage.actionOf(menu, "&Zoom In")->isEnabled()); // as wide as all
        stage.actionOf(menu, "&Back")->trigger();
        QCOMPARE(stage.canvas.zoom(), FlameTree::kRoot);
    }
    void theMenuOfSeveralHasNoRow() {
        DifferenceFlamesStage stage;
        for (const auto node : {kMore, FlameTree::kRoot}) {
            auto* menu = stage.menuOf(node);
            for (const auto* text : {"&Go to Row", "&Filter to This", "&Copy Name"})
                QVERIFY2(!stage.actionOf(menu, text)->isEnabled(), text);
            delete menu;
        }
    }
    /// The answer may change while the menu is open.
    void anOpenMenuRemembersItsFrame() {
        DifferenceFlamesStage stage;
        auto* menu = stage.menuOf(kLoads);
        stage.view.setAnswer(nullptr);
        stage.actionOf(menu, "&Go to Row")->trigger();
        QCOMPARE(stage.rows.back().front().toStringList(), QStringList({"a.exe", "a!reads", "a!loads"}));
        stage.actionOf(menu, "&Zoom In")->trigger(); // nothing left to zoom into
        QVERIFY(!stage.all().isEnabled());
    }
    void isSavedAsAPicture() {
        DifferenceFlamesStage stage;
        const QTemporaryDir folder;
        QSignalSpy failed(&stage.view, &TreeFlamesView::pictureFailed);
        stage.view.setSubject("Heap; before: a.etl; after: b.etl");
        const auto saveAs = [&](const QString& path) {
            auto* menu = stage.menuOf(kReads);
            stage.actionOf(menu, "&Save Graph As")->trigger();
            delete menu;
            auto* dialog = stage.view.window()->findChild<QFileDialog*>("exportDialog");
            if (dialog == nullptr) return;
            emit dialog->fileSelected(path);
            delete dialog;
        };
        const auto drawing = folder.filePath("flames.svg");
        saveAs(drawing);
        QFile file(drawing);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto text = QString::fromUtf8(file.readAll());
        QVERIFY(text.contains("a!reads") && text.contains("Heap; before: a.etl; after: b.etl"));
        const auto picture = folder.filePath("flames.png");
        saveAs(picture);
        QVERIFY(!QImage(picture).isNull());
        QCOMPARE(failed.size(), 0);
        saveAs(folder.filePath("nowhere/flames.png"));
        QCOMPARE(failed.size(), 1);
    }
};

HIGHWATER_TEST(TreeFlamesViewTest);
#include "tree_flames_view_test.moc"
