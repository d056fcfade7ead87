#include "ui/view/window/start_page.h"

#include "ui/theme/theme_colors.h"
#include "ui/view/parts/line_icons.h"
#include "ui/view/parts/plain_widgets.h"
#include "ui/view/window/example_picture.h"
#include "ui/view/window/recent_list.h"

#include <QCommandLinkButton>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

namespace highwater::ui {
namespace {

constexpr int kPageWidth = 1040; ///< longer lines are hard to read
constexpr int kRecentHeight = 120;
constexpr int kMostShownLostRecordings = 2; ///< more than these scroll

} // namespace

StartPage::StartPage(QWidget* parent)
    : QWidget(parent), recentTitle_(new PlainLabel(tr("Recent traces"))), recent_(new RecentList) {
    build();
    setRecentTraces({});
}

/// Scrolls with very large fonts or in a very small window, so that nothing is cut.
void StartPage::build() {
    setObjectName(QStringLiteral("startPage"));
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(6 * kGrid, 4 * kGrid, 6 * kGrid, 4 * kGrid);
    column->setSpacing(3 * kGrid);
    column->addWidget(makeOpenTrace());
    column->addWidget(makeHead());
    column->addWidget(makeChoices());
    auto* strips = new QWidget;
    lost_ = new QVBoxLayout(strips);
    lost_->setContentsMargins(0, 0, 0, 0);
    lost_->setSpacing(kGrid);
    lostArea_ = new QScrollArea;
    lostArea_->setObjectName(QStringLiteral("lostRecordings"));
    lostArea_->setFrameShape(QFrame::NoFrame);
    lostArea_->setWidgetResizable(true);
    lostArea_->setFocusPolicy(Qt::NoFocus); // its buttons take the focus and scroll it
    lostArea_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    lostArea_->setWidget(strips);
    lostArea_->hide();
    column->addWidget(lostArea_);
    column->addWidget(recentTitle_);
    recent_->setMinimumHeight(kRecentHeight);
    connect(recent_, &RecentList::openWanted, this, &StartPage::recentWanted);
    connect(recent_, &RecentList::removeWanted, this, &StartPage::removeWanted);
    column->addWidget(recent_, 1);
    column->addStretch(0);
    content->setMaximumWidth(kPageWidth);
    auto* centered = new QWidget;
    auto* row = new QHBoxLayout(centered);
    row->setContentsMargins(0, 0, 0, 0);
    row->addStretch(0);
    row->addWidget(content, 1);
    row->addStretch(0);
    auto* scroll = new QScrollArea;
    scroll->setObjectName(QStringLiteral("startScroll"));
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(centered);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(scroll);
}

QWidget* StartPage::makeOpenTrace() {
    open_ = new QFrame;
    open_->setObjectName(QStringLiteral("openTraceStrip"));
    open_->setFrameShape(QFrame::StyledPanel);
    openWords_ = new PlainLabel;
    openWords_->setWordWrap(true);
    back_ = new QPushButton(tr("&Back to Trace"));
    back_->setObjectName(QStringLiteral("backToTrace"));
    back_->setToolTip(tr("Return to the view as you left it (Ctrl+0)"));
    back_->setAutoDefault(true);
    connect(back_, &QPushButton::clicked, this, &StartPage::backWanted);
    auto* row = new QHBoxLayout(open_);
    row->addWidget(openWords_, 1);
    row->addWidget(back_);
    open_->hide();
    return open_;
}

void StartPage::setOpenTrace(const QString& sentence) {
    openWords_->setSentence(sentence);
    const bool isNew = open_->isHidden() && !sentence.isEmpty();
    open_->setVisible(!sentence.isEmpty());
    if (isNew) back_->setFocus();
}

QWidget* StartPage::makeHead() {
    auto* title = new PlainLabel(tr("Highwater"));
    auto large = title->font();
    large.setPointSizeF(large.pointSizeF() * 2.2);
    title->setFont(large);
    auto* question = new PlainLabel(tr("Where does a program's memory go, and what holds on to it?"));
    question->setWordWrap(true);
    auto medium = question->font();
    medium.setPointSizeF(medium.pointSizeF() * 1.25);
    question->setFont(medium);
    auto* how = new PlainLabel(tr("Select an interval in which memory grew. The table shows which code allocated the "
                                  "memory that is still in use. Cards above the graph name likely leaks."));
    how->setWordWrap(true);
    how->setForegroundRole(QPalette::PlaceholderText);
    auto* words = new QVBoxLayout;
    words->setSpacing(2 * kGrid);
    words->addStretch(1);
    words->addWidget(title);
    words->addWidget(question);
    words->addWidget(how);
    words->addStretch(1);
    auto* head = new QWidget;
    auto* row = new QHBoxLayout(head);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6 * kGrid);
    row->addLayout(words, 1);
    row->addWidget(new ExamplePicture, 1);
    return head;
}

