#include "ui/view/table/column_chooser.h"

#include "ui/format/plain_text.h"
#include "ui/view/access/row_height.h"
#include "ui/view/parts/plain_widgets.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QScopedValueRollback>
#include <QScreen>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace highwater::ui {
namespace {

constexpr int kOfferRole = Qt::UserRole;
constexpr QSize kChooserSize{620, 520};

} // namespace

ColumnChooser::ColumnChooser(GraphState& state, const TraceFacts& facts, QWidget* parent)
    : QFrame(parent, Qt::Popup),
      state_(state),
      offers_(columnOffers(state.table(), facts)),
      search_(new QLineEdit),
      list_(new QTreeWidget),
      words_(new PlainLabel) {
    build();
    fill();
    connect(&state_, &GraphState::changed, this, [this](auto changes) {
        if (changes.testFlag(GraphState::Layout)) showTicks();
    });
    connect(search_, &QLineEdit::textChanged, this, &ColumnChooser::search);
    connect(list_, &QTreeWidget::itemChanged, this, [this](QTreeWidgetItem* item) {
        if (!filling_) choose(*item);
    });
    connect(list_, &QTreeWidget::currentItemChanged, this, &ColumnChooser::describeCurrent);
    describeCurrent();
}

void ColumnChooser::build() {
    setObjectName(QStringLiteral("columnChooser"));
    setAttribute(Qt::WA_DeleteOnClose);
    setAccessibleName(tr("Columns of the table"));
    setFrameShape(QFrame::StyledPanel);
    search_->setObjectName(QStringLiteral("columnSearch"));
    search_->setAccessibleName(tr("Search columns"));
    search_->setPlaceholderText(tr("Search columns"));
    search_->setClearButtonEnabled(true);
    search_->installEventFilter(this);
    list_->setObjectName(QStringLiteral("columnList"));
    list_->setAccessibleName(tr("Columns"));
    list_->setColumnCount(2);
    list_->setHeaderHidden(true);
    list_->setRootIsDecorated(false);
    list_->setIndentation(14);
    useOneRowHeight(*list_);
    list_->setFrameShape(QFrame::NoFrame);
    list_->setTextElideMode(Qt::ElideRight);
    list_->installEventFilter(this);
    words_->setObjectName(QStringLiteral("columnWords"));
    words_->setWordWrap(true);
    words_->setMinimumHeight(2 * fontMetrics().lineSpacing());
    words_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->addWidget(search_);
    layout->addWidget(list_, 1);
    layout->addWidget(words_);
    resize(kChooserSize);
    setFocusProxy(search_);
}

void ColumnChooser::fill() {
    const QScopedValueRollback<bool> filling(filling_, true);
    auto* keys = new QTreeWidgetItem(list_, {tr("Group rows by")});
    auto* values = new QTreeWidgetItem(list_, {tr("Values")});
    for (auto* group : {keys, values}) {
        group->setFlags(Qt::ItemIsEnabled);
        group->setFirstColumnSpanned(true);
        auto font = list_->font();
        font.setBold(true);
        group->setFont(0, font);
    }
    for (std::size_t i = 0; i < offers_.size(); ++i) {
        addOffer(offers_[i].zone == LayoutZone::Keys ? *keys : *values, i);
    }
    list_->expandAll();
    list_->setCurrentItem(keys->child(0));
    showTicks();
    list_->resizeColumnToContents(0);
}

void ColumnChooser::addOffer(QTreeWidgetItem& group, std::size_t index) {
    const auto& offer = offers_[index];
    auto* item = new QTreeWidgetItem(&group, {offer.name, offer.reason.isEmpty() ? offer.definition : offer.reason});
    item->setData(0, kOfferRole, static_cast<qulonglong>(index));
    auto quiet = list_->palette().color(QPalette::Text);
    quiet.setAlpha(180);
    item->setForeground(1, quiet);
    for (int column = 0; column < 2 && !offer.reason.isEmpty(); ++column) {
        item->setForeground(column, list_->palette().color(QPalette::Disabled, QPalette::Text));
    }
    item->setToolTip(0, tooltipText(item->text(1)));
    item->setToolTip(1, tooltipText(item->text(1)));
    item->setData(0, Qt::AccessibleDescriptionRole, item->text(1));
}

const ColumnOffer* ColumnChooser::offerOf(const QTreeWidgetItem* item) const {
    if (!item || !item->parent()) return nullptr;
    return &offers_[static_cast<std::size_t>(item->data(0, kOfferRole).toULongLong())];
}

