#pragma once

#include <QDialog>

class QPlainTextEdit;
class QPushButton;

namespace highwater::ui {
class PlainLabel;
} // namespace highwater::ui

namespace highwater::app {

/// A non-modal page of plain text next to the window that can be selected, copied and saved by mouse and keyboard. GUI
/// thread only.
class ExplanationPage : public QDialog {
    Q_OBJECT
  public:
    explicit ExplanationPage(QWidget* parent);

    /// The name of the trace for the title and saved files.
    void setTrace(const QString& name);
    /// Keeps the scroll position.
    void setText(const QString& text);
    [[nodiscard]] QString text() const;
    /// The text is out of date; a new one is being computed.
    void setBusy(bool busy);
    /// A remark below the text; empty: none.
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
