#pragma once

#include "ui/view/window/recent_trace.h"

#include <QList>
#include <QStringList>
#include <QWidget>

class QCommandLinkButton;
class QFrame;
class QLabel;
class QPushButton;
class QScrollArea;
class QVBoxLayout;

namespace highwater::ui {

class PlainLabel;
class RecentList;

/// What the window shows before a trace is open: what it answers, in a sentence and a picture; the ways to a trace;
/// recordings that were not saved; recent traces.
class StartPage : public QWidget {
    Q_OBJECT
  public:
    explicit StartPage(QWidget* parent = nullptr);
    void setRecentTraces(const QList<RecentTrace>& traces);

    /// Whether "Try the example" is there.
    void setHasExample(bool has);
    /// Recordings that were not saved, in words; empty: none.
    void setLostRecordings(const QStringList& words);
    /// What is open meanwhile, in a sentence, with the way back to it; empty: nothing is.
    void setOpenTrace(const QString& sentence);

  signals:
    /// To what is open.
    void backWanted();
    void recordWanted();
    /// A program that runs already.
    void attachWanted();
    void exampleWanted();
    /// By their number in the list.
    void recoverWanted(int recording);
    void discardWanted(int recording);
    void openWanted();
    void recentWanted(const QStringList& paths);
    /// From the list; the files stay.
    void removeWanted(const QStringList& paths);

  private:
    void build();
    [[nodiscard]] QWidget* makeOpenTrace();
    [[nodiscard]] QWidget* makeHead();
    [[nodiscard]] QWidget* makeChoices();
    [[nodiscard]] QCommandLinkButton* makeChoice(const char* name, const QString& text, const QString& help,
                                                 void (StartPage::*wanted)());
    [[nodiscard]] QWidget* makeLostRecording(const QString& words, int number);

    QFrame* open_ = nullptr;
    PlainLabel* openWords_ = nullptr;
    QPushButton* back_ = nullptr;
    QCommandLinkButton* example_ = nullptr;
    QScrollArea* lostArea_ = nullptr;
    QVBoxLayout* lost_ = nullptr;
    QLabel* recentTitle_;
    RecentList* recent_;
};

} // namespace highwater::ui
