#include "app/tools/addresses/page/address_view.h"

#include "core/analysis/columns/columns.h"
#include "ui/format/byte_format.h"
#include "ui/format/count_text.h"
#include "ui/format/plain_text.h"
#include "ui/format/qt_text.h"
#include "ui/format/time_format.h"
#include "ui/view/access/row_height.h"
#include "ui/view/parts/plain_widgets.h"
#include "ui/view/parts/stack_list.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QSplitter>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace highwater::ui {
namespace {

using analysis::AddressUse;

enum AddressColumn { kAllocated, kFreed, kHow, kUseSize, kOffset, kUseAddress, kMemory, kUseProcess, kThreads, kCount };

QString hexText(Address address) { return QStringLiteral("0x") + QString::number(address, 16); }

QString beginText(const AddressUse& use) {
    if (use.isUnmatchedFree) return {};
    return use.begin == kBeforeTrace ? tr("before the trace") : formatTime(use.begin);
}

QString howText(const AddressUse& use) {
    const auto key = use.isUnmatchedFree ? analysis::kUnmatchedFreeType : static_cast<std::uint64_t>(use.endKind);
    auto text = toQString(analysis::enumText(analysis::Column::FreeType, key));
    if (use.releasedInParts > 0) text += tr(", partly before");
    return text;
}

QString threadText(ThreadId thread) { return thread.isKnown() ? QString::number(thread.value) : QStringLiteral("?"); }

QString threadsText(const AddressUse& use) {
    if (use.isUnmatchedFree) return threadText(use.endThread);
    return use.end == kNever ? threadText(use.thread)
                             : threadText(use.thread) + QStringLiteral(" → ") + threadText(use.endThread);
}

QStringList cellsOf(const AddressUse& use, Address address) {
    QStringList cells;
    for (int column = 0; column < kCount; ++column)
        cells << QString();
    cells[kAllocated] = beginText(use);
    cells[kFreed] = use.end == kNever ? QString() : formatTime(use.end);
    cells[kHow] = howText(use);
    cells[kUseSize] = formatBytes(static_cast<SignedByteCount>(use.size));
    cells[kOffset] = use.isUnmatchedFree ? QString() : formatCount(static_cast<std::int64_t>(address - use.address));
    cells[kUseAddress] = hexText(use.address);
    cells[kMemory] = use.heap == 0 ? tr("VirtualAlloc") : tr("Heap %1").arg(hexText(use.heap));
    cells[kUseProcess] = lineText(use.process);
    cells[kThreads] = threadsText(use);
    return cells;
}

} // namespace

AddressView::AddressView(QWidget* parent)
    : QWidget(parent),
      box_(new QLineEdit),
      summary_(new PlainLabel),
      list_(new QTreeWidget),
      allocated_(new StackList),
      freed_(new StackList) {
    build();
    clear(tr("Type an address, such as 0x7ff612340010, to list the blocks at this address in the whole trace, with the "
             "times and the code that allocated and freed them."));
}

void AddressView::build() {
    setObjectName(QStringLiteral("addressView"));
    box_->setObjectName(QStringLiteral("addressBox"));
    box_->setAccessibleName(tr("Address"));
    box_->setPlaceholderText(QStringLiteral("0x7ff612340010"));
    box_->setClearButtonEnabled(true);
    auto* find = new QPushButton(tr("&Find"));
    find->setObjectName(QStringLiteral("addressFind"));
    summary_->setObjectName(QStringLiteral("addressSummary"));
    summary_->setWordWrap(true);
    buildList();
    auto* line = new QHBoxLayout;
    line->addWidget(box_, 1);
    line->addWidget(find);
    auto* stacks = new QSplitter(Qt::Horizontal);
    stacks->setChildrenCollapsible(false);
    const auto addStack = [&](StackList* list, const char* name, const QString& title) {
        list->setObjectName(QLatin1String(name));
        list->setAccessibleName(title);
        list->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
        auto* column = new QWidget;
        auto* layout = new QVBoxLayout(column);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->addWidget(new PlainLabel(title));
        layout->addWidget(list, 1);
        stacks->addWidget(column);
    };
    addStack(allocated_, "addressAllocStack", tr("Allocated by, innermost function first"));
    addStack(freed_, "addressFreeStack", tr("Freed by, innermost function first"));
    auto* halves = new QSplitter(Qt::Vertical);
    halves->setChildrenCollapsible(false);
    halves->addWidget(list_);
    halves->addWidget(stacks);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(line);
    layout->addWidget(summary_);
    layout->addWidget(halves, 1);
    connect(box_, &QLineEdit::returnPressed, this, &AddressView::ask);
    connect(find, &QPushButton::clicked, this, &AddressView::ask);
}

void AddressView::buildList() {
    list_->setObjectName(QStringLiteral("addressList"));
    list_->setAccessibleName(tr("Blocks that had the address"));
    list_->setRootIsDecorated(false);
    useOneRowHeight(*list_);
    list_->setAlternatingRowColors(true);
    list_->setHeaderLabels({tr("Allocated"), tr("Freed"), tr("Ended By"), tr("Size"), tr("Offset"), tr("Address"),
                            tr("Memory"), tr("Process"), tr("Threads")});
    for (const int column : {kUseSize, kOffset})
        list_->headerItem()->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    connect(list_, &QTreeWidget::currentItemChanged, this, &AddressView::showStacks);
}

void AddressView::ask() {
    const auto address = analysis::parseAddress(box_->text().toStdString());
    if (!address) return clear(tr("This is not an address. Write it in hexadecimal, such as 0x7ff612340010."));
    emit addressWanted(*address);
}

void AddressView::setAnswer(std::shared_ptr<const analysis::AddressHistory> history, Address address) {
    list_->clear();
    history_ = std::move(history);
    // Newest first, because double frees and uses after free concern the latest ones.
    for (auto use = history_->uses.rbegin(); use != history_->uses.rend(); ++use) {
        auto* item = new QTreeWidgetItem(list_, cellsOf(*use, address));
        for (const int column : {kUseSize, kOffset})
            item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    }
    for (int column = 0; column < kCount; ++column)
        list_->resizeColumnToContents(column);
    auto text = history_->count == 0 ? tr("%1: no recorded memory had this address, and no recorded free refers to it.")
                                     : tr("%1: %2 in the whole trace, newest first");
    text = history_->count == 0 ? text.arg(hexText(address))
                                : text.arg(hexText(address), countText(history_->count, "1 use", "%1 uses"));
    if (history_->uses.size() < history_->count)
        text += tr("; the list shows the newest %1").arg(formatCount(static_cast<std::int64_t>(history_->uses.size())));
    summary_->setSentence(text);
    list_->setCurrentItem(list_->topLevelItem(0));
    showStacks();
}

void AddressView::clear(const QString& why) {
    list_->clear();
    history_ = nullptr;
    summary_->setSentence(why);
    showStacks();
}

void AddressView::showStacks() {
    const auto row = list_->indexOfTopLevelItem(list_->currentItem());
    allocated_->clear();
    freed_->clear();
    if (!history_ || row < 0) return;
    const auto& use = history_->uses[history_->uses.size() - 1 - static_cast<std::size_t>(row)];
    allocated_->setStack(use.stack, use.stack.size());
    freed_->setStack(use.endStack, use.endStack.size());
}

} // namespace highwater::ui

#include "moc_address_view.cpp"
