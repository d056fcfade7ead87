#pragma once

#include "ui/state/symbol_choices.h"

#include <QWidget>

class QCheckBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace highwater::ui {

/// Which symbols are loaded, and where what was loaded is kept. GUI thread only.
class SymbolLoadSettings : public QWidget {
    Q_OBJECT
  public:
    /// `usualCache`: the folder that an empty field stands for.
    explicit SymbolLoadSettings(QString usualCache, QWidget* parent = nullptr);

    void setChoices(const SymbolChoices& choices);
    /// Whether a trace is open, and whether it was recorded on this computer.
    void setTrace(bool isOpen, bool isRecordedHere);
    /// Into these; the path is left as it is.
    void putInto(SymbolChoices& choices) const;

  private:
    void build();
    QLineEdit* addNames(const char* name, const QString& words, const QString& example);
    QWidget* cacheRow();
    void chooseFolder();
    void measure();
    void clear();
    [[nodiscard]] QString folder() const;

    QString usualCache_;
    QLineEdit* processes_ = nullptr;
    QLineEdit* modules_ = nullptr;
    QCheckBox* onlyCached_;
    QCheckBox* imagePaths_;
    std::optional<bool> givenImagePaths_; ///< what was chosen for this trace before
    bool usualImagePaths_ = false;        ///< what holds without a choice
    QLineEdit* cache_;
    QLabel* size_;
    QPushButton* clear_;
};

} // namespace highwater::ui