QWidget* StartPage::makeChoices() {
    auto* choices = new QWidget;
    auto* grid = new QGridLayout(choices);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setSpacing(2 * kGrid);
    const auto add = [&](int row, int column, LineIcon icon, QCommandLinkButton* choice) {
        choice->setIcon(lineIcon(icon));
        grid->addWidget(choice, row, column);
        return choice;
    };
    add(0, 0, LineIcon::Record,
        makeChoice("recordChoice", tr("Record a program"),
                   tr("Start a program and watch where its memory goes (Ctrl+R)."), &StartPage::recordWanted));
    add(0, 1, LineIcon::Link,
        makeChoice("attachChoice", tr("Attach to a running program"),
                   tr("Choose a process; its memory is recorded from then on."), &StartPage::attachWanted));
    add(1, 0, LineIcon::Open,
        makeChoice("openChoice", tr("Open a trace"), tr("Choose a trace or a heap profile (Ctrl+O), or drop it here."),
                   &StartPage::openWanted));
    example_ = add(1, 1, LineIcon::Play,
                   makeChoice("exampleChoice", tr("Try the example"),
                              tr("Record a small program for half a minute, as shown in the picture."),
                              &StartPage::exampleWanted));
    example_->hide();
    grid->setColumnStretch(0, 1);
    grid->setColumnStretch(1, 1);
    return choices;
}

QCommandLinkButton* StartPage::makeChoice(const char* name, const QString& text, const QString& help,
                                          void (StartPage::*wanted)()) {
    auto* choice = new QCommandLinkButton(text, help);
    choice->setObjectName(QLatin1String(name));
    choice->setAccessibleName(text);
    choice->setAutoDefault(true); // outside of dialogs, Enter does not press other buttons
    connect(choice, &QCommandLinkButton::clicked, this, wanted);
    return choice;
}

void StartPage::setHasExample(bool has) { example_->setVisible(has); }

QWidget* StartPage::makeLostRecording(const QString& words, int number) {
    auto* strip = new QFrame;
    strip->setObjectName(QStringLiteral("lostRecording"));
    strip->setFrameShape(QFrame::StyledPanel);
    auto* row = new QHBoxLayout(strip);
    auto* label = new PlainLabel;
    label->setSentence(words);
    label->setWordWrap(true);
    row->addWidget(label, 1);
    auto* recover = new QPushButton(tr("Recover"));
    recover->setObjectName(QStringLiteral("recover"));
    recover->setToolTip(tr("Open the recording, so that you can save or discard it"));
    auto* discard = new QPushButton(tr("Discard…"));
    discard->setObjectName(QStringLiteral("discard"));
    for (auto* button : {recover, discard}) {
        button->setAutoDefault(true);
        row->addWidget(button);
    }
    connect(recover, &QPushButton::clicked, this, [this, number] { emit recoverWanted(number); });
    connect(discard, &QPushButton::clicked, this, [this, number] { emit discardWanted(number); });
    return strip;
}

void StartPage::setLostRecordings(const QStringList& words) {
    while (const auto* item = lost_->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater(); // its button may be the sender of the current click
        delete item;
    }
    int height = 0;
    QWidget* before = example_;
    for (int i = 0; i < words.size(); ++i) {
        auto* strip = makeLostRecording(words[i], i);
        lost_->addWidget(strip);
        for (auto* button : strip->findChildren<QPushButton*>()) {
            setTabOrder(before, button);
            before = button;
        }
        if (i < kMostShownLostRecordings) height += strip->sizeHint().height() + (i > 0 ? lost_->spacing() : 0);
    }
    setTabOrder(before, recent_);
    lostArea_->setVisible(!words.isEmpty());
    lostArea_->setFixedHeight(height);
}

void StartPage::setRecentTraces(const QList<RecentTrace>& traces) {
    recent_->setTraces(traces);
    recentTitle_->setVisible(!traces.isEmpty());
    recent_->setVisible(!traces.isEmpty());
}

} // namespace highwater::ui

#include "moc_start_page.cpp"