void ColumnChooser::showTicks() {
    const QScopedValueRollback<bool> filling(filling_, true);
    for (QTreeWidgetItemIterator at(list_); *at; ++at) {
        const auto* offer = offerOf(*at);
        if (!offer) continue;
        const bool shown = offer->column && isShown(state_.layout(), *offer->column);
        // A visible column can be removed even if it cannot be filled.
        const bool canTick = shown || offer->reason.isEmpty();
        const auto plain = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
        (*at)->setFlags(canTick ? plain | Qt::ItemIsUserCheckable : plain);
        (*at)->setCheckState(0, shown ? Qt::Checked : Qt::Unchecked);
    }
}

void ColumnChooser::search(const QString& text) {
    QTreeWidgetItem* first = nullptr;
    for (int g = 0; g < list_->topLevelItemCount(); ++g) {
        auto* group = list_->topLevelItem(g);
        bool any = false;
        for (int i = 0; i < group->childCount(); ++i) {
            auto* item = group->child(i);
            const bool matches = item->text(0).contains(text.trimmed(), Qt::CaseInsensitive);
            item->setHidden(!matches);
            if (matches && !first) first = item;
            any = any || matches;
        }
        group->setHidden(!any);
    }
    list_->setCurrentItem(first);
    if (!first) words_->setText(tr("No column matches."));
}

void ColumnChooser::choose(QTreeWidgetItem& item) {
    const auto* offer = offerOf(&item);
    if (!offer || !offer->column) return;
    const bool wanted = item.checkState(0) == Qt::Checked;
    const auto& layout = state_.layout();
    const auto edit = wanted ? addColumn(layout, *offer->column, offer->zone) : removeEvery(layout, *offer->column);
    if (!edit.isRefused()) return state_.setLayout(edit.layout);
    showTicks();
    words_->setText(edit.refusal);
}

void ColumnChooser::describeCurrent() {
    const auto* offer = offerOf(list_->currentItem());
    if (!offer) return;
    auto text = offer->reason.isEmpty() ? offer->definition : tr("Not available: %1.").arg(offer->reason);
    words_->setText(text.isEmpty() ? offer->name : QStringLiteral("%1: %2").arg(offer->name, text));
}

/// Moves between visible columns, skipping headings.
void ColumnChooser::moveCurrent(int key) {
    const bool up = key == Qt::Key_Up || key == Qt::Key_PageUp;
    int steps = key == Qt::Key_PageUp || key == Qt::Key_PageDown ? 10 : 1;
    auto* current = list_->currentItem();
    for (auto* at = current; at && steps > 0;) {
        at = up ? list_->itemAbove(at) : list_->itemBelow(at);
        if (!offerOf(at)) continue;
        current = at;
        --steps;
    }
    list_->setCurrentItem(current);
}

bool ColumnChooser::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::KeyPress) return QFrame::eventFilter(watched, event);
    auto* key = static_cast<QKeyEvent*>(event);
    const bool inSearch = watched == search_;
    switch (key->key()) {
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_PageUp:
    case Qt::Key_PageDown:
        moveCurrent(key->key());
        return true;
    case Qt::Key_Escape:
        close();
        return true;
    case Qt::Key_Space:
        if (inSearch && !search_->text().isEmpty()) return false; // part of a name
        [[fallthrough]];
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (auto* item = list_->currentItem(); item && item->flags().testFlag(Qt::ItemIsUserCheckable))
            item->setCheckState(0, item->checkState(0) == Qt::Checked ? Qt::Unchecked : Qt::Checked);
        return true;
    default:
        break;
    }
    // Typing in the list starts a search.
    if (inSearch || key->text().isEmpty() || !key->text().front().isPrint()) return QFrame::eventFilter(watched, event);
    search_->setFocus();
    search_->insert(key->text());
    return true;
}

void ColumnChooser::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape) return void(close());
    QFrame::keyPressEvent(event);
}

void ColumnChooser::popup(const QPoint& globalPosition) {
    const auto free = screen()->availableGeometry();
    resize(size().boundedTo(free.size()));
    move(std::clamp(globalPosition.x(), free.left(), std::max(free.left(), free.right() - width())),
         std::clamp(globalPosition.y(), free.top(), std::max(free.top(), free.bottom() - height())));
    show();
    search_->setFocus(Qt::PopupFocusReason);
}

} // namespace highwater::ui

#include "moc_column_chooser.cpp"
