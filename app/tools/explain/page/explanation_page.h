#pragma once

#include <QDialog>

class QPlainTextEdit;
class QPushButton;

namespace highwater::ui {
class PlainLabel;
} // namespace highwater::ui

namespace highwater::app {

/// A page of plain text beside the window, which stays usable: to be read, selected, copied and saved by mouse and
/// keys. GUI thread only.
class ExplanationPage : public QDialog {
    Q_OBJECT
  public:
    explicit ExplanationPage(QWidget* parent);

    /// The name of the trace, for the title and for files that are saved.
    void setTrace(const QString& name);
    /// Where the reader is in the text stays where it is.
    void setText(const QString& text);
    [[nodiscard]] QString text() const;
    /// The text is old: another one is being made.
    void setBusy(bool busy);
    /// A sentence below the text; empty: none.
    void setRemark(const QString& sentence);

  signals:
    void refreshWanted();

  private:
    void buildButtons();
    void askWhereToSave();
    void save(const QString& path);
    void showRemark();

    QString trace_;
    QString remark_;
    bool isBusy_ = false;
    QPlainTextEdit* text_;
    ui::PlainLabel* label_;
    QPushButton* copy_ = nullptr;
    QPushButton* save_ = nullptr;
};

} // namespace highwater::app
