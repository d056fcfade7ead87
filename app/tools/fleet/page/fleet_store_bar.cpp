#include "app/tools/fleet/page/fleet_store_bar.h"

#include "ui/view/parts/elided_label.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace highwater::ui {

FleetStoreBar::FleetStoreBar(QWidget* parent)
    : QWidget(parent),
      address_(new QComboBox),
      browse_(new QPushButton(tr("Browse…"))),
      open_(new QPushButton(tr("&Open"))),
      facts_(new ElidedLabel({})),
      signIn_(new QWidget),
      user_(new QLineEdit),
      password_(new QLineEdit),
      connect_(new QPushButton(tr("Sign &In"))) {
    build();
}

void FleetStoreBar::build() {
    address_->setObjectName(QStringLiteral("fleetAddress"));
    address_->setAccessibleName(tr("Store of runs"));
    address_->setToolTip(tr("A file created by highwater-cli fleet, or clickhouse://HOST:8123/DATABASE"));
    address_->setEditable(true);
    address_->setInsertPolicy(QComboBox::NoInsert);
    address_->setCompleter(nullptr); // completion would open a store that was not typed
    address_->lineEdit()->setPlaceholderText(tr("fleet.sqlite, or clickhouse://HOST:8123/DATABASE"));
    address_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    address_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    address_->setMinimumContentsLength(20);
    browse_->setObjectName(QStringLiteral("fleetBrowse"));
    open_->setObjectName(QStringLiteral("fleetOpen"));
    facts_->setObjectName(QStringLiteral("fleetFacts"));
    signIn_->setObjectName(QStringLiteral("fleetSignIn"));
    user_->setObjectName(QStringLiteral("fleetUser"));
    user_->setPlaceholderText(tr("User"));
    user_->setAccessibleName(tr("Server user"));
    password_->setObjectName(QStringLiteral("fleetPassword"));
    password_->setPlaceholderText(tr("Password"));
    password_->setAccessibleName(tr("Server password"));
    password_->setToolTip(tr("Used until Highwater exits, and never stored"));
    password_->setEchoMode(QLineEdit::Password);
    connect_->setObjectName(QStringLiteral("fleetConnect"));
    auto* line = new QHBoxLayout;
    line->addWidget(address_, 3);
    line->addWidget(browse_);
    line->addWidget(open_);
    line->addWidget(facts_, 2);
    auto* names = new QHBoxLayout(signIn_);
    names->setContentsMargins(0, 0, 0, 0);
    names->addWidget(user_, 1);
    names->addWidget(password_, 1);
    names->addWidget(connect_);
    names->addStretch(1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 6, 8, 2);
    layout->setSpacing(4);
    layout->addLayout(line);
    layout->addWidget(signIn_);
    signIn_->hide();
    soon_.setSingleShot(true);
    connect(&soon_, &QTimer::timeout, this, &FleetStoreBar::open);
    connect(open_, &QPushButton::clicked, this, &FleetStoreBar::open);
    // Enter in the field also activates an entry if the text matches one.
    connect(address_->lineEdit(), &QLineEdit::returnPressed, &soon_, qOverload<>(&QTimer::start));
    connect(address_, &QComboBox::activated, &soon_, qOverload<>(&QTimer::start));
    connect(browse_, &QPushButton::clicked, this, &FleetStoreBar::browseWanted);
    connect(connect_, &QPushButton::clicked, this, &FleetStoreBar::signIn);
    connect(user_, &QLineEdit::returnPressed, password_, [this] { password_->setFocus(); });
    connect(password_, &QLineEdit::returnPressed, this, &FleetStoreBar::signIn);
}

void FleetStoreBar::open() {
    const auto address = address_->currentText().trimmed();
    if (!address.isEmpty()) emit openWanted(address);
}

void FleetStoreBar::signIn() {
    const auto password = password_->text();
    password_->clear();
    emit signInWanted(user_->text(), password);
}

void FleetStoreBar::setRecent(const QStringList& addresses) {
    const auto shown = address_->currentText();
    address_->clear();
    address_->addItems(addresses);
    setAddress(shown);
}

/// Selects the matching entry; otherwise the box would select it when losing the focus, and open it again.
void FleetStoreBar::setAddress(const QString& address) {
    address_->setCurrentIndex(address_->findText(address));
    address_->setEditText(address);
}

void FleetStoreBar::setFacts(const QString& facts) { facts_->setText(facts); }

void FleetStoreBar::askToSignIn(bool asks) {
    signIn_->setVisible(asks);
    password_->clear();
    if (asks) (user_->text().isEmpty() ? user_ : password_)->setFocus();
}

bool FleetStoreBar::isAsking() const { return !signIn_->isHidden(); }

void FleetStoreBar::focusAddress() {
    address_->setFocus();
    address_->lineEdit()->selectAll();
}

} // namespace highwater::ui

#include "moc_fleet_store_bar.cpp"
