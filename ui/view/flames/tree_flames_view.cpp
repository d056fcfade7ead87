#include "ui/view/flames/tree_flames_view.h"

#include "ui/format/byte_format.h"
#include "ui/format/count_text.h"
#include "ui/format/plain_text.h"
#include "ui/format/qt_text.h"
#include "ui/view/access/focus.h"
#include "ui/view/flames/flame_canvas.h"
#include "ui/view/flames/flame_picture.h"
#include "ui/view/parts/elided_label.h"
#include "ui/view/parts/picture_dialog.h"
#include "ui/view/parts/picture_file.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QMenu>
#include <QShortcut>
#include <QToolButton>
#include <QVBoxLayout>

#include <utility>

namespace highwater::ui {

TreeFlamesView::TreeFlamesView(Names names, QWidget* parent)
    : QWidget(parent),
      names_(std::move(names)),
      canvas_(new FlameCanvas),
      search_(new QLineEdit),
      matches_(new ElidedLabel({})),
      all_(new QToolButton),
      words_(new ElidedLabel({})) {
    build();
    connectCanvas();
    refresh();
}

void TreeFlamesView::build() {
    setObjectName(nameOf("s"));
    passFocus(*this, *canvas_);
    canvas_->setAccessibleName(names_.title);
    canvas_->setAccessibleDescription(tr("Press arrow keys to move between frames, Enter to zoom, Escape to go back."));
    search_->setObjectName(nameOf("Search"));
    search_->setAccessibleName(tr("Search frames"));
    search_->setPlaceholderText(tr("Search frames (/)"));
    search_->setClearButtonEnabled(true);
    search_->setMaxLength(kMostInLine);
    search_->setFixedWidth(200);
    matches_->setObjectName(nameOf("Matches"));
    matches_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    all_->setObjectName(nameOf("All"));
    all_->setText(tr("Show All"));
    all_->setAutoRaise(true);
    all_->setToolTip(tr("Zoom out to all frames (Home; Esc goes back one step)"));
    words_->setObjectName(nameOf("Words"));
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(0, 0, 0, 0);
    bar->addWidget(search_);
    bar->addWidget(matches_, 1);
    bar->addWidget(all_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addLayout(bar);
    layout->addWidget(canvas_, 1);
    layout->addWidget(words_);
}

void TreeFlamesView::connectCanvas() {
    connect(canvas_, &FlameCanvas::wordsChanged, this,
            [this] { words_->setText(canvas_->words().join(QStringLiteral("  ·  "))); });
    connect(canvas_, &FlameCanvas::zoomChanged, this, &TreeFlamesView::refresh);
    connect(canvas_, &FlameCanvas::rowWanted, this, [this](std::uint32_t node) { emit rowWanted(pathOf(node)); });
    connect(canvas_, &FlameCanvas::menuWanted, this, &TreeFlamesView::showMenu);
    connect(canvas_, &FlameCanvas::searchWanted, this, [this] {
        search_->setFocus(Qt::ShortcutFocusReason);
        search_->selectAll();
    });
    connect(all_, &QToolButton::clicked, canvas_, &FlameCanvas::showAll);
    connect(search_, &QLineEdit::textChanged, this, [this](const QString& text) { search(text.trimmed()); });
    connect(search_, &QLineEdit::returnPressed, this, [this] {
        const bool isBack = QGuiApplication::keyboardModifiers().testFlag(Qt::ShiftModifier);
        canvas_->goToMatch(isBack ? FlameCanvas::Step::Previous : FlameCanvas::Step::Next);
    });
    auto* leave = new QShortcut(Qt::Key_Escape, search_, nullptr, nullptr, Qt::WidgetShortcut);
    connect(leave, &QShortcut::activated, this, [this] {
        search_->clear();
        canvas_->setFocus();
    });
}

void TreeFlamesView::refresh() { all_->setEnabled(canvas_->answer() && canvas_->zoom() != analysis::FlameTree::kRoot); }

void TreeFlamesView::setAnswer(std::shared_ptr<const FlameAnswer> answer) {
    canvas_->setAnswer(std::move(answer));
    refresh();
    search(search_->text().trimmed());
}

void TreeFlamesView::search(const QString& text) {
    if (text.isEmpty() || !canvas_->answer()) return setSearch(nullptr);
    emit searchWanted(text);
}

void TreeFlamesView::setSearch(std::shared_ptr<const FlameSearch> search) {
    // Ignores results that were cleared in the meantime.
    if (search && search->text != search_->text().trimmed()) return;
    QString words;
    if (search) {
        const auto count = search->matches.nodes.size();
        words = count == 0 ? tr("No frame matches")
                           : countText(count, "1 frame, %2 % of all", "%1 frames, %2 % of all")
                                 .arg(search->matches.share * 100, 0, 'f', 1);
    }
    matches_->setText(words);
    canvas_->setSearch(std::move(search));
}

void TreeFlamesView::setBottomUp(bool isBottomUp) { canvas_->setRoot(isBottomUp ? FlameRoot::Top : FlameRoot::Bottom); }

QStringList TreeFlamesView::pathOf(std::uint32_t node) const {
    const auto& tree = canvas_->answer()->tree;
    QStringList path;
    for (; node != analysis::FlameTree::kRoot; node = tree.nodes[node].parent) {
        if (tree.nodes[node].isMore()) return {};
        path.prepend(toQString(tree.labels[tree.nodes[node].label].text));
    }
    return path;
}

/// Another answer may arrive while the menu is open, so its actions store paths.
void TreeFlamesView::showMenu(std::uint32_t node, const QPoint& globalPosition) {
    auto* menu = new QMenu(this);
    menu->setObjectName(nameOf("Menu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const auto path = pathOf(node);
    const auto key = canvas_->answer()->tree.path(node);
    menu->addAction(tr("&Zoom In\tEnter"), canvas_,
                    [this, key] {
                        if (canvas_->answer()) canvas_->zoomTo(canvas_->answer()->tree.find(key));
                    })
        ->setEnabled(node != canvas_->zoom());
    menu->addAction(tr("&Back\tEsc"), canvas_, &FlameCanvas::goBack)->setEnabled(canvas_->canGoBack());
    menu->addAction(tr("Show &All\tHome"), canvas_, &FlameCanvas::showAll)->setEnabled(all_->isEnabled());
    menu->addSeparator();
    menu->addAction(tr("&Go to Row\tCtrl+Enter"), this, [this, path] { emit rowWanted(path); })
        ->setEnabled(!path.isEmpty());
    menu->addAction(tr("&Filter to This"), this, [this, path] { emit filterWanted(path); })
        ->setEnabled(!path.isEmpty());
    menu->addAction(tr("&Copy Name"), this,
                    [text = canvas_->wholeText(node)] { QGuiApplication::clipboard()->setText(text); })
        ->setEnabled(!path.isEmpty());
    menu->addSeparator();
    menu->addAction(tr("&Save Graph As…"), this, &TreeFlamesView::askForPicture);
    menu->popup(globalPosition);
}

void TreeFlamesView::askForPicture() {
    ui::askForPicture(
        *this, {QString(), names_.picture}, DrawingsAre::Offered, [this](const QString& path, PictureForm form) {
            const auto problem = form == PictureForm::Drawing ? saveDrawingOf(*canvas_, subject_, path)
                                                              : savePicture(pictureOf(*canvas_, subject_), path);
            if (!problem.isEmpty()) emit pictureFailed(problem);
        });
}

} // namespace highwater::ui

#include "moc_tree_flames_view.cpp"
