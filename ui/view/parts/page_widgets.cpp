#include "ui/view/parts/page_widgets.h"

#include "ui/view/parts/stack_list.h"

#include <QHBoxLayout>
#include <QSplitter>
#include <QVBoxLayout>

#include <utility>

namespace highwater::ui {

BusySummary::BusySummary(const char* objectName, Words words) : ElidedLabel({}), words_(std::move(words)) {
    setObjectName(QLatin1String(objectName));
}

void BusySummary::wrap() {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    setWordWrap(true);
}

void BusySummary::setBusy(bool busy) {
    isBusy_ = busy;
    if (!answer_.isEmpty())
        setText(busy ? words_.withAnswer.arg(answer_) : answer_);
    else if (busy && !words_.alone.isEmpty())
        setText(words_.alone);
}

void BusySummary::setAnswer(const QString& text) {
    answer_ = text;
    setBusy(isBusy_);
}

void BusySummary::setReason(const QString& why) {
    answer_.clear();
    setText(why);
}

StackDetails::StackDetails(const char* sentenceName, const char* stackName)
    : sentence_(new PlainLabel), stack_(new StackList) {
    sentence_->setObjectName(QLatin1String(sentenceName));
    sentence_->setWordWrap(true);
    sentence_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    stack_->setObjectName(QLatin1String(stackName));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addWidget(sentence_);
    column->addWidget(stack_, 1);
}

void StackDetails::setDetails(const QString& sentence, const std::vector<std::string>& frames, std::size_t owner) {
    sentence_->setSentence(sentence);
    stack_->setStack(frames, owner);
}

QHBoxLayout* makeSummaryLine(BusySummary* summary, QWidget* button) {
    auto* line = new QHBoxLayout;
    line->addWidget(summary);
    line->addStretch();
    line->addWidget(button);
    return line;
}

QVBoxLayout* makePageLayout(QWidget& page) {
    auto* layout = new QVBoxLayout(&page);
    layout->setContentsMargins(8, 4, 8, 4);
    layout->setSpacing(4);
    return layout;
}

QSplitter* makeSideBySide(QWidget* left, QWidget* right, int leftShare, int rightShare) {
    auto* splitter = new QSplitter(Qt::Horizontal);
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(left);
    splitter->addWidget(right);
    splitter->setStretchFactor(0, leftShare);
    splitter->setStretchFactor(1, rightShare);
    return splitter;
}

} // namespace highwater::ui

#include "moc_page_widgets.cpp"
